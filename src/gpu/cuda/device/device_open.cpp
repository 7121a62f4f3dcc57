// Which device is opened, or why none is.
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/cuda/device/build_needs.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/emulation.h"
#ifdef TOCSIN_HAS_CUDA
#include "gpu/cuda/device/cuda_work.h"
#endif
#include "base/quoted.h"

namespace tocsin::cuda {
namespace {

/// Sets `to` if the variable is set and not empty. Errors (kUsage): it says no number from `least`.
template <class Number>
Status read_variable(const char* name, Number least, const char* what, std::optional<Number>& to) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes it
  if (text == nullptr || *text == '\0') return Nothing{};
  const std::string_view said(text);
  Number number = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), number);
  if (error != std::errc() || end != said.data() + said.size() || number < least) {
    return {ErrorCode::kUsage,
            fmt::format("{}: expected {}, found {}", name, what, base::in_quotes(said))};
  }
  to = number;
  return Nothing{};
}

/// `by`: what stands before a message, if not an option named the device.
Error unavailable(std::string_view by, std::string_view reason) {
  return {ErrorCode::kUnavailable,
          fmt::format("{}{}; --emulate runs its kernels on the processor", by, reason)};
}

/// The device itself; `used`: with an index, if one is asked for.
Result<std::unique_ptr<detail::DeviceWork>> open_real(const DeviceOptions& used,
                                                      std::string_view by) {
#ifdef TOCSIN_HAS_CUDA
  auto work = detail::CudaWork::open(used);
  if (!work) return unavailable(by, work.error().message);
  return work;
#else
  (void)used;
  return unavailable(by, "this Tocsin was built without CUDA");
#endif
}

}  // namespace

std::optional<BuildNeeds> build_needs() {
#ifdef TOCSIN_HAS_CUDA
  return detail::CudaWork::build_needs();
#else
  return std::nullopt;
#endif
}

Result<std::shared_ptr<Device>> Device::open(const DeviceOptions& options) {
  DeviceOptions used = options;
  if (used.fail_at == 0) {
    std::optional<std::uint64_t> fail_at;
    const Status status = read_variable<std::uint64_t>(kFailAtVariable, 1,
                                                       "the number of a call, from 1 on", fail_at);
    if (!status) return status.error();
    used.fail_at = fail_at.value_or(0);
  }
  if (used.emulate) {
    return std::shared_ptr<Device>(new Device(std::make_unique<detail::Emulation>(used), true));
  }
  if (!used.index) {
    const Status status = read_variable(
        kDeviceVariable, 0, "the index of a device (tocsin devices lists them)", used.index);
    if (!status) return status.error();
  }
  const bool by_variable = used.index && !options.index;
  auto work = open_real(used, by_variable ? fmt::format("{}: ", kDeviceVariable) : std::string());
  if (!work) return work.error();
  return std::shared_ptr<Device>(new Device(std::move(work).value(), false));
}

}  // namespace tocsin::cuda
