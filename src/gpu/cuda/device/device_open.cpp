// Which device is opened, or why none is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/cuda/device/build_needs.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/emulation.h"
#if TOCSIN_HAS_CUDA
#include "gpu/cuda/device/cuda_work.h"
#endif
#include "base/quoted.h"

namespace tocsin::cuda {
namespace {

/// Empty: the variable is not set.
std::string_view variable(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes it
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// A whole number from `least` on.
template <class Number>
std::optional<Number> number_in(std::string_view text, Number least) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least) {
    return std::nullopt;
  }
  return number;
}

/// Calls f(part) for every part between commas, for as long as it returns true. Returns whether it
/// always did.
template <class F>
bool for_each_part(std::string_view text, const F& f) {
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!f(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

/// The devices that kDeviceVariable names; none: it is not set. Errors: kUsage.
Result<std::vector<int>> indices_of_variable() {
  const std::string_view said = variable(kDeviceVariable);
  std::vector<int> out;
  const auto add = [&](std::string_view part) {
    const auto index = number_in(part, 0);
    if (index) out.push_back(*index);
    return index.has_value();
  };
  if (said.empty() || for_each_part(said, add)) return out;
  return {ErrorCode::kUsage,
          fmt::format("{}: expected indices of devices, such as 0 or 0,1 (tocsin devices lists "
                      "them), found {}",
                      kDeviceVariable, base::in_quotes(said))};
}

/// The call at which kFailAtVariable lets the device fail; 0: at none. Errors: kUsage.
Result<std::uint64_t> fail_at_of_variable(int index) {
  const std::string_view said = variable(kFailAtVariable);
  std::uint64_t first = 0;
  const auto add = [&](std::string_view part) {
    const std::size_t colon = part.find(':');
    const bool named = colon != std::string_view::npos;
    const auto device = named ? number_in(part.substr(0, colon), 0) : index;
    const auto call = number_in<std::uint64_t>(part.substr(named ? colon + 1 : 0), 1);
    if (device == index && call) first = first == 0 ? *call : std::min(first, *call);
    return device && call;
  };
  if (said.empty() || for_each_part(said, add)) return first;
  return {ErrorCode::kUsage,
          fmt::format("{}: expected the number of a call, from 1 on, or DEVICE:CALL, found {}",
                      kFailAtVariable, base::in_quotes(said))};
}

/// Errors (kUsage): an index that no device has, or that is named twice.
Status check_indices(std::span<const int> indices) {
  for (auto it = indices.begin(); it != indices.end(); ++it) {
    if (*it < 0) return {ErrorCode::kUsage, fmt::format("no CUDA device has the index {}", *it)};
    if (std::find(indices.begin(), it, *it) != it) {
      return {ErrorCode::kUsage, fmt::format("CUDA device {} is named twice", *it)};
    }
  }
  return Nothing{};
}

/// Of all threads those of one emulated device.
int share_of_threads(int threads, std::size_t devices) {
  const int all =
      threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::max(1, all / static_cast<int>(devices));
}

/// `by`: what stands before a message, if not an option named the device.
Error unavailable(std::string_view by, std::string_view reason) {
  return {ErrorCode::kUnavailable,
          fmt::format("{}{}; --emulate runs its kernels on the processor", by, reason)};
}

/// The device itself; `used`: with an index, if one is asked for.
Result<std::unique_ptr<detail::DeviceWork>> open_real(const DeviceOptions& used,
                                                      std::string_view by) {
#if TOCSIN_HAS_CUDA
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
#if TOCSIN_HAS_CUDA
  return detail::CudaWork::build_needs();
#else
  return std::nullopt;
#endif
}

Result<std::shared_ptr<Device>> Device::open_one(const DeviceOptions& options,
                                                 std::string_view by) {
  DeviceOptions used = options;
  if (used.fail_at == 0) {
    const auto fail_at = fail_at_of_variable(used.index.value_or(0));
    if (!fail_at) return fail_at.error();
    used.fail_at = *fail_at;
  }
  if (used.emulate) {
    return std::shared_ptr<Device>(new Device(std::make_unique<detail::Emulation>(used), used));
  }
  auto work = open_real(used, by);
  if (!work) return work.error();
  return std::shared_ptr<Device>(new Device(std::move(work).value(), used));
}

Result<std::shared_ptr<Device>> Device::open(const DeviceOptions& options) {
  const std::array<int, 1> one{options.index.value_or(0)};
  auto devices = open_all(options, std::span(one).first(options.index ? 1 : 0));
  if (!devices) return devices.error();
  return std::move(devices->front());
}

Result<std::vector<std::shared_ptr<Device>>> Device::open_all(const DeviceOptions& options,
                                                              std::span<const int> indices) {
  std::string by;
  std::vector<int> named(indices.begin(), indices.end());
  if (named.empty()) {
    auto by_variable = indices_of_variable();
    if (!by_variable) return by_variable.error();
    named = std::move(by_variable).value();
    if (!named.empty()) by = fmt::format("{}: ", kDeviceVariable);
  }
  if (const Status sound = check_indices(named); !sound) {
    return {sound.error().code, by + sound.error().message};
  }
  const std::size_t count = std::max<std::size_t>(named.size(), 1);
  DeviceOptions used = options;
  used.threads = share_of_threads(options.threads, count);
  std::vector<std::shared_ptr<Device>> out;
  for (std::size_t i = 0; i < count; ++i) {
    used.index = named.empty() ? std::optional<int>() : named[i];
    auto device = open_one(used, by);
    if (!device) return device.error();
    out.push_back(std::move(device).value());
  }
  return out;
}

}  // namespace tocsin::cuda
