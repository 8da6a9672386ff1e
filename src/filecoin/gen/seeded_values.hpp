// Pseudo-random values that depend on a seed, a name and a place: the same on every machine, in any order.
#pragma once

#include <string_view>

#include "field/fr.hpp"
#include "filecoin/registered_proof.hpp"

namespace cuzk {

class SeededValues {
 public:
  explicit SeededValues(uint64_t seed) : seed_(seed) {}

  // SHA-256 of seed, places and name, cut to 254 bits: canonical bytes of a field element.
  Bytes32 bytes(std::string_view name, uint64_t a = 0, uint64_t b = 0) const {
    return truncated_to_254_bits(Sha256()
                                     .update_le64(seed_)
                                     .update_le64(a)
                                     .update_le64(b)
                                     .update({reinterpret_cast<const uint8_t*>(name.data()), name.size()})
                                     .finish());
  }
  Fr element(std::string_view name, uint64_t a = 0, uint64_t b = 0) const {
    return Fr::from_reduced(Fr::Int::from_le_bytes(bytes(name, a, b).data()));
  }
  // Below `bound`.
  uint64_t number(std::string_view name, uint64_t bound, uint64_t a = 0) const {
    return load_le64(bytes(name, a).data()) % bound;
  }

 private:
  uint64_t seed_;
};

}  // namespace cuzk
