#include "hash/blake2b.hpp"

#include <sodium.h>

#include "base/check.hpp"

namespace cuzk {
namespace {

crypto_generichash_state* state_of(std::array<uint8_t, 384>& bytes) {
  static_assert(sizeof(crypto_generichash_state) <= 384 && alignof(crypto_generichash_state) <= 64);
  return reinterpret_cast<crypto_generichash_state*>(bytes.data());
}

}  // namespace

template <size_t Size>
void Blake2b<Size>::reset() {
  CUZK_CHECK(sodium_init() >= 0);  // picks the fastest kernel once; cheap and thread-safe afterwards
  CUZK_CHECK(crypto_generichash_init(state_of(state_), nullptr, 0, Size) == 0);
}

template <size_t Size>
void Blake2b<Size>::update(Bytes data) {
  crypto_generichash_update(state_of(state_), data.data(), data.size());
}

template <size_t Size>
typename Blake2b<Size>::Digest Blake2b<Size>::finish() {
  Digest digest;
  crypto_generichash_final(state_of(state_), digest.data(), digest.size());
  return digest;
}

template class Blake2b<32>;
template class Blake2b<64>;

}  // namespace cuzk
