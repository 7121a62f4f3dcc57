// Names that are longer than the room for them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tocsin::view {

/// As much of a name (UTF-8) as is so wide, from both its ends, with "..." between: long names
/// often differ in their last letters. `width_of`: of a text.
std::string elided_to(std::string_view name, float width,
                      const std::function<float(std::string_view)>& width_of);

}  // namespace tocsin::view
