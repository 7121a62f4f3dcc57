// The same conversations as fuzz_track's (track_conversation.h), in a room that avatars touch: what
// a step finds goes into reports and back to the client.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "track_conversation.h"

namespace {

/// Six triangles between the corners of a box, and a floor: few enough for a step to be quick.
tocsin::Environment tiny_room() {
  tocsin::ObjectMesh box{"box", {}, {}};
  for (const float x : {0.0F, 1.0F}) {
    for (const float y : {0.0F, 1.0F}) {
      for (const float z : {0.0F, 1.0F}) box.vertices.push_back({x, y, z});
    }
  }
  for (std::uint32_t i = 0; i < 6; ++i) box.triangles.push_back({i, i + 1, i + 2});
  tocsin::ObjectMesh floor{"floor", {{-5, 0, -5}, {5, 0, -5}, {0, 0, 5}}, {{0, 1, 2}}};
  return tocsin::Environment::create({std::move(box), std::move(floor)}).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static tocsin::service::World world(tiny_room());
  tocsin::service::converse(world, data, size);
  return 0;
}
