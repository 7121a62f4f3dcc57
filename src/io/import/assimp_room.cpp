#include "io/import/assimp_room.h"

#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/limited_process.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/gltf/gltf_room.h"
#include "io/import/affine.h"
#include "io/import/assimp_scene.h"
#include "io/import/child_values.h"
#include "io/import/room_caveats.h"
#include "io/nodes/named_nodes.h"
#include "io/nodes/room_builder.h"
#include "io/up_axis.h"
#include "io/vrml/free_triangles.h"

namespace tocsin::io {
namespace {

/// Unfolds assimp's scene into objects.
class SceneReader {
 public:
  /// `nodes`: their own transforms; null: assimp's count.
  SceneReader(const aiScene& scene, std::string stem, const NamedNodes* nodes, RoomBuilder& room)
      : scene_(scene), stem_(std::move(stem)), nodes_(nodes), room_(room) {}

  /// Visits all nodes, parents first, without recursion. Empty, or what is wrong.
  std::string read() {
    struct Visit {
      const aiNode* node;
      Affine parent;
    };
    std::vector<Visit> stack;
    if (scene_.mRootNode != nullptr) stack.push_back({scene_.mRootNode, Affine{}});
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const std::string name = name_of(*visit.node);
      const std::optional<Affine> local = local_of(*visit.node);
      if (!local) {
        return fmt::format("node {}: its transform is not affine", base::in_quotes(name));
      }
      const Affine world = product(visit.parent, *local);
      if (std::string fault = read_node(*visit.node, name, world); !fault.empty()) return fault;
      for (unsigned i = visit.node->mNumChildren; i-- > 0;) {
        stack.push_back({visit.node->mChildren[i], world});
      }
    }
    return {};
  }

 private:
  /// The node as its file has it; null: assimp made it.
  [[nodiscard]] const NamedNode* own(const aiNode& node) const {
    if (nodes_ == nullptr) return nullptr;
    const std::size_t index = numbered_node_of(text_of(node.mName), nodes_->nodes.size());
    return index < nodes_->nodes.size() ? &nodes_->nodes[index] : nullptr;
  }

  [[nodiscard]] std::optional<Affine> local_of(const aiNode& node) const {
    if (nodes_ == nullptr) return affine(node.mTransformation);
    if (const NamedNode* const named = own(node)) return named->local;
    return nodes_->collada ? Affine{} : affine(node.mTransformation);
  }

  /// The node's name without what assimp adds to it. To be called once for each node, in order.
  std::string name_of(const aiNode& node) {
    std::string_view name = text_of(node.mName);
    if (const NamedNode* const named = own(node)) {
      name = named->name;
      if (name.empty() && nodes_->collada) {
        return fmt::format("$ColladaAutoName$_{}", automatic_names_++);  // as assimp has it
      }
    }
    name = name.substr(0, name.find(kFbxHelper));
    // importers without names leave it empty or write "<STL_BINARY>" and the like
    if (name.empty() || (name.starts_with('<') && name.ends_with('>'))) return stem_;
    return std::string(name);
  }

  std::string read_node(const aiNode& node, const std::string& name, const Affine& world) {
    if (node.mNumMeshes == 0) return {};
    room_.begin_object(name);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) {
        return fmt::format("object {}: mesh index out of range", base::in_quotes(name));
      }
      std::string fault = read_mesh(*scene_.mMeshes[node.mMeshes[i]], world);
      if (!fault.empty()) return fmt::format("object {}: {}", base::in_quotes(name), fault);
    }
    return {};
  }

  std::string read_mesh(const aiMesh& mesh, const Affine& world) {
    if (mesh.mNumVertices > 0 && mesh.mVertices == nullptr) return "a mesh without positions";
    std::string fault = room_.begin_mesh(mesh.mNumVertices);
    for (unsigned f = 0; fault.empty() && f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      fault = room_.add_face({face.mIndices, face.mNumIndices});
      if (!fault.empty()) fault = fmt::format("face {}: {}", f, fault);
    }
    for (unsigned i = 0; fault.empty() && i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      room_.add_vertex(apply(
          world, {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}));
    }
    return fault;
  }

  const aiScene& scene_;
  std::string stem_;
  const NamedNodes* nodes_;
  RoomBuilder& room_;
  std::size_t automatic_names_ = 0;
};

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

bool is_gltf(const AssimpFile& file) {
  return file.extension == ".gltf" || file.extension == ".glb";
}

/// What assimp must not do to a room.
void configure_for_room(Assimp::Importer& importer) {
  // Applied here, in double.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  // The names that people gave, not the ids; repeated ones are kept apart here.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  // A file without meshes would get some that look like bones.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  // A mesh would be split by material, and so lose its order.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_MATERIALS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
}

Error in_file(const AssimpFile& file, const Error& error) {
  return {error.code, fmt::format("{}: {}", file.name, error.message)};
}

/// The transforms of the file's own nodes, for the formats that have them in text; none for others.
Result<std::optional<NamedNodes>> named_nodes(const AssimpFile& file) {
  Result<NamedNodes> found = file.extension == ".dae"   ? named_dae_nodes(file.bytes)
                             : file.extension == ".x3d" ? named_x3d_nodes(file.bytes)
                             : is_gltf(file)            ? named_gltf_nodes(file.bytes)
                                                        : NamedNodes{};
  if (!found.ok()) return in_file(file, found.error());
  if (found->for_assimp.empty()) return std::optional<NamedNodes>{};
  return std::optional(std::move(found).value());
}

/// In the child: what of a room is sent.
struct UnfoldedRoom {
  InputLog read;
  std::vector<std::string> warnings;
  std::vector<ObjectMesh> objects;
};

/// In the child: assimp reads, the scene is unfolded.
Status unfold_by_assimp(const AssimpFile& given, const std::string& stem,
                        const EnvironmentOptions& options, const FolderGuard& guard,
                        std::uint64_t max_triangles, UnfoldedRoom& out) {
  const Result<RoomCaveats> caveats = room_caveats(given.bytes, given.extension);
  if (!caveats.ok()) return in_file(given, caveats.error());
  Result<std::optional<NamedNodes>> nodes = named_nodes(given);
  if (!nodes.ok()) return nodes.error();
  const AssimpFile file{given.name, given.extension,
                        *nodes ? std::move((*nodes)->for_assimp) : given.bytes, given.buffers};
  // Never freed: this process ends with it, and to free a scene of millions of faces takes longer.
  Assimp::Importer& importer = *std::make_unique<Assimp::Importer>().release();
  configure_for_room(importer);
  const auto [scene, read, outside] = import_scene(importer, file, guard);
  if (outside) {
    return Error{ErrorCode::kUsage, fmt::format("{}: refers to {}, which may not be read",
                                                file.name, base::in_quotes(*outside, 500))};
  }
  if (scene == nullptr) return import_error(importer, file);
  StatedFrame frame = stated_frame(*scene, file);
  if (*nodes) {
    frame.unit_metres = (*nodes)->unit_metres;
    frame.up = (*nodes)->up;
  }
  RoomBuilder room(frame.unit_metres, frame.up, options, max_triangles);
  const NamedNodes* const own = *nodes ? &**nodes : nullptr;
  const std::string fault = SceneReader(*scene, stem, own, room).read();
  if (!fault.empty()) return base::file_error(file.name, fault);
  if (room.triangles() == 0) return base::file_error(file.name, "holds no triangles");
  out.read = read;
  append(out.warnings, caveats->warnings);
  append(out.warnings, frame.warnings);
  if (frame.stated) {
    out.warnings.push_back(fmt::format("read in the unit and axes that it states: {} m, {} up",
                                       frame.unit_metres, letter_of(frame.up)));
  }
  append(out.warnings, room.warnings());
  out.objects = room.take_objects();
  return Nothing{};
}

/// In the child: a glTF file. Draco is left to assimp.
Status unfold_gltf(const AssimpFile& file, const std::string& stem,
                   const EnvironmentOptions& options, const FolderGuard& guard,
                   std::uint64_t max_triangles, UnfoldedRoom& out) {
  RoomBuilder room(1.0, UpAxis::kY, options, max_triangles);
  Result<GltfRoom> read = read_gltf_room({file.name, file.bytes, file.buffers}, room);
  if (!read.ok()) return read.error();
  append(out.warnings, read->warnings);
  if (read->draco) return unfold_by_assimp(file, stem, options, guard, max_triangles, out);
  if (room.triangles() == 0) return base::file_error(file.name, "holds no triangles");
  append(out.warnings, room.warnings());
  out.objects = room.take_objects();
  return Nothing{};
}

/// In the child: the file is unfolded, the objects are sent.
Status unfold(const AssimpFile& file, const std::string& stem, const EnvironmentOptions& options,
              const FolderGuard& guard, base::ChildOutput& output) {
  const std::uint64_t max_triangles = std::max<std::uint64_t>(kFreeTriangles, file.bytes.size());
  UnfoldedRoom& room = *std::make_unique<UnfoldedRoom>().release();  // likewise never freed
  const auto how = is_gltf(file) ? unfold_gltf : unfold_by_assimp;
  if (Status status = how(file, stem, options, guard, max_triangles, room); !status.ok()) {
    return status;
  }
  send_log(output, room.read);
  send(output, room.warnings);
  send(output, static_cast<std::uint64_t>(room.objects.size()));
  for (const ObjectMesh& object : room.objects) {
    send(output, object.name);
    send(output, object.vertices);
    send(output, object.triangles);
  }
  return Nothing{};
}

/// In this process: takes what unfold() sent.
Result<Environment> receive(const std::string& file, std::string_view bytes, InputLog* log) {
  ChildReader reader(bytes);
  take_log(reader, log);
  std::vector<std::string> warnings;
  reader.take(warnings);
  std::vector<ObjectMesh> objects(reader.take_count(3 * sizeof(std::uint64_t)));
  for (ObjectMesh& object : objects) {
    reader.take(object.name);
    reader.take(object.vertices);
    reader.take(object.triangles);
  }
  if (!reader.ok()) return base::file_error(file, "assimp left a broken result");
  Result<Environment> made = Environment::create(std::move(objects));
  if (!made.ok()) return base::file_error(file, made.error().message);
  warnings.insert(warnings.end(), made->warnings().begin(), made->warnings().end());
  for (std::string& warning : warnings) warning = fmt::format("{}: {}", file, warning);
  return made->with_warnings(std::move(warnings));
}

Result<Environment> read_room(const std::filesystem::path& path, const EnvironmentOptions& options,
                              const FolderGuard& guard, InputLog* log) {
  const Result<AssimpFile> file = read_for_assimp(path, guard, "environment", log);
  if (!file.ok()) return file.error();
  const Result<base::ChildBytes> result = base::run_limited(
      assimp_limits(file->name, file->bytes.size()), [&](base::ChildOutput& output) {
        return unfold(*file, path.stem().string(), options, guard, output);
      });
  if (!result.ok()) return result.error();
  return receive(file->name, result->view(), log);
}

}  // namespace

std::vector<std::string> assimp_room_extensions() {
  return {".stl", ".glb", ".gltf", ".dae", ".x3d", ".fbx"};
}

Result<Environment> read_assimp_room(const std::filesystem::path& file,
                                     const EnvironmentOptions& options, const FolderGuard& guard,
                                     InputLog* log) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: out of memory", file.string())};
  try {
    return read_room(file, options, guard, log);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  } catch (const std::exception& error) {
    return base::file_error(file, base::escaped(error.what(), 500));
  }
}

}  // namespace tocsin::io
