// The service's messages and the logic of its sessions (track_conversation.h), in a room that is so
// far away that a step costs next to nothing. fuzz_track_steps also finds contacts.
#include <cstddef>
#include <cstdint>

#include "track_conversation.h"

namespace {

/// A triangle that no avatar is near to.
tocsin::Environment far_room() {
  const tocsin::ObjectMesh far{"far", {{5000, 0, 0}, {5001, 0, 0}, {5000, 1, 0}}, {{0, 1, 2}}};
  return tocsin::Environment::create({far}).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static tocsin::service::World world(far_room());
  tocsin::service::converse(world, data, size);
  return 0;
}
