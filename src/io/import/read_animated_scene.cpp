#include "io/import/read_animated_scene.h"

#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/Importer.hpp>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/limited_process.h"
#include "base/quoted.h"
#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "io/gltf/gltf_motion.h"
#include "io/import/animated_scene_bytes.h"
#include "io/import/assimp_scene.h"
#include "io/import/rigid.h"

namespace tocsin::io {
namespace {

/// Turns assimp's scene into ours. An error's text is without the file's name.
class SceneTaker {
 public:
  SceneTaker(const aiScene& scene, const GltfMotion* gltf, AnimatedScene& out)
      : scene_(scene), gltf_(gltf), out_(out) {}

  /// Empty, or what is wrong.
  std::string take() {
    if (std::string fault = take_nodes(); !fault.empty()) return fault;
    take_skins();
    for (unsigned i = 0; i < scene_.mNumAnimations; ++i) {
      if (std::string fault = take_clip(i); !fault.empty()) return fault;
    }
    if (gltf_ != nullptr && gltf_->morph_channels > 0) {
      out_.morph_channels = gltf_->morph_channels;
      out_.warnings.push_back(
          fmt::format("channels of morph weights are not read: {}", out_.morph_channels));
    }
    if (lost_bones_ > 0) {
      out_.warnings.push_back(
          fmt::format("bones that are no nodes of the scene were left out: {}", lost_bones_));
    }
    return std::move(fault_);
  }

 private:
  /// Parents first, children in order, without recursion.
  std::string take_nodes() {
    struct Visit {
      const aiNode* node;
      int parent;
    };
    std::vector<Visit> stack;
    if (scene_.mRootNode != nullptr) stack.push_back({scene_.mRootNode, -1});
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const std::optional<Affine> local = affine(visit.node->mTransformation);
      const std::string_view name = text_of(visit.node->mName);
      if (!local) return fmt::format("node {}: its transform is not affine", shown(name));
      SceneNode node;
      node.parent = visit.parent;
      node.local = *local;
      node.mesh = visit.node->mNumMeshes > 0;
      node.visible = node.mesh;
      name_node(node, name);
      const int index = static_cast<int>(out_.nodes.size());
      by_name_.emplace(name, index);
      out_.nodes.push_back(std::move(node));
      for (unsigned i = visit.node->mNumChildren; i-- > 0;) {
        stack.push_back({visit.node->mChildren[i], index});
      }
    }
    return {};
  }

  void name_node(SceneNode& node, std::string_view name) const {
    node.name = name;
    if (gltf_ == nullptr) {
      node.helper = name.find(kFbxHelper) != std::string_view::npos;
    } else if (const std::size_t index = gltf_->node_of(name); index < gltf_->nodes.size()) {
      node.name = gltf_->nodes[index].name;
      node.visible = node.visible || gltf_->nodes[index].visible;
      node.mesh = node.mesh || gltf_->nodes[index].mesh;
      node.local = gltf_->nodes[index].local.value_or(node.local);
    }
  }

  /// The node that assimp means by a name: the only one, or the only one that shows nothing (an FBX
  /// mesh is often called as the bone that carries it). -1: none; -2: cannot be told.
  [[nodiscard]] int find(std::string_view name) const {
    const auto [begin, end] = by_name_.equal_range(name);
    if (begin == end) return -1;
    if (std::next(begin) == end) return begin->second;
    int found = -2;
    for (auto at = begin; at != end; ++at) {
      if (out_.nodes[static_cast<std::size_t>(at->second)].visible) continue;
      if (found >= 0) return -2;
      found = at->second;
    }
    return found;
  }

  void take_skins() {
    if (gltf_ != nullptr) {
      for (const SceneSkin& skin : gltf_->skins) {
        SceneSkin out{skin.name, {}};
        for (const int joint : skin.joints) {
          add_joint(out, find(numbered_node(static_cast<std::size_t>(joint))));
        }
        if (!out.joints.empty()) out_.skins.push_back(std::move(out));
      }
      return;
    }
    for (unsigned i = 0; i < scene_.mNumMeshes; ++i) {
      const aiMesh& mesh = *scene_.mMeshes[i];
      SceneSkin out{std::string(text_of(mesh.mName)), {}};
      if (out.name.empty()) out.name = fmt::format("skin {}", i);
      for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const std::string_view name = text_of(mesh.mBones[b]->mName);
        const int node = find(name);
        if (node == -2) fault_ = cannot_tell(name);
        add_joint(out, node);
      }
      if (!out.joints.empty()) out_.skins.push_back(std::move(out));
    }
  }

  void add_joint(SceneSkin& skin, int node) {
    if (node >= 0) {
      skin.joints.push_back(node);
    } else {
      ++lost_bones_;
    }
  }

  /// A name of assimp's as the file has it, in quotes.
  [[nodiscard]] std::string shown(std::string_view name) const {
    const std::size_t index = gltf_ == nullptr ? 0 : gltf_->node_of(name);
    const bool ours = gltf_ != nullptr && index < gltf_->nodes.size();
    return base::in_quotes(ours ? gltf_->nodes[index].name : name);
  }

  /// glTF: the nodes got names of their own, so that it is one node in several places.
  [[nodiscard]] std::string cannot_tell(std::string_view name) const {
    if (gltf_ != nullptr) {
      return fmt::format("the node {} stands in several places: cannot tell which is meant",
                         shown(name));
    }
    return fmt::format("several nodes are called {}: cannot tell which of them is meant",
                       shown(name));
  }

  std::string take_clip(unsigned number) {
    const aiAnimation& animation = *scene_.mAnimations[number];
    SceneClip clip;
    clip.name = text_of(animation.mName);
    if (clip.name.empty()) clip.name = fmt::format("clip {}", number);
    if (gltf_ != nullptr && number < gltf_->clips.size()) {
      clip.name = gltf_->clips[number].name;
      clip.frame_time = gltf_->clips[number].frame_time;
    }
    const double ticks = animation.mTicksPerSecond;
    if (ticks == 0.0) {
      return fmt::format("clip {}: states a frame rate of 0", base::in_quotes(clip.name));
    }
    if (gltf_ == nullptr && ticks > 1.0) clip.rate = ticks;  // 1: none stated, in assimp's way
    std::uint64_t lost = 0;
    for (unsigned i = 0; i < animation.mNumChannels; ++i) {
      const aiNodeAnim& channel = *animation.mChannels[i];
      const std::string_view name = text_of(channel.mNodeName);
      const int node = find(name);
      if (node == -2) return cannot_tell(name);
      if (node == -1 && name.find(kFbxHelper) != std::string_view::npos) {
        return fmt::format("clip {}: moves {}, which assimp did not make a node",
                           base::in_quotes(clip.name), base::in_quotes(name));
      }
      if (node == -1) {
        ++lost;
      } else {
        take_channel(channel, node, number, ticks, clip);
      }
    }
    if (lost > 0) {
      out_.warnings.push_back(fmt::format("clip {}: nodes that it moves but that are not there: {}",
                                          base::in_quotes(clip.name), lost));
    }
    unchain(clip);
    out_.clips.push_back(std::move(clip));
    return {};
  }

  /// assimp 5.2 makes an FBX node with a pre- or post-rotation a chain of nodes, but puts all of
  /// the chain into the animation of the last one, with the post-rotation instead of its inverse.
  /// So the rest of the chain is made the identity where that is animated, and the rotations
  /// mended.
  void unchain(SceneClip& clip) const {
    std::set<int> helpers;
    for (SceneTrack& track : clip.tracks) {
      const SceneNode& node = out_.nodes[static_cast<std::size_t>(track.node)];
      if (node.helper) continue;
      for (int above = node.parent; above >= 0;) {
        const SceneNode& link = out_.nodes[static_cast<std::size_t>(above)];
        if (!link.helper || !link.name.starts_with(node.name + std::string(kFbxHelper))) break;
        const bool post = link.name.ends_with("_PostRotation");
        if (post && track.path == TrackPath::kRotation) turn_back_twice(link.local, track);
        helpers.insert(above);
        above = link.parent;
      }
    }
    for (const int helper : helpers) {
      SceneTrack still;
      still.node = helper;
      still.times = {0.0};
      still.values = {0.0, 0.0, 0.0};
      clip.tracks.push_back(std::move(still));
    }
  }

  /// `inverse` is the inverse of the post-rotation that the keys end with.
  static void turn_back_twice(const Affine& inverse, SceneTrack& track) {
    using core::operator*;
    const std::optional<Transform> back = rigid_part(inverse);
    if (!back) return;
    for (std::size_t i = 0; i + 3 < track.values.size(); i += 4) {
      double* const v = track.values.data() + i;
      const Quat q = Quat{v[0], v[1], v[2], v[3]} * back->rotation * back->rotation;
      v[0] = q.w;
      v[1] = q.x;
      v[2] = q.y;
      v[3] = q.z;
    }
  }

  void take_channel(const aiNodeAnim& channel, int node, unsigned number, double ticks,
                    SceneClip& clip) const {
    const auto track = [&](TrackPath path, unsigned count) {
      SceneTrack out;
      out.node = node;
      out.path = path;
      out.between = between(number, text_of(channel.mNodeName), path);
      out.times.reserve(count);
      out.values.reserve(count * out.width());
      return out;
    };
    const GltfNode* const still = parts_of(text_of(channel.mNodeName), number);
    const auto keep = [&](SceneTrack out) {
      if (still != nullptr && !moves(*still, number, out.path)) return;
      if (!out.times.empty()) clip.tracks.push_back(std::move(out));
    };
    const auto vectors = [&](TrackPath path, const aiVectorKey* keys, unsigned count) {
      SceneTrack out = track(path, count);
      for (unsigned i = 0; i < count; ++i) {
        const aiVector3D& v = keys[i].mValue;
        out.times.push_back(keys[i].mTime / ticks);
        out.values.insert(out.values.end(), {static_cast<double>(v.x), static_cast<double>(v.y),
                                             static_cast<double>(v.z)});
      }
      keep(std::move(out));
    };
    vectors(TrackPath::kTranslation, channel.mPositionKeys, channel.mNumPositionKeys);
    SceneTrack rotation = track(TrackPath::kRotation, channel.mNumRotationKeys);
    for (unsigned i = 0; i < channel.mNumRotationKeys; ++i) {
      const aiQuaternion& q = channel.mRotationKeys[i].mValue;
      rotation.times.push_back(channel.mRotationKeys[i].mTime / ticks);
      rotation.values.insert(rotation.values.end(),
                             {static_cast<double>(q.w), static_cast<double>(q.x),
                              static_cast<double>(q.y), static_cast<double>(q.z)});
    }
    keep(std::move(rotation));
    vectors(TrackPath::kScale, channel.mScalingKeys, channel.mNumScalingKeys);
    if (still == nullptr) return;
    add_still(*still, node, number, TrackPath::kTranslation, clip);
    add_still(*still, node, number, TrackPath::kRotation, clip);
    add_still(*still, node, number, TrackPath::kScale, clip);
  }

  /// A glTF node whose parts are known in the file's own numbers; null if they are not.
  [[nodiscard]] const GltfNode* parts_of(std::string_view name, unsigned clip) const {
    if (gltf_ == nullptr || clip >= gltf_->clips.size()) return nullptr;
    const std::size_t index = gltf_->node_of(name);
    const bool known = index < gltf_->nodes.size() && gltf_->nodes[index].parts;
    return known ? &gltf_->nodes[index] : nullptr;
  }

  [[nodiscard]] bool moves(const GltfNode& node, unsigned clip, TrackPath path) const {
    const auto index = static_cast<std::size_t>(&node - gltf_->nodes.data());
    return gltf_->clips[clip].channels.contains({index, path});
  }

  /// A part of a node that the clip does not move. assimp delivers it as a key that is rounded to
  /// 32-bit floats.
  void add_still(const GltfNode& still, int node, unsigned number, TrackPath path,
                 SceneClip& clip) const {
    if (moves(still, number, path)) return;
    const auto& [t, q, s] = *still.parts;
    std::vector<double> values{t.x, t.y, t.z};
    if (path == TrackPath::kRotation) values = {q.w, q.x, q.y, q.z};
    if (path == TrackPath::kScale) values = {s.x, s.y, s.z};
    clip.tracks.push_back({node, path, KeyInterpolation::kLinear, {0.0}, std::move(values)});
  }

  /// How the keys of a part are joined. FBX: its curves are splines that assimp does not deliver.
  [[nodiscard]] KeyInterpolation between(unsigned number, std::string_view node,
                                         TrackPath path) const {
    if (gltf_ == nullptr) return KeyInterpolation::kCubic;
    if (number >= gltf_->clips.size()) return KeyInterpolation::kLinear;
    const auto& channels = gltf_->clips[number].channels;
    const auto at = channels.find({gltf_->node_of(node), path});
    return at == channels.end() ? KeyInterpolation::kLinear : at->second;
  }

  const aiScene& scene_;
  const GltfMotion* gltf_;  ///< null for FBX
  AnimatedScene& out_;
  std::multimap<std::string_view, int> by_name_;  ///< as assimp calls them
  std::uint64_t lost_bones_ = 0;
  std::string fault_;
};

/// What of an FBX file is not needed here. Pivots stay nodes of their own: folded into one (as
/// AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS would have it), assimp 5.2 makes channels for nodes that it
/// does not make.
void configure_for_motion(Assimp::Importer& importer) {
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_MATERIALS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
}

/// In the child.
Status convert(AssimpFile file, base::ChildOutput& output) {
  GltfMotion gltf;
  const bool is_gltf = file.extension != ".fbx";
  if (is_gltf) {
    Result<GltfMotion> prepared = prepare_gltf(file);
    if (!prepared.ok()) return prepared.error();
    gltf = std::move(prepared).value();
    file.bytes = std::move(gltf.for_assimp);
  }
  Assimp::Importer importer;
  configure_for_motion(importer);
  // A motion is in its file and its buffers; nothing else is read.
  const ImportedScene imported = import_scene(importer, file, FolderGuard({}));
  const aiScene* const scene = imported.scene;
  if (imported.refused) {
    return {ErrorCode::kInput, fmt::format("{}: refers to {}, which is not read", file.name,
                                           base::in_quotes(*imported.refused, 500))};
  }
  if (scene == nullptr) return import_error(importer, file);
  StatedFrame frame = stated_frame(*scene, file);
  AnimatedScene out;
  out.unit_metres = frame.unit_metres;
  out.up = frame.up;
  out.warnings = std::move(frame.warnings);
  const std::string fault = SceneTaker(*scene, is_gltf ? &gltf : nullptr, out).take();
  if (!fault.empty()) return {ErrorCode::kInput, fmt::format("{}: {}", file.name, fault)};
  send_scene(out, output);
  return Nothing{};
}

Result<AnimatedScene> read_scene(const std::filesystem::path& path, InputLog* log) {
  const Result<AssimpFile> file = read_for_assimp(path, FolderGuard::anywhere(), "motion", log);
  if (!file.ok()) return file.error();
  const Result<base::ChildBytes> result =
      base::run_limited(assimp_limits(file->name, file->bytes.size()),
                        [&](base::ChildOutput& output) { return convert(*file, output); });
  if (!result.ok()) return result.error();
  AnimatedScene scene;
  if (!take_scene(result->view(), scene)) {
    return {ErrorCode::kInput, fmt::format("{}: assimp left a broken result", file->name)};
  }
  scene.format = file->extension.substr(1);
  scene.bytes = file->bytes.size();
  std::vector<std::string*> names;
  names.reserve(scene.clips.size());
  for (SceneClip& clip : scene.clips) names.push_back(&clip.name);
  const std::vector<base::Renamed> renamed = base::make_distinct(names);
  if (!renamed.empty()) scene.warnings.push_back(base::describe_renames(renamed, "clip"));
  return scene;
}

}  // namespace

Result<AnimatedScene> read_animated_scene(const std::filesystem::path& path, InputLog* log) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: not enough memory", path.string())};
  try {
    return read_scene(path, log);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  }
}

}  // namespace tocsin::io
