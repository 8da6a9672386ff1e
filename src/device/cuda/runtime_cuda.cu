#include "device/cuda/cards.hpp"
#include "device/cuda/launch.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

namespace {

// What nvcc was told to make code for, as compute capability times ten.
std::vector<int> built_for() {
  std::vector<int> out{__CUDA_ARCH_LIST__};
  for (int& architecture : out) architecture /= 10;
  return out;
}

CardInfo describe(int index) {
  const std::vector<int> built = built_for();
  CardInfo card;
  card.index = index;
  cudaDeviceProp p{};
  if (Status s = check(cudaGetDeviceProperties(&p, index), "cudaGetDeviceProperties"); !s) {
    card.unusable = s.error().message;
    return card;
  }
  int mode = cudaComputeModeDefault;
  (void)cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, index);
  char bus[32] = "";
  (void)cudaDeviceGetPCIBusId(bus, sizeof bus, index);
  card.name = p.name;
  card.pci_bus = bus;
  card.major = p.major;
  card.minor = p.minor;
  card.multiprocessors = static_cast<unsigned>(p.multiProcessorCount);
  card.memory_bytes = p.totalGlobalMem;
  CardState state{card.major, card.minor, mode == cudaComputeModeProhibited, card.memory_bytes,
                  card.memory_bytes};
  card.unusable = reason_against(state, built);
  if (!card.unusable.empty()) return card;
  size_t total = 0;
  Status s = check(cudaSetDevice(index), "cudaSetDevice");
  if (s) s = check(cudaMemGetInfo(&card.free_bytes, &total), "cudaMemGetInfo");
  state.free_bytes = card.free_bytes;
  card.unusable = s ? reason_against(state, built) : s.error().message;
  return card;
}

}  // namespace

Result<std::vector<CardInfo>> list_cards() {
  int driver = 0, runtime = 0, count = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  CUZK_TRY(check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion"));
  if (std::string reason = reason_against_driver(driver, runtime); !reason.empty()) {
    (void)cudaGetLastError();
    return fail(ErrorCode::kUnavailable, reason);
  }
  cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    if (code == cudaSuccess || code == cudaErrorNoDevice)
      return fail(ErrorCode::kUnavailable,
                  "the driver shows no CUDA card (CUDA_VISIBLE_DEVICES may hide it)");
    return fail(ErrorCode::kUnavailable, std::string("no usable CUDA card: ") + cudaGetErrorString(code));
  }
  std::vector<CardInfo> cards;
  for (int i = 0; i < count; ++i) cards.push_back(describe(i));
  return cards;
}

Status use_card(int index) {
  return check(cudaSetDevice(index), "cudaSetDevice");
}

bool card_answers() {
  (void)cudaGetLastError();
  size_t free_bytes = 0, total_bytes = 0;
  return cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess;
}

Result<DeviceMemory> DeviceMemory::allocate(size_t bytes) {
  DeviceMemory m;
  CUZK_TRY(check(cudaMalloc(&m.p_, bytes == 0 ? 1 : bytes), "cudaMalloc"));
  m.bytes_ = bytes;
  return m;
}
DeviceMemory::~DeviceMemory() {
  if (p_ != nullptr) (void)cudaFree(p_);
}

Result<PinnedMemory> PinnedMemory::allocate(size_t bytes) {
  PinnedMemory m;
  CUZK_TRY(check(cudaHostAlloc(&m.p_, bytes == 0 ? 1 : bytes, cudaHostAllocDefault), "cudaHostAlloc"));
  m.bytes_ = bytes;
  return m;
}
PinnedMemory::~PinnedMemory() {
  if (p_ != nullptr) (void)cudaFreeHost(p_);
}

namespace {
cudaStream_t native(void* handle) {
  return static_cast<cudaStream_t>(handle);
}
cudaEvent_t event(void* handle) {
  return static_cast<cudaEvent_t>(handle);
}
}  // namespace

Result<Stream> Stream::create() {
  cudaStream_t s = nullptr;
  CUZK_TRY(check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "cudaStreamCreate"));
  Stream stream;
  stream.handle_ = s;
  return stream;
}
Stream::~Stream() {
  if (handle_ != nullptr) (void)cudaStreamDestroy(native(handle_));
}
Status Stream::to_device(void* device, const void* host, size_t bytes) {
  return check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, native(handle_)),
               "copy to device");
}
Status Stream::to_host(void* host, const void* device, size_t bytes) {
  return check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, native(handle_)), "copy to host");
}
Status Stream::on_device(void* to, const void* from, size_t bytes) {
  return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, native(handle_)), "copy on device");
}
Status Stream::fill(void* device, int byte, size_t bytes) {
  return check(cudaMemsetAsync(device, byte, bytes, native(handle_)), "fill");
}
Status Stream::wait() {
  return check(cudaStreamSynchronize(native(handle_)), "waiting for the card");
}

Result<Stopwatch> Stopwatch::create() {
  Stopwatch s;
  cudaEvent_t e = nullptr;
  CUZK_TRY(check(cudaEventCreate(&e), "cudaEventCreate"));
  s.begin_ = e;
  CUZK_TRY(check(cudaEventCreate(&e), "cudaEventCreate"));
  s.end_ = e;
  return s;
}
Stopwatch::~Stopwatch() {
  if (begin_ != nullptr) (void)cudaEventDestroy(event(begin_));
  if (end_ != nullptr) (void)cudaEventDestroy(event(end_));
}
Status Stopwatch::start(Stream& stream) {
  return check(cudaEventRecord(event(begin_), native(stream.handle())), "cudaEventRecord");
}
Status Stopwatch::stop(Stream& stream) {
  return check(cudaEventRecord(event(end_), native(stream.handle())), "cudaEventRecord");
}
Result<double> Stopwatch::milliseconds() {
  float ms = 0;
  CUZK_TRY(check(cudaEventSynchronize(event(end_)), "cudaEventSynchronize"));
  CUZK_TRY(check(cudaEventElapsedTime(&ms, event(begin_), event(end_)), "cudaEventElapsedTime"));
  return static_cast<double>(ms);
}

}  // namespace cuzk::gpu
