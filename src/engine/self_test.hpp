// Whether a device still proves: a small circuit, set up, proved on the device and verified.
#pragma once

#include "device/device.hpp"

namespace cuzk::engine {

// Errors: what failed. Takes milliseconds.
Status self_test(Device& device);

}  // namespace cuzk::engine
