// Any bytes as a .shape file: an error, or a mesh that is written as the same bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/mesh_bytes.h"
#include "require.h"
#include "tocsin/shape.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto read = tocsin::base::read_mesh_bytes(text);
  if (!read.ok()) {
    TOCSIN_REQUIRE(read.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(read.error().message.size() < 300);
    return 0;
  }
  TOCSIN_REQUIRE(read->corners.size() * 24 + read->triangles.size() * 12 < size);
  const auto again =
      tocsin::base::read_mesh_bytes(tocsin::base::mesh_bytes(read->corners, read->triangles));
  TOCSIN_REQUIRE(again.ok() && again->triangles == read->triangles);
  const std::size_t triangles = read->triangles.size();
  const auto shape = tocsin::Shape::mesh(std::move(read->corners), std::move(read->triangles));
  TOCSIN_REQUIRE(!shape.ok() || shape->features().size() == triangles);
  return 0;
}
