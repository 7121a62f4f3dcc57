#include "io/import/assimp_room.h"

#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/limited_process.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/import/affine.h"
#include "io/import/assimp_scene.h"
#include "io/import/child_values.h"
#include "io/import/room_caveats.h"
#include "io/to_float.h"
#include "io/up_axis.h"
#include "io/vrml/free_triangles.h"

namespace tocsin::io {
namespace {

/// Unfolds assimp's scene into objects.
class SceneReader {
 public:
  SceneReader(const aiScene& scene, std::string stem, std::uint64_t max_triangles,
              const StatedFrame& frame, const EnvironmentOptions& options)
      : scene_(scene),
        stem_(std::move(stem)),
        max_triangles_(max_triangles),
        frame_(frame),
        options_(options) {}

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
      const std::optional<Affine> local = affine(visit.node->mTransformation);
      if (!local) {
        return fmt::format("node {}: its transform is not affine",
                           base::in_quotes(name_of(*visit.node)));
      }
      const Affine world = product(visit.parent, *local);
      if (std::string fault = read_node(*visit.node, world); !fault.empty()) return fault;
      for (unsigned i = visit.node->mNumChildren; i-- > 0;) {
        stack.push_back({visit.node->mChildren[i], world});
      }
    }
    return {};
  }

  [[nodiscard]] std::uint64_t triangles() const { return triangles_; }
  std::vector<ObjectMesh> take_objects() { return std::move(objects_); }

  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out = frame_.warnings;
    if (frame_.stated) {
      out.push_back(fmt::format("read in the unit and axes that it states: {} m, {} up",
                                frame_.unit_metres, letter_of(frame_.up)));
    }
    const auto left_out = [&](std::uint64_t count, std::string_view what) {
      if (count == 0) return;
      out.push_back(fmt::format("left out, as only triangles can be touched: {} {}{}", count, what,
                                count == 1 ? "" : "s"));
    };
    left_out(points_, "point");
    left_out(lines_, "line");
    left_out(empty_faces_, "empty face");
    return out;
  }

 private:
  /// The node's name without what assimp adds to it.
  [[nodiscard]] std::string name_of(const aiNode& node) const {
    std::string_view name = text_of(node.mName);
    name = name.substr(0, name.find(kFbxHelper));
    // importers without names leave it empty or write "<STL_BINARY>" and the like
    if (name.empty() || (name.starts_with('<') && name.ends_with('>'))) return stem_;
    return std::string(name);
  }

  std::string read_node(const aiNode& node, const Affine& world) {
    if (node.mNumMeshes == 0) return {};
    ObjectMesh object;
    object.name = name_of(node);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) {
        return fmt::format("object {}: mesh index out of range", base::in_quotes(object.name));
      }
      std::string fault = read_mesh(*scene_.mMeshes[node.mMeshes[i]], world, object);
      if (!fault.empty()) return fmt::format("object {}: {}", base::in_quotes(object.name), fault);
    }
    objects_.push_back(std::move(object));
    return {};
  }

  std::string read_mesh(const aiMesh& mesh, const Affine& world, ObjectMesh& object) {
    if (mesh.mNumVertices > 0 && mesh.mVertices == nullptr) return "a mesh without positions";
    const std::size_t first = object.vertices.size();
    if (first + mesh.mNumVertices > std::numeric_limits<std::uint32_t>::max()) {
      return "more than 2^32 - 1 vertices";
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (std::string fault = read_face(mesh, f, first, object); !fault.empty()) return fault;
    }
    object.vertices.reserve(first + mesh.mNumVertices);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      const Vec3 p = apply(
          world, {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)});
      const Vec3 metres =
          turned_up({frame_.unit_metres * p.x, frame_.unit_metres * p.y, frame_.unit_metres * p.z},
                    frame_.up);
      const Vec3 q = turned_up(
          {options_.scale * metres.x, options_.scale * metres.y, options_.scale * metres.z},
          options_.up);
      object.vertices.push_back(to_float(q));  // an infinite one is refused, with the object's name
    }
    return {};
  }

  std::string read_face(const aiMesh& mesh, unsigned index, std::size_t first, ObjectMesh& object) {
    const aiFace& face = mesh.mFaces[index];
    for (unsigned i = 0; i < face.mNumIndices; ++i) {
      if (face.mIndices[i] >= mesh.mNumVertices) {
        return fmt::format("face {}: index {} is out of range (the mesh has {} vertices)", index,
                           face.mIndices[i], mesh.mNumVertices);
      }
    }
    if (face.mNumIndices == 0) ++empty_faces_;
    if (face.mNumIndices == 1) ++points_;
    if (face.mNumIndices == 2) ++lines_;
    if (face.mNumIndices < 3) return {};
    triangles_ += face.mNumIndices - 2;
    if (triangles_ > max_triangles_) {
      return fmt::format("meshes are used so often that they make more than {} triangles",
                         max_triangles_);
    }
    const auto corner = [&](unsigned i) {
      return static_cast<std::uint32_t>(first + face.mIndices[i]);
    };
    for (unsigned i = 2; i < face.mNumIndices; ++i) {
      object.triangles.push_back({corner(0), corner(i - 1), corner(i)});
    }
    return {};
  }

  const aiScene& scene_;
  std::string stem_;
  std::uint64_t max_triangles_;
  const StatedFrame& frame_;
  const EnvironmentOptions& options_;
  std::vector<ObjectMesh> objects_;
  std::uint64_t triangles_ = 0;
  std::uint64_t points_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t empty_faces_ = 0;
};

/// What assimp must not do to a room.
void configure_for_room(Assimp::Importer& importer) {
  // The names that people gave, not the ids; repeated ones are kept apart here.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  // A mesh would be split by material, and so lose its order.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_MATERIALS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
}

/// In the child: assimp reads, the scene is unfolded, the objects are sent.
Status unfold(const AssimpFile& file, const std::string& stem, const EnvironmentOptions& options,
              const FolderGuard& guard, base::ChildOutput& output) {
  // Never freed: this process ends with it, and to free a scene of millions of faces takes longer.
  const Result<RoomCaveats> caveats = room_caveats(file.bytes, file.extension);
  if (!caveats.ok()) {
    return Error{caveats.error().code, fmt::format("{}: {}", file.name, caveats.error().message)};
  }
  Assimp::Importer& importer = *std::make_unique<Assimp::Importer>().release();
  configure_for_room(importer);
  const auto [scene, read, outside] = import_scene(importer, file, guard);
  if (outside) {
    return Error{ErrorCode::kUsage, fmt::format("{}: refers to {}, which may not be read",
                                                file.name, base::in_quotes(*outside, 500))};
  }
  if (scene == nullptr) return import_error(importer, file);
  const StatedFrame frame = stated_frame(*scene, file);
  const std::uint64_t max_triangles = std::max<std::uint64_t>(kFreeTriangles, file.bytes.size());
  SceneReader reader(*scene, stem, max_triangles, frame, options);
  if (std::string fault = reader.read(); !fault.empty()) return base::file_error(file.name, fault);
  if (reader.triangles() == 0) return base::file_error(file.name, "holds no triangles");
  std::vector<std::string> warnings = caveats->warnings;
  const std::vector<std::string> left_out = reader.warnings();
  warnings.insert(warnings.end(), left_out.begin(), left_out.end());
  send_log(output, read);
  send(output, warnings);
  const std::vector<ObjectMesh> objects = reader.take_objects();
  send(output, static_cast<std::uint64_t>(objects.size()));
  for (const ObjectMesh& object : objects) {
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
