// What devices there are.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "gpu/gl/context/context.h"
#include "gpu/gl/context/egl_context.h"

namespace tocsin::gl {
namespace {

DeviceInfo unreachable(std::string reason) {
  DeviceInfo out;
  out.backend = Backend::kGl;
  out.index = -1;
  out.way = "EGL";
  out.reason = std::move(reason);
  return out;
}

/// Opens a context there, looks, and closes it.
DeviceInfo look_at(const EglPlace& place) {
  ContextInfo seen;
  const auto context = open_egl_context(place, false, seen);
  DeviceInfo out;
  out.backend = Backend::kGl;
  out.index = place.index;
  out.name = seen.renderer;
  out.way = place.surfaceless() ? "EGL surfaceless" : "EGL device";
  out.version = seen.version;
  out.software = seen.software || place.software;
  out.usable = context.ok();
  out.reason = context.error().message;
  return out;
}

std::vector<DeviceInfo> look_at_all() {
  const auto places = egl_places();
  if (!places) return {unreachable(places.error().message)};
  std::vector<DeviceInfo> out;
  const auto usable = [](const DeviceInfo& device) { return device.usable; };
  for (const EglPlace& place : places.value()) {
    // The platform without devices only shows one of them again.
    if (place.surfaceless() && std::any_of(out.begin(), out.end(), usable)) continue;
    out.push_back(look_at(place));
  }
  return out;
}

}  // namespace

std::vector<DeviceInfo> list_gl_devices() {
  // On a thread of its own: the caller's may have a context, which must stay current there.
  std::vector<DeviceInfo> out;
  std::exception_ptr failure;  // on a thread it would end the process
  try {
    std::thread looking([&] {
      try {
        out = look_at_all();
      } catch (...) {
        failure = std::current_exception();
      }
    });
    looking.join();
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {  // no thread, no memory
    out = {unreachable(fmt::format("it could not be looked at: {}", error.what()))};
  } catch (...) {
    out = {unreachable("it could not be looked at")};
  }
  return out;
}

}  // namespace tocsin::gl
