#include "io/assimp_room.h"

#include <assimp/config.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "io/assimp_files.h"
#include "io/nesting.h"
#include "io/text_file.h"
#include "io/up_axis.h"
#include "scene/quoted.h"

namespace tocsin::io {
namespace {

/// Triangles that any file may unfold to by using meshes repeatedly, however small it is: a house
/// of 1,000 chairs. Beyond it, a file must have as many bytes as it makes triangles.
constexpr std::uint64_t kFreeTriangles = std::uint64_t{1} << 24U;

/// An affine map in double: rows of a 3x4 matrix.
struct Affine {
  std::array<std::array<double, 4>, 3> row{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
};

Vec3 apply(const Affine& m, const aiVector3D& v) {
  const auto one = [&](std::size_t i) {
    const std::array<double, 4>& r = m.row[i];
    return ((r[0] * static_cast<double>(v.x) + r[1] * static_cast<double>(v.y)) +
            r[2] * static_cast<double>(v.z)) +
           r[3];
  };
  return {one(0), one(1), one(2)};
}

/// a after b.
Affine product(const Affine& a, const Affine& b) {
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      out.row[i][j] =
          ((a.row[i][0] * b.row[0][j] + a.row[i][1] * b.row[1][j]) + a.row[i][2] * b.row[2][j]) +
          (j == 3 ? a.row[i][3] : 0.0);
    }
  }
  return out;
}

/// The first three rows; nothing if the last is not (0, 0, 0, 1).
std::optional<Affine> affine(const aiMatrix4x4& m) {
  if (m.d1 != 0.0F || m.d2 != 0.0F || m.d3 != 0.0F || m.d4 != 1.0F) return std::nullopt;
  return Affine{{{{m.a1, m.a2, m.a3, m.a4}, {m.b1, m.b2, m.b3, m.b4}, {m.c1, m.c2, m.c3, m.c4}}}};
}

/// Rounded once, -0 made 0. What no float can hold becomes infinite and is then refused, with its
/// object's name.
float to_float(double x) {
  constexpr double kMax = std::numeric_limits<float>::max();
  if (std::fabs(x) > kMax) return std::numeric_limits<float>::infinity();
  return static_cast<float>(x) + 0.0F;
}

/// What a file says about its unit and axes, where assimp leaves that to us.
struct StatedFrame {
  double unit_metres = 1.0;
  UpAxis up = UpAxis::kY;
  std::vector<std::string> warnings;
};

/// The decimal that a file says, of which assimp keeps a float: 2.54, not 2.5399999618530273.
double as_written(float value) {
  const std::string text = fmt::format("{}", value);
  double number = static_cast<double>(value);
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// FBX: centimetres times UnitScaleFactor; UpAxis 0, 1, 2 for x, y, z.
StatedFrame fbx_frame(const aiScene& scene) {
  StatedFrame frame;
  const aiMetadata* data = scene.mMetaData;
  const auto whole = [data](const char* key, std::int32_t otherwise) {
    std::int32_t value = otherwise;
    return data != nullptr && data->Get(key, value) ? value : otherwise;
  };
  float factor = 1.0F;
  if (data != nullptr) data->Get("UnitScaleFactor", factor);
  frame.unit_metres = as_written(factor) / 100.0;
  constexpr std::array<UpAxis, 3> kAxes{UpAxis::kX, UpAxis::kY, UpAxis::kZ};
  constexpr std::array<char, 3> kLetters{'X', 'Y', 'Z'};
  const std::int32_t up = whole("UpAxis", 1);
  const bool usual = up >= 0 && up <= 2 && whole("UpAxisSign", 1) == 1;
  if (usual) {
    frame.up = kAxes[static_cast<std::size_t>(up)];
  } else {
    frame.warnings.emplace_back("states an up axis that is not +X, +Y or +Z; it is read as +Y");
  }
  frame.warnings.push_back(fmt::format("read in the unit and axes that it states: {} m, {} up",
                                       frame.unit_metres,
                                       usual ? kLetters[static_cast<std::size_t>(up)] : 'Y'));
  return frame;
}

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
                           scene::quoted(name_of(*visit.node)));
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
    std::string_view name(node.mName.data, node.mName.length);
    name = name.substr(0, name.find("_$AssimpFbx$_"));
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
        return fmt::format("object {}: mesh index out of range", scene::quoted(object.name));
      }
      std::string fault = read_mesh(*scene_.mMeshes[node.mMeshes[i]], world, object);
      if (!fault.empty()) return fmt::format("object {}: {}", scene::quoted(object.name), fault);
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
      const Vec3 p = apply(world, mesh.mVertices[i]);
      const Vec3 metres =
          turned_up({frame_.unit_metres * p.x, frame_.unit_metres * p.y, frame_.unit_metres * p.z},
                    frame_.up);
      const Vec3 q = turned_up(
          {options_.scale * metres.x, options_.scale * metres.y, options_.scale * metres.z},
          options_.up);
      object.vertices.push_back({to_float(q.x), to_float(q.y), to_float(q.z)});
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

Error refuse(const std::string& file, std::string_view cause) {
  return {ErrorCode::kInput, fmt::format("{}: {}", file, cause)};
}

/// What assimp must not do to a room.
void configure(Assimp::Importer& importer) {
  // The names that people gave, not the ids; repeated ones are kept apart here.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  // A mesh would be split by material, and so lose its order.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_MATERIALS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_CAMERAS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_LIGHTS, false);
}

Result<Environment> finish(const std::string& file, SceneReader& reader) {
  Result<Environment> made = Environment::create(reader.take_objects());
  if (!made.ok()) return refuse(file, made.error().message);
  std::vector<std::string> warnings = reader.warnings();
  warnings.insert(warnings.end(), made.warnings().begin(), made.warnings().end());
  for (std::string& warning : warnings) warning = fmt::format("{}: {}", file, warning);
  return made.with_warnings(std::move(warnings));
}

Result<Environment> read(const std::filesystem::path& path, const EnvironmentOptions& options) {
  const std::string file = path.string();
  const Result<std::string> bytes = read_file(path, kMaxRoomBytes);
  if (!bytes.ok()) return bytes.error();
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::string fault = nesting_fault(bytes.value(), extension); !fault.empty()) {
    return refuse(file, fault);
  }

  Assimp::Importer importer;
  configure(importer);
  importer.SetIOHandler(new RoomFiles(file, bytes.value()));  // which the importer then owns
  const aiScene* scene = importer.ReadFile(file, 0);
  if (scene == nullptr) return refuse(file, scene::printable(importer.GetErrorString(), 500));

  const StatedFrame frame = extension == ".fbx" ? fbx_frame(*scene) : StatedFrame{};
  const std::uint64_t max_triangles = std::max<std::uint64_t>(kFreeTriangles, bytes.value().size());
  SceneReader reader(*scene, path.stem().string(), max_triangles, frame, options);
  if (std::string fault = reader.read(); !fault.empty()) return refuse(file, fault);
  if (reader.triangles() == 0) return refuse(file, "holds no triangles");
  return finish(file, reader);
}

}  // namespace

std::vector<std::string> assimp_room_extensions() {
  return {".ply", ".stl", ".glb", ".gltf", ".dae", ".x3d", ".fbx"};
}

Result<Environment> read_assimp_room(const std::filesystem::path& file,
                                     const EnvironmentOptions& options) {
  try {
    return read(file, options);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: out of memory", file.string())};
  } catch (const std::exception& error) {
    return refuse(file.string(), scene::printable(error.what(), 500));
  } catch (...) {
    return refuse(file.string(), "assimp failed without a reason");
  }
}

}  // namespace tocsin::io
