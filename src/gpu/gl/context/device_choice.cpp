// Which place a context is opened on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/gl/context/context.h"
#include "gpu/gl/context/egl_context.h"
#include "gpu/gl/context/functions.h"

namespace tocsin::gl {
namespace {

using ContextResult = Result<std::unique_ptr<Context>>;

/// Sets `device` if TOCSIN_GL_DEVICE is set and not empty. Errors (kUsage): it says no index.
Status read_variable(std::optional<int>& device) {
  const char* text =
      std::getenv(kDeviceVariable);  // NOLINT(concurrency-mt-unsafe): nobody here changes it
  if (text == nullptr || *text == '\0') return Nothing{};
  const std::string_view said(text);
  int index = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), index);
  if (error != std::errc() || end != said.data() + said.size() || index < 0) {
    return {ErrorCode::kUsage,
            fmt::format("{}: expected the index of a device (tocsin devices lists them), found "
                        "\"{}\"",
                        kDeviceVariable, said)};
  }
  device = index;
  return Nothing{};
}

/// `by`: what stands before a message, if not an option named the device.
ContextResult open_chosen(const std::vector<EglPlace>& places, int index, const char* by,
                          bool debug) {
  if (index < 0 || static_cast<std::size_t>(index) >= places.size()) {
    return {ErrorCode::kUnavailable,
            fmt::format("{}there is no OpenGL device {} (tocsin devices lists those there are)", by,
                        index)};
  }
  return open_egl_context(places[static_cast<std::size_t>(index)], debug);
}

ContextResult open_first(const std::vector<EglPlace>& places, bool debug) {
  std::unique_ptr<Context> software;
  std::vector<std::string> problems;
  std::string last_reason;
  for (const EglPlace& place : by_preference(places)) {
    // Where a driver is missing, Mesa serves even a graphics card's device by software.
    if (software != nullptr && (place.software || place.surfaceless())) break;
    ContextInfo seen;
    ContextResult context = open_egl_context(place, debug, seen);
    if (!context) {
      // The same driver often serves several places, and is said once.
      const std::string reason = std::exchange(last_reason, context.error().message);
      if (reason != last_reason) problems.push_back(described(seen, last_reason));
    } else if (!(*context)->info().software) {
      return context;
    } else if (software == nullptr) {
      software = std::move(context).value();
    }
  }
  if (software == nullptr) {
    return {ErrorCode::kUnavailable, fmt::format("{}", fmt::join(problems, "; "))};
  }
  if (Status status = software->make_current(); !status) return status.error();
  return software;
}

}  // namespace

Result<std::unique_ptr<Context>> make_egl_context(const ContextOptions& options) {
  std::optional<int> device = options.device;
  if (!device) {
    if (Status status = read_variable(device); !status) return status.error();
  }
  const auto places = egl_places();
  if (!places) return places.error();
  if (!device) return open_first(*places, options.debug);
  return open_chosen(*places, *device, options.device ? "" : "TOCSIN_GL_DEVICE: ", options.debug);
}

}  // namespace tocsin::gl
