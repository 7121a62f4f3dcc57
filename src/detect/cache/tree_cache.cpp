#include "detect/cache/tree_cache.h"

#include <fmt/format.h>

#include <cassert>
#include <new>
#include <optional>
#include <utility>

#include "base/cache_file.h"
#include "cpu/tree/kdop_culler.h"
#include "scene/room/fingerprint.h"
#include "scene/tree/tree_bytes.h"
#include "scene/tree/tree_kinds.h"

namespace tocsin::detect {
namespace {

using scene::AxisRule;
using scene::KdopTree;
using scene::SplitPoint;
using scene::TreeOptions;

/// How the tree is built, in a file's name.
std::string rule_name(const TreeOptions& options) {
  const char* const split = options.split == SplitPoint::kMean ? "mean" : "median";
  switch (options.rule) {
    case AxisRule::kMinSum:
      return fmt::format("minsum-{}", split);
    case AxisRule::kMinMax:
      return fmt::format("minmax-{}", split);
    case AxisRule::kSplatter:
      return fmt::format("splatter-{}", split);
    case AxisRule::kLongestSide:
      return fmt::format("longest-{}", split);
    case AxisRule::kSah:
      break;
  }
  return "sah";
}

/// A place for one tree, and what goes wrong there.
template <int K, int W>
class TreePlace {
 public:
  TreePlace(const std::filesystem::path& folder, const Environment& environment,
            const TreeOptions& options, std::vector<std::string>& warnings)
      : folder_(folder),
        environment_(environment),
        options_(options),
        fingerprint_(scene::fingerprint(environment)),
        name_(tree_file_name(K, W, options, fingerprint_)),
        warnings_(warnings) {}

  /// The tree that lies here; nothing if there is none, or no sound one.
  std::optional<KdopTree<K, W>> load() {
    try {
      const base::CacheFile file = base::read_cache_file(
          folder_ / name_, scene::largest_tree_bytes<W>(environment_.triangles().size()));
      foreign_ = file.state == base::CacheFile::State::kForeign;
      if (file.state == base::CacheFile::State::kMissing) return std::nullopt;
      if (file.state != base::CacheFile::State::kRead) return refuse(file.cause);
      auto tree = scene::tree_from_bytes<K, W>(file.bytes, environment_, fingerprint_, options_);
      if (!tree) return refuse(tree.error().message);
      return std::move(tree).value();
    } catch (const std::bad_alloc&) {
      return refuse("not enough memory to read it");
    }
  }

  void save(const KdopTree<K, W>& tree) {
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

}  // namespace

std::string tree_file_name(int k, int width, const TreeOptions& options,
                           std::uint64_t fingerprint) {
  return fmt::format("{:016x}-k{}-w{}-{}-leaf{}-v{}.tree", fingerprint, k, width,
                     rule_name(options), options.leaf_size, scene::kTreeFormat);
}

template <int K, int W>
KdopTree<K, W> load_or_build(const std::filesystem::path& folder, const Environment& environment,
                             const TreeOptions& options, std::vector<std::string>& warnings) {
  if (folder.empty()) return KdopTree<K, W>(environment, options);
  TreePlace<K, W> place(folder, environment, options, warnings);
  if (auto kept = place.load()) return *std::move(kept);
  KdopTree<K, W> tree(environment, options);
  place.save(tree);
  return tree;
}

std::unique_ptr<cpu::TreeCuller> load_or_build_culler(const std::filesystem::path& folder,
                                                      const Environment& environment,
                                                      const cpu::TreeChoice& choice,
                                                      std::vector<std::string>& warnings) {
  return scene::with_tree_kind(
      choice.k, choice.width, [&]<int K, int W>() -> std::unique_ptr<cpu::TreeCuller> {
        return std::make_unique<cpu::KdopCuller<K, W>>(
            load_or_build<K, W>(folder, environment, choice.build, warnings));
      });
}

#define TOCSIN_LOAD_OR_BUILD(K, W)                                                        \
  template KdopTree<K, W> load_or_build(const std::filesystem::path&, const Environment&, \
                                        const TreeOptions&, std::vector<std::string>&);
TOCSIN_FOR_EVERY_TREE(TOCSIN_LOAD_OR_BUILD)
#undef TOCSIN_LOAD_OR_BUILD

}  // namespace tocsin::detect
