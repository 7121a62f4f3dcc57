// Where the links and joints of a URDF stand in its text.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

/// An element with an origin.
struct UrdfPlace {
  std::int64_t line = 0;
  std::optional<std::string> rpy;  ///< of its origin: the text of the attribute
};

struct UrdfLayout {
  struct Link {
    std::int64_t line = 0;
    std::vector<UrdfPlace> collisions;  ///< in the file's order
  };
  struct Joint : UrdfPlace {
    std::string parent;  ///< names of links
    std::string child;
  };
  std::map<std::string, Link, std::less<>> links;
  std::map<std::string, Joint, std::less<>> joints;
};

/// liburdfdom tells no lines, and the rotations that it makes of angles have other bits with
/// another C library; so both come from the text. Errors (kInput), naming file and line: elements
/// that do not close as they open, or are nested too deep; another root than <robot>; a xacro file;
/// a link or joint without a name, or with one that is taken, that is longer than 256 bytes, or has
/// control characters or a ':'; more than 4,096 links; a link with two joints above it, or that is
/// above itself (liburdfdom does not free such a tree); a collision with two shapes (liburdfdom
/// takes the first of them).
Result<UrdfLayout> urdf_layout(std::string_view text, const std::string& file);

}  // namespace tocsin::io
