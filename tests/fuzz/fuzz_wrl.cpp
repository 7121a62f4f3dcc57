// Any bytes as a VRML file: an error that names the file, or an environment that keeps its
// promises.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/vrml/vrml.h"
#include "sound_room.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Small, so that bombs cost milliseconds.
  tocsin::io::VrmlLimits limits;
  limits.free_triangles = 1U << 16U;
  limits.free_work = 1U << 18U;
  limits.free_concave_work = 1U << 20U;
  limits.free_objects = 1U << 12U;

  const auto room =
      tocsin::io::parse_vrml(text, "fuzz.wrl", tocsin::test::room_options(size), limits);
  if (!room.ok()) {
    tocsin::test::require_input_error(room.error(), "fuzz.wrl:");
    TOCSIN_REQUIRE(room.error().message.size() < 2000);
    return 0;
  }
  TOCSIN_REQUIRE(room->triangles().size() <= limits.free_triangles + size);
  TOCSIN_REQUIRE(room->objects().size() <= limits.free_objects + size);
  tocsin::test::require_sound(*room);
  for (const std::string& warning : room->warnings()) {
    TOCSIN_REQUIRE(warning.starts_with("fuzz.wrl:"));
  }
  return 0;
}
