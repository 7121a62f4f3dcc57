#include "io/gltf/gltf_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/json_text.h"
#include "base/quoted.h"
#include "io/gltf/gltf_accessor.h"
#include "io/gltf/gltf_json.h"
#include "io/gltf/gltf_nodes.h"
#include "io/import/affine.h"
#include "io/import/nesting.h"
#include "io/import/room_caveats.h"
#include "io/vrml/free_triangles.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

constexpr const char* kDracoExtension = "KHR_draco_mesh_compression";

// From the format, not to be changed: how corners make primitives (mode).
constexpr std::size_t kPoints = 0;
constexpr std::size_t kLines = 1;
constexpr std::size_t kLineLoop = 2;
constexpr std::size_t kLineStrip = 3;
constexpr std::size_t kTriangles = 4;
constexpr std::size_t kTriangleStrip = 5;
constexpr std::size_t kTriangleFan = 6;

bool uses_draco(const Json& meshes) {
  return std::any_of(meshes.begin(), meshes.end(), [](const Json& mesh) {
    const Json* const primitives = member(mesh, "primitives");
    if (primitives == nullptr || !primitives->is_array()) return false;
    return std::any_of(primitives->begin(), primitives->end(), [](const Json& primitive) {
      const Json* const extensions = member(primitive, "extensions");
      return extensions != nullptr && member(*extensions, kDracoExtension) != nullptr;
    });
  });
}

/// Visits of nodes that any file may make by using nodes repeatedly, which the format forbids and
/// some files do; beyond it, as many as the file has bytes. Higher, and a small hostile file takes
/// seconds.
constexpr std::uint64_t kFreeVisits = std::uint64_t{1} << 20U;

class GltfRoomReader {
 public:
  GltfRoomReader(const GltfSource& file, const Json& top, RoomBuilder& room)
      : top_(top),
        room_(room),
        most_(std::max<std::uint64_t>(kFreeTriangles, file.bytes.size())),
        most_visits_(std::max<std::uint64_t>(kFreeVisits, file.bytes.size())),
        buffers_(file.name, file.bytes, file.buffers, top) {}

  /// Visits the scene's nodes, parents first, without recursion.
  void read() {
    struct Visit {
      const Json* reference;
      Affine parent;
      int depth;
    };
    std::vector<Visit> stack;
    const auto push = [&](const Json& owner, const char* list, const Affine& frame, int depth) {
      const Json* const children = member(owner, list);
      if (children == nullptr || !children->is_array()) return;
      for (auto child = children->rbegin(); child != children->rend(); ++child) {
        stack.push_back({&*child, frame, depth});
      }
    };
    push(scene(), "nodes", Affine{}, 1);
    for (std::uint64_t visits = 0; !stack.empty(); ++visits) {
      if (visits > most_visits_) {
        gltf_fail("nodes are used so often that they are more than {}", most_visits_);
      }
      const Visit visit = stack.back();
      stack.pop_back();
      if (visit.depth > kMaxNesting) gltf_fail("nodes nested more than {} deep", kMaxNesting);
      const Json* const node = gltf_entry(top_, "nodes", visit.reference);
      if (node == nullptr) gltf_fail("a scene or node refers to a node that does not exist");
      const std::optional<Affine> local = gltf_local(*node);
      if (!local) {
        gltf_fail("node {}: its transform is not affine, or its rotation is no unit quaternion",
                  base::in_quotes(name_of(*node, *visit.reference)));
      }
      const Affine world = product(visit.parent, *local);
      read_meshes(*node, *visit.reference, world);
      push(*node, "children", world, visit.depth + 1);
    }
    if (const std::size_t scenes = scenes_; scenes > 1) {
      warnings_.push_back(fmt::format("{} scenes; only one is read, the default", scenes));
    }
  }

  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  const Json& scene() {
    const Json* const scenes = member(top_, "scenes");
    scenes_ = scenes == nullptr ? 0 : scenes->size();
    if (scenes_ == 0) gltf_fail("holds no scene");
    if (member(top_, "scene") == nullptr) return *scenes->begin();
    return gltf_referred(top_, "scenes", top_, "scene", "the file");
  }

  static std::string name_of(const Json& node, const Json& reference) {
    if (reference.is_string()) return gltf_text(node, "name", reference.get<std::string>());
    return gltf_text(node, "name", fmt::format("nodes[{}]", gltf_index(&reference).value_or(0)));
  }

  void read_meshes(const Json& node, const Json& reference, const Affine& world) {
    const Json* const one = member(node, "mesh");
    const Json* const several = member(node, "meshes");  // glTF 1.0
    const bool list = several != nullptr && several->is_array() && !several->empty();
    if (one == nullptr && !list) return;
    const std::string name = name_of(node, reference);
    room_.begin_object(name);
    const std::string where = fmt::format("object {}", base::in_quotes(name));
    if (one != nullptr) read_mesh(gltf_referred(top_, "meshes", node, "mesh", where), where, world);
    if (!list) return;
    for (const Json& entry : *several) {
      const Json* const mesh = gltf_entry(top_, "meshes", &entry);
      if (mesh == nullptr) gltf_fail("{}: its mesh does not exist", where);
      read_mesh(*mesh, where, world);
    }
  }

  void read_mesh(const Json& mesh, const std::string& object, const Affine& world) {
    const Json* const primitives = member(mesh, "primitives");
    if (primitives == nullptr || !primitives->is_array()) return;
    for (std::size_t i = 0; i < primitives->size(); ++i) {
      read_primitive((*primitives)[i], fmt::format("{}, primitive {}", object, i), world);
    }
  }

  void read_primitive(const Json& primitive, const std::string& where, const Affine& world) {
    const Json* const attributes = member(primitive, "attributes");
    // The format lets an extension say where the vertices are; such are refused beforehand.
    if (attributes == nullptr || member(*attributes, "POSITION") == nullptr) return;
    const GltfAccessor positions(buffers_,
                                 gltf_referred(top_, "accessors", *attributes, "POSITION", where),
                                 GltfAccessor::kPosition, most_, where + ": positions");
    check(room_.begin_mesh(positions.size()), where);
    const Json* const mode = member(primitive, "mode");
    const std::size_t kind =
        mode == nullptr ? kTriangles : gltf_index(mode).value_or(kTriangleFan + 1);
    if (member(primitive, "indices") == nullptr) {
      add_faces(
          kind, positions.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); },
          where);
    } else {
      const GltfAccessor indices(buffers_,
                                 gltf_referred(top_, "accessors", primitive, "indices", where),
                                 GltfAccessor::kIndex, most_, where + ": indices");
      add_faces(
          kind, indices.size(),
          [&](std::size_t i) { return static_cast<std::uint32_t>(indices.number(i, 0)); }, where);
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      room_.add_vertex(
          apply(world, {positions.number(i, 0), positions.number(i, 1), positions.number(i, 2)}));
    }
  }

  static void check(const std::string& fault, const std::string& where) {
    if (!fault.empty()) gltf_fail("{}: {}", where, fault);
  }

  /// `corner(i)`: the vertex of corner i, which is an index or, without any, i itself.
  template <class CornerAt>
  void add_faces(std::size_t kind, std::size_t count, const CornerAt& corner,
                 const std::string& where) {
    const auto face = [&](std::initializer_list<std::size_t> corners) {
      std::array<std::uint32_t, 3> list{};
      std::size_t size = 0;
      for (const std::size_t at : corners) list[size++] = corner(at);
      check(room_.add_face(std::span(list).first(size)), where);
    };
    switch (kind) {
      case kPoints:
        for (std::size_t i = 0; i < count; ++i) face({i});
        return;
      case kLines:
        for (std::size_t i = 1; i < count; i += 2) face({i - 1, i});
        room_.leave_out_corners(count % 2);
        return;
      case kLineLoop:
      case kLineStrip:
        for (std::size_t i = 1; i < count; ++i) face({i - 1, i});
        if (kind == kLineLoop && count > 1) face({count - 1, 0});
        return;
      case kTriangles:
        for (std::size_t i = 2; i < count; i += 3) face({i - 2, i - 1, i});
        room_.leave_out_corners(count % 3);
        return;
      case kTriangleStrip:
        for (std::size_t i = 2; i < count; ++i) {
          // Every second one the other way round, so that all face the same side.
          if (i % 2 == 0) face({i - 2, i - 1, i});
          if (i % 2 == 1) face({i - 1, i - 2, i});
        }
        return;
      case kTriangleFan:
        for (std::size_t i = 2; i < count; ++i) face({0, i - 1, i});
        return;
      default:
        gltf_fail("{}: an unknown mode", where);
    }
  }

  const Json& top_;
  RoomBuilder& room_;
  std::uint64_t most_;  ///< elements of an accessor without bytes
  std::uint64_t most_visits_;
  GltfBuffers buffers_;
  std::size_t scenes_ = 0;
  std::vector<std::string> warnings_;
};

/// Some exporters write names that are not UTF-8, which the parser refuses.
Json parsed(std::string_view json) {
  try {
    // Whole: a callback that leaves parts out makes this library's parser quadratic in long lists.
    return Json::parse(json.begin(), json.end());
  } catch (const Json::exception&) {
    std::string clean = base::valid_utf8(json);
    if (clean == json) throw;
    return Json::parse(clean);
  }
}

}  // namespace

Result<GltfRoom> read_gltf_room(const GltfSource& file, RoomBuilder& room) {
  const auto fault = [&](const std::string& cause) {
    return Error{ErrorCode::kInput, fmt::format("{}: {}", file.name, cause)};
  };
  try {
    const Json top = parsed(gltf_json(file.bytes));
    GltfRoom out;
    const Json* const meshes = member(top, "meshes");
    out.draco = meshes != nullptr && uses_draco(*meshes);
    Result<RoomCaveats> caveats = gltf_caveats(top, out.draco);
    if (!caveats.ok()) return fault(caveats.error().message);
    out.warnings = std::move(caveats->warnings);
    if (out.draco) return out;
    GltfRoomReader reader(file, top, room);
    reader.read();
    for (std::string& warning : reader.take_warnings()) out.warnings.push_back(std::move(warning));
    return out;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResource, fmt::format("{}: out of memory", file.name)};
  } catch (const GltfFault& cause) {
    return fault(cause.what());
  } catch (const std::exception& cause) {  // the parser's, which shows bytes of the file
    return fault(base::escaped(cause.what(), 500));
  }
}

}  // namespace tocsin::io
