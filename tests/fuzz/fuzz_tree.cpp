// Any bytes as a tree of the seeds' room, as they are and with their checksum made right: refused
// with a cause, or a tree that holds every triangle.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "../support/scenes/sound_tree.h"
#include "../support/scenes/tree_seed_room.h"
#include "require.h"
#include "scene/room/fingerprint.h"
#include "scene/tree/tree_bytes.h"

namespace {

using tocsin::Environment;
namespace scene = tocsin::scene;

/// With the leaf size that they claim.
void read_as_claimed(const std::string& bytes, const Environment& room) {
  scene::TreeHeader claim;
  std::memcpy(static_cast<void*>(&claim), bytes.data(), std::min(bytes.size(), sizeof claim));
  scene::TreeOptions options;
  options.threads = 1;
  options.leaf_size = static_cast<int>(std::clamp<std::uint32_t>(claim.leaf_size, 1, 8));
  const auto tree = scene::tree_from_bytes(bytes, room, scene::fingerprint(room), options);
  if (!tree.ok()) {
    TOCSIN_REQUIRE(tree.error().code == tocsin::ErrorCode::kInput && !tree.error().message.empty());
    return;
  }
  TOCSIN_REQUIRE(tocsin::test::what_is_wrong(tree.value(), room).empty());
  // Nothing but what is in the tree is in its bytes.
  TOCSIN_REQUIRE(scene::to_bytes(tree.value(), scene::fingerprint(room), options) == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Environment kRoom = tocsin::test::tree_seed_room();
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read_as_claimed(bytes, kRoom);
  if (size < sizeof(scene::TreeHeader)) return 0;
  scene::seal_tree_bytes(bytes);
  read_as_claimed(bytes, kRoom);
  return 0;
}
