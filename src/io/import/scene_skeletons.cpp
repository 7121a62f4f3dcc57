#include "io/import/scene_skeletons.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

namespace tocsin::io {
namespace {

/// Marks for the nodes of a scene; `char` so that they can be referred to.
using Marks = std::vector<char>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Skins that belong together.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int skin) {
    while (parent_[at(skin)] != skin) {
      parent_[at(skin)] = parent_[at(parent_[at(skin)])];
      skin = parent_[at(skin)];
    }
    return skin;
  }
  /// The earlier skin stays the group's first.
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

class SkeletonFinder {
 public:
  explicit SkeletonFinder(const AnimatedScene& scene)
      : scene_(scene), moved_(scene.nodes.size(), 0) {
    for (const SceneClip& clip : scene.clips) {
      for (const SceneTrack& track : clip.tracks) moved_[at(track.node)] = 1;
    }
  }

  std::vector<SceneSkeleton> find() {
    std::vector<SceneSkeleton> out;
    if (scene_.skins.empty()) {
      SceneSkeleton skeleton = complete(visible_or_joint({}), owners(moved_), false);
      if (!skeleton.nodes.empty()) out.push_back(std::move(skeleton));
      return out;
    }
    Marks all(scene_.nodes.size(), 0);
    for (const SceneSkin& skin : scene_.skins) {
      for (const int joint : skin.joints) all[at(joint)] = 1;
    }
    for (const auto& [first, skins] : groups()) {
      Marks joints(scene_.nodes.size(), 0);
      SceneSkeleton named;
      for (const int skin : skins) {
        named.names.push_back(scene_.skins[at(skin)].name);
        for (const int joint : scene_.skins[at(skin)].joints) joints[at(joint)] = 1;
      }
      SceneSkeleton skeleton = complete(visible_or_joint(all), owners(joints), true);
      skeleton.name = named.names.front();
      skeleton.names.insert(skeleton.names.begin(), named.names.begin(), named.names.end());
      out.push_back(std::move(skeleton));
      if (out.size() > kMostSkeletons) break;
    }
    return out;
  }

 private:
  /// Skins by the first of their group.
  std::map<int, std::vector<int>> groups() const {
    Groups groups(scene_.skins.size());
    std::vector<std::vector<int>> skins_of(scene_.nodes.size());
    for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
      for (const int joint : scene_.skins[s].joints) {
        skins_of[at(joint)].push_back(static_cast<int>(s));
      }
    }
    std::vector<int> above(scene_.nodes.size(), -1);  // a skin of the nearest joint at or above
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
      const int parent = scene_.nodes[i].parent;
      above[i] = parent < 0 ? -1 : above[at(parent)];
      for (const int skin : skins_of[i]) {
        if (above[i] >= 0) groups.unite(above[i], skin);
        above[i] = skin;
      }
    }
    std::map<int, std::vector<int>> out;
    for (std::size_t s = 0; s < scene_.skins.size(); ++s) {
      out[groups.find(static_cast<int>(s))].push_back(static_cast<int>(s));
    }
    return out;
  }

  /// The nodes that own the marked ones: an FBX node instead of the links of its chain, which come
  /// right above it.
  Marks owners(const Marks& marked) const {
    Marks out(marked.size(), 0);
    Marks pending(marked.size(), 0);
    for (std::size_t i = 0; i < marked.size(); ++i) {
      const SceneNode& node = scene_.nodes[i];
      const bool from_above = node.parent >= 0 && pending[at(node.parent)] != 0;
      const bool mine = marked[i] != 0 || from_above;
      (node.helper ? pending : out)[i] = static_cast<char>(mine);
    }
    return out;
  }

  /// Subtrees that cannot be end nodes: they show something, or are of some skin.
  Marks visible_or_joint(const Marks& joints) const {
    Marks out(scene_.nodes.size(), 0);
    for (std::size_t i = out.size(); i-- > 0;) {
      const SceneNode& node = scene_.nodes[i];
      if (node.visible || (!joints.empty() && joints[i] != 0)) out[i] = 1;
      if (out[i] != 0 && node.parent >= 0) out[at(node.parent)] = 1;
    }
    return out;
  }

  /// The nearest node above that is not a helper; -1: none.
  [[nodiscard]] int parent_of(std::size_t node) const {
    int parent = scene_.nodes[node].parent;
    while (parent >= 0 && scene_.nodes[at(parent)].helper) parent = scene_.nodes[at(parent)].parent;
    return parent;
  }

  /// Everything that belongs to these joints.
  SceneSkeleton complete(const Marks& taken, Marks in, bool skinned) const {
    const std::size_t count = in.size();
    std::vector<std::int64_t> below(count, 0);  // joints at and below
    for (std::size_t i = count; i-- > 0;) {
      below[i] += in[i] != 0 ? 1 : 0;
      if (scene_.nodes[i].parent >= 0) below[at(scene_.nodes[i].parent)] += below[i];
    }
    const auto total = std::count(in.begin(), in.end(), 1);
    std::size_t top = count;  // the lowest node above (or among) all of them
    for (std::size_t i = 0; i < count; ++i) {
      if (total > 0 && below[i] == total && !scene_.nodes[i].helper) top = i;
    }
    if (top < count) {
      const bool whole_scene = scene_.nodes[top].parent < 0;
      const bool wanted = skinned ? owners(moved_)[top] != 0 : !whole_scene;
      if (wanted) in[top] = 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const int parent = parent_of(i);
      if (parent < 0 || in[at(parent)] == 0 || scene_.nodes[i].helper) continue;
      if (below[i] > 0 || taken[i] == 0) in[i] = 1;
    }
    return listed(in);
  }

  [[nodiscard]] SceneSkeleton listed(const Marks& in) const {
    SceneSkeleton out;
    std::vector<int> number(in.size(), -1);
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (in[i] == 0) continue;
      int parent = scene_.nodes[i].parent;
      while (parent >= 0 && in[at(parent)] == 0) parent = scene_.nodes[at(parent)].parent;
      number[i] = static_cast<int>(out.nodes.size());
      out.nodes.push_back(static_cast<int>(i));
      out.parents.push_back(parent < 0 ? -1 : number[at(parent)]);
      if (parent < 0) out.names.push_back(scene_.nodes[i].name);
    }
    if (!out.names.empty()) out.name = out.names.front();
    return out;
  }

  const AnimatedScene& scene_;
  Marks moved_;  ///< nodes that some clip moves
};

}  // namespace

std::vector<SceneSkeleton> scene_skeletons(const AnimatedScene& scene) {
  return SkeletonFinder(scene).find();
}

}  // namespace tocsin::io
