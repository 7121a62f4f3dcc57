#include "detect/cache/tree_cache.h"

#include <fmt/format.h>

#include <atomic>
#include <cassert>
#include <new>
#include <optional>
#include <utility>

#include "base/cache_file.h"
#include "scene/room/fingerprint.h"
#include "scene/tree/tree_bytes.h"

namespace tocsin::detect {
namespace {

using scene::RoomTree;
using scene::TreeOptions;

/// A place for one tree, and what goes wrong there.
class TreePlace {
 public:
  TreePlace(const std::filesystem::path& folder, const Environment& environment,
            const TreeOptions& options, std::vector<std::string>& warnings)
      : folder_(folder),
        environment_(environment),
        options_(options),
        fingerprint_(scene::fingerprint(environment)),
        name_(tree_file_name(options, fingerprint_)),
        warnings_(warnings) {}

  /// The tree that lies here; nothing if there is none, or no sound one.
  std::optional<RoomTree> load() {
    try {
      const base::CacheFile file = base::read_cache_file(
          folder_ / name_, scene::largest_tree_bytes(environment_.triangles().size()));
      foreign_ = file.state == base::CacheFile::State::kForeign;
      if (file.state == base::CacheFile::State::kMissing) return std::nullopt;
      if (file.state != base::CacheFile::State::kRead) return refuse(file.cause);
      auto tree = scene::tree_from_bytes(file.bytes, environment_, fingerprint_, options_);
      if (!tree) return refuse(tree.error().message);
      return std::move(tree).value();
    } catch (const std::bad_alloc&) {
      return refuse("not enough memory to read it");
    }
  }

  void save(const RoomTree& tree) {
    if (foreign_) return;
    std::string cause;
    try {
      cause = base::write_cache_file(folder_, name_, scene::to_bytes(tree, fingerprint_, options_));
    } catch (const std::bad_alloc&) {
      cause = "not enough memory";
    }
    if (!cause.empty()) warn("cannot be written: " + cause);
  }

 private:
  std::nullopt_t refuse(const std::string& cause) {
    warn(cause + "; the tree was built anew");
    return std::nullopt;
  }
  void warn(const std::string& cause) {
    warnings_.push_back(fmt::format("{}: {}", (folder_ / name_).string(), cause));
  }

  const std::filesystem::path& folder_;
  const Environment& environment_;
  const TreeOptions& options_;
  std::uint64_t fingerprint_;
  std::string name_;
  std::vector<std::string>& warnings_;
  bool foreign_ = false;  ///< what lies here is not ours to replace
};

std::atomic<std::uint64_t> built{0};

RoomTree build(const Environment& environment, const TreeOptions& options) {
  ++built;
  return RoomTree(environment, options);
}

}  // namespace

std::uint64_t trees_built() { return built; }

std::string tree_file_name(const TreeOptions& options, std::uint64_t fingerprint) {
  return fmt::format("{:016x}-k6-w8-sah-leaf{}-v{}.tree", fingerprint, options.leaf_size,
                     scene::kTreeFormat);
}

RoomTree load_or_build(const std::filesystem::path& folder, const Environment& environment,
                       const TreeOptions& options, std::vector<std::string>& warnings) {
  if (folder.empty()) return build(environment, options);
  TreePlace place(folder, environment, options, warnings);
  if (auto kept = place.load()) return *std::move(kept);
  RoomTree tree = build(environment, options);
  place.save(tree);
  return tree;
}

}  // namespace tocsin::detect
