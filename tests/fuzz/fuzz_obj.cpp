// Any bytes as an OBJ file: an error that names the file, or an environment that keeps its
// promises.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/obj/obj.h"
#include "sound_room.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto room = tocsin::io::parse_obj(bytes, "fuzz.obj", tocsin::test::room_options(size));
  if (!room.ok()) {
    tocsin::test::require_input_error(room.error(), "fuzz.obj:");
    return 0;
  }
  TOCSIN_REQUIRE(room->triangles().size() <= size);
  tocsin::test::require_sound(*room);
  return 0;
}
