// Any bytes as a PLY file: an error that names the file, or an environment that keeps its promises.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/ply/ply.h"
#include "sound_room.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto room = tocsin::io::parse_ply(bytes, "fuzz.ply", tocsin::test::room_options(size));
  if (!room.ok()) {
    tocsin::test::require_input_error(room.error(), "fuzz.ply: ");
    return 0;
  }
  TOCSIN_REQUIRE(room->triangles().size() <= size);
  tocsin::test::require_sound(*room);
  return 0;
}
