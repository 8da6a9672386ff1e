// The devices that a command can be given: `cpu`, `cuda` and `cuda:N`.
#pragma once

#include <memory>
#include <string>

#include "base/executor.hpp"
#include "cli/commands.hpp"
#include "device/cpu/cpu_device.hpp"

namespace cuzk::cli {

// The device of that name, never another in its place. residency: of a CPU device. Errors: kInvalidInput for
// a name that is none of these; those of CudaDevice::open. The executor outlives the device. cpu: of a CPU
// device.
Result<std::unique_ptr<Device>> open_device(const std::string& name, Executor& executor,
                                            CpuDevice::Residency residency, const CpuDeviceOptions& cpu = {});

Command add_devices(CLI::App& program);

}  // namespace cuzk::cli
