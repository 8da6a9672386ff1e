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

Result<size_t> sort_scratch_bytes(size_t) {
  return not_built();
}
Status recode(Stream&, const MsmScalars&, const Recoded&, bool, const DigitLists&) {
  return not_built();
}
Status change_bias(Stream&, Recoded*, uint32_t, const Recoded&) {
  return not_built();
}
Status extract_digits(Stream&, const DigitLists&, bool, uint32_t, const Windows&, uint32_t, uint32_t,
                      uint32_t, const SortBuffers&) {
  return not_built();
}
Status sort_entries(Stream&, SortBuffers&, size_t, int, Scratch) {
  return not_built();
}
Status restrict_entries(Stream&, const MsmBases&, const uint32_t*, const uint32_t*, size_t, uint32_t,
                        uint32_t*, Scratch, uint32_t*, uint32_t*) {
  return not_built();
}
Status carve_buckets_g1(Arena&, const GroupShape&, unsigned) {
  return not_built();
}
Status carve_buckets_g2(Arena&, const GroupShape&, unsigned) {
  return not_built();
}
Status add_buckets_g1(Stream&, Arena&, const BucketJob&) {
  return not_built();
}
Status add_buckets_g2(Stream&, Arena&, const BucketJob&) {
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
Status evaluate_matrix(Stream&, const DeviceMatrix&, const void*, const DeviceWitness&, void*) {
  return not_built();
}
Status copy_variables(Stream&, const DeviceWitness&, size_t, void*) {
  return not_built();
}
Status compare_products(Stream&, const void*, const void*, const void*, size_t, uint32_t*) {
  return not_built();
}

}  // namespace cuzk::gpu
