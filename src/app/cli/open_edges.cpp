#include "app/cli/open_edges.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/cli/words.h"

namespace tocsin::app {

std::string open_edges(const scene::EdgeCounts& edges) {
  std::vector<std::string> words;
  const auto add = [&words](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0) words.push_back(count_of(static_cast<std::int64_t>(count), one, many));
  };
  add(edges.boundary, "boundary edge", "boundary edges");
  add(edges.nonmanifold, "non-manifold edge", "non-manifold edges");
  add(edges.twisted, "twisted edge", "twisted edges");
  if (edges.edges == 0) return "no edges";
  return words.empty() ? std::string() : listed(words);
}

}  // namespace tocsin::app
