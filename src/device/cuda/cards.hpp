// Why a card, or every card, cannot be used: in words, from what the driver says.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cuzk::gpu {

// What the driver says of a card.
struct CardState {
  int major = 0, minor = 0;  // compute capability
  bool prohibited = false;   // compute mode
  size_t memory_bytes = 0, free_bytes = 0;
};

// A card with less free memory than this is not used.
inline constexpr size_t kLeastFreeBytes = size_t{1} << 30;

// Empty if the card can be used. built: the architectures that this program has machine code for, compute
// capability times ten, ascending; of the last one it has PTX too, which a driver can translate for later
// ones.
std::string reason_against(const CardState& card, std::span<const int> built);

// Why no card can be used: versions as CUDA numbers them (13000 for 13.0), driver 0 where there is none.
// Empty if the driver is new enough.
std::string reason_against_driver(int driver, int needed);

}  // namespace cuzk::gpu
