#include "io/room_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/json_text.h"
#include "base/quoted.h"

namespace tocsin::io {
namespace {

bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }

std::string_view name_fault(const std::string& name, const RoomLimits& limits) {
  if (name.empty()) return "is empty";
  if (name.size() > limits.name_bytes) return "is too long";
  if (base::valid_utf8(name) != name) return "is not UTF-8 text";
  if (!limits.control_characters && std::any_of(name.begin(), name.end(), base::is_control)) {
    return "has control characters";
  }
  if (!limits.outer_blanks && (is_space_or_tab(name.front()) || is_space_or_tab(name.back()))) {
    return "begins or ends with a blank";
  }
  return {};
}

}  // namespace

std::string room_fault(const Environment& environment, const RoomLimits& limits) {
  if (environment.triangles().empty()) return "a room without triangles is not written";
  for (const Object& object : environment.objects()) {
    const std::string_view fault = name_fault(object.name, limits);
    if (!fault.empty()) {
      return fmt::format("the format cannot hold the name of object {}: it {}",
                         base::in_quotes(object.name), fault);
    }
  }
  return {};
}

}  // namespace tocsin::io
