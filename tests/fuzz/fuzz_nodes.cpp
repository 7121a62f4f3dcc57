// Any bytes as Collada and as X3D: an error without the file's name, or finite transforms and a
// text of which every node was given a number.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/import/nesting.h"
#include "io/nodes/named_nodes.h"
#include "require.h"

namespace {

void look_at(const tocsin::Result<tocsin::io::NamedNodes>& nodes) {
  if (!nodes.ok()) {
    TOCSIN_REQUIRE(nodes.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(nodes.error().message.size() < 2000);
    return;
  }
  TOCSIN_REQUIRE(nodes->unit_metres > 0.0);
  for (std::size_t i = 0; i < nodes->nodes.size(); ++i) {
    TOCSIN_REQUIRE(nodes->for_assimp.find(tocsin::io::numbered_node(i)) != std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!tocsin::io::nesting_fault(text, ".dae").empty()) return 0;
  look_at(tocsin::io::named_dae_nodes(text));
  look_at(tocsin::io::named_x3d_nodes(text));
  return 0;
}
