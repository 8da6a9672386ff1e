// A management library for tests: one card at 0000:65:00.0, loaded like the real one. It lacks
// nvmlDeviceGetEnforcedPowerLimit, and its memory cannot be read.
#include <cstring>

extern "C" {
int nvmlInit_v2() {
  return 0;
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** card) {
  if (std::strcmp(id, "0000:65:00.0") != 0) return 6;  // not found
  *card = const_cast<char*>("card");
  return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned, unsigned* mhz) {
  *mhz = 1980;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 123500;
  return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) {
  *celsius = 41;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x20;  // software thermal slowdown
  return 0;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* generation) {
  *generation = 0;
  return 15;  // the card is lost
}
int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* width) {
  *width = 8;
  return 0;
}
int nvmlDeviceGetPcieThroughput(void*, unsigned counter, unsigned* kilobytes) {
  *kilobytes = counter == 0 ? 1000 : 3000;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void*, void*) {
  return 3;  // not supported
}
}
