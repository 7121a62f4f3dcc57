// Any bytes as a glTF room: an error that names the file, or objects that keep their promises.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/gltf/gltf_room.h"
#include "io/import/nesting.h"
#include "sound_room.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!tocsin::io::nesting_fault(bytes, ".glb").empty()) return 0;
  constexpr std::uint64_t kMostTriangles = 1U << 16U;  // so that bombs cost milliseconds
  const tocsin::EnvironmentOptions options = tocsin::test::room_options(size);
  tocsin::io::RoomBuilder room(1.0, tocsin::UpAxis::kY, options, kMostTriangles);
  const std::string name = "fuzz.glb";
  const std::vector<tocsin::io::BufferFile> none;
  const auto read = tocsin::io::read_gltf_room({name, bytes, none}, room);
  if (!read.ok()) {
    tocsin::test::require_input_error(read.error(), "fuzz.glb:");
    TOCSIN_REQUIRE(read.error().message.size() < 3000);
    return 0;
  }
  TOCSIN_REQUIRE(room.triangles() <= kMostTriangles);
  if (room.triangles() == 0) return 0;
  const auto made = tocsin::Environment::create(room.take_objects());
  if (made.ok()) tocsin::test::require_sound(*made);  // else a coordinate that is not finite
  return 0;
}
