// The runtime of a build without CUDA: every call that could start something is an error.
#include "device/cuda/evaluate.hpp"
#include "device/cuda/msm_launch.hpp"
#include "device/cuda/ntt_launch.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

namespace {
tl::unexpected<Error> not_built() {
  return fail(ErrorCode::kUnavailable,
              "this program was built without CUDA: no nvcc was found when it was configured");
}
}  // namespace

Result<std::vector<CardInfo>> list_cards() {
  return not_built();
}
Status use_card(int) {
  return not_built();
}
bool card_answers() {
  return false;
}
Result<DeviceMemory> DeviceMemory::allocate(size_t) {
  return not_built();
}
DeviceMemory::~DeviceMemory() = default;
Result<PinnedMemory> PinnedMemory::allocate(size_t) {
  return not_built();
}
PinnedMemory::~PinnedMemory() = default;
Result<Stream> Stream::create() {
  return not_built();
}
Stream::~Stream() = default;
Status Stream::to_device(void*, const void*, size_t) {
  return not_built();
}
Status Stream::to_host(void*, const void*, size_t) {
  return not_built();
}
Status Stream::on_device(void*, const void*, size_t) {
  return not_built();
}
Status Stream::fill(void*, int, size_t) {
  return not_built();
}
Status Stream::wait() {
  return not_built();
}
Result<Stopwatch> Stopwatch::create() {
  return not_built();
}
Stopwatch::~Stopwatch() = default;
Status Stopwatch::start(Stream&) {
  return not_built();
}
Status Stopwatch::stop(Stream&) {
  return not_built();
}
Result<double> Stopwatch::milliseconds() {
  return not_built();
}

Status size_msm_g1(MsmPlan&) {
  return not_built();
}
Status size_msm_g2(MsmPlan&) {
  return not_built();
}
Result<MsmParts> run_msm_g1(Stream&, const MsmPlan&, void*, void*, const MsmTerms&) {
  return not_built();
}
Result<MsmParts> run_msm_g2(Stream&, const MsmPlan&, void*, void*, const MsmTerms&) {
  return not_built();
}
Status fill_powers(Stream&, void*, size_t, const void*, const void*) {
  return not_built();
}
Status multiply_and_subtract(Stream&, void*, const void*, const void*, size_t) {
  return not_built();
}
Status launch_ntt(Stream&, const NttLaunch&) {
  return not_built();
}
Status evaluate_matrix(Stream&, const DeviceMatrix&, const void*, const void*, void*) {
  return not_built();
}
Status expand_witness(Stream&, const DeviceCompact&, void*) {
  return not_built();
}
Status compare_products(Stream&, const void*, const void*, const void*, size_t, uint32_t*) {
  return not_built();
}

}  // namespace cuzk::gpu
