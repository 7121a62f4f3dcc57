#include "io/nodes/named_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tocsin::io {

std::string numbered_node(std::size_t index) { return fmt::format("{}{}", kNumberedPrefix, index); }

std::size_t numbered_node_of(std::string_view name, std::size_t count) {
  if (!name.starts_with(kNumberedPrefix)) return count;
  name.remove_prefix(kNumberedPrefix.size());
  std::size_t index = count;
  std::from_chars(name.data(), name.data() + name.size(), index);
  return std::min(index, count);
}

}  // namespace tocsin::io
