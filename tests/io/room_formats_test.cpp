// One scene in every room format: named nodes, nested transforms and a negative scale where the
// format has them, and the positions in the world where it has not. Each file is written here, from
// one list of nodes; where its triangles must be is worked out by Eigen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "io/room_files.h"
#include "io/room_queries.h"
#include "tocsin/io.h"

namespace tocsin::room_formats_test {
namespace {

using Eigen::Vector3d;
using Face = std::vector<std::uint32_t>;

struct Mesh {
  std::vector<Vector3d> points;
  std::vector<Face> faces;
};

/// Mesh 0: a quadrilateral and two triangles; mesh 1: a triangle.
const std::vector<Mesh>& meshes() {
  static const std::vector<Mesh> kMeshes{
      {{{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}, {0, 1, 0}, {0, 0.25, 2}},
       {{0, 1, 2, 3}, {0, 1, 4}, {3, 2, 4}}},
      {{{-1, 0, 0}, {0, 0, 3}, {0, 0.5, 0}}, {{0, 1, 2}}}};
  return kMeshes;
}

/// Scaled, then turned about a coordinate axis, then moved, then into the parent.
struct Node {
  std::string name;
  int parent = -1;
  int mesh = -1;
  Vector3d translation;
  int axis = 0;
  double degrees = 0.0;
  Vector3d scale;
};

const std::vector<Node>& nodes() {
  static const std::vector<Node> kNodes{
      {"House", -1, -1, {1, 2, 3}, 1, 90, {1, 1, 1}},
      {"Table", 0, 0, {10, 0, -2}, 2, 30, {2, -1, 0.5}},  // mirrored
      {"Chair", 0, 1, {0, 0, 5}, 0, -40, {0.5, 0.5, 0.5}},
      {"Cushion", 2, 0, {0, 1.25, 0}, 1, 200, {-1, -1.5, -1}},  // below a node with a mesh
      {"Lamp_01", -1, 1, {-4, 2.5, 0}, 1, 0, {1, 1, 1}},
  };
  return kNodes;
}

Eigen::Affine3d world(const Node& node) {
  const Eigen::Affine3d local =
      Eigen::Translation3d(node.translation) *
      Eigen::AngleAxisd(node.degrees * std::numbers::pi / 180.0, Vector3d::Unit(node.axis)) *
      Eigen::Scaling(node.scale);
  if (node.parent < 0) return local;
  return world(nodes()[static_cast<std::size_t>(node.parent)]) * local;
}

/// The corners of a node's triangles, polygons fanned, one after the other.
std::vector<Vector3d> world_corners(const Node& node) {
  std::vector<Vector3d> out;
  const Mesh& mesh = meshes()[static_cast<std::size_t>(node.mesh)];
  for (const Face& face : mesh.faces) {
    for (std::size_t i = 2; i < face.size(); ++i) {
      for (const std::uint32_t corner : {face[0], face[i - 1], face[i]}) {
        out.push_back(world(node) * mesh.points[corner]);
      }
    }
  }
  return out;
}

std::string text(const Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string children_of(int parent, std::string (*write)(int)) {
  std::string out;
  for (int i = 0; i < static_cast<int>(nodes().size()); ++i) {
    if (nodes()[static_cast<std::size_t>(i)].parent == parent) out += write(i);
  }
  return out;
}

const Node& node_at(int i) { return nodes()[static_cast<std::size_t>(i)]; }

/// Points and faces as indices, with a separator behind each.
std::string point_list(const Mesh& mesh, const char* separator) {
  std::string out;
  for (const Vector3d& p : mesh.points) out += text(p) + separator;
  return out;
}
std::string face_list(const Mesh& mesh, const char* separator) {
  std::string out;
  for (const Face& face : mesh.faces) {
    for (const std::uint32_t i : face) out += fmt::format("{} ", i);
    out += separator;
  }
  return out;
}

// --- Formats without nodes: world positions.

std::string obj() {
  std::string out;
  std::size_t first = 1;
  for (const Node& node : nodes()) {
    if (node.mesh < 0) continue;
    const Mesh& mesh = meshes()[static_cast<std::size_t>(node.mesh)];
    out += "o " + node.name + '\n';
    for (const Vector3d& p : mesh.points) out += "v " + text(world(node) * p) + '\n';
    for (const Face& face : mesh.faces) {
      out += 'f';
      for (const std::uint32_t i : face) out += fmt::format(" {}", first + i);
      out += '\n';
    }
    first += mesh.points.size();
  }
  return out;
}

std::string ply() {
  std::string points;
  std::string faces;
  std::size_t point_count = 0;
  std::size_t face_count = 0;
  for (const Node& node : nodes()) {
    if (node.mesh < 0) continue;
    const Mesh& mesh = meshes()[static_cast<std::size_t>(node.mesh)];
    for (const Vector3d& p : mesh.points) points += text(world(node) * p) + '\n';
    for (const Face& face : mesh.faces) {
      faces += fmt::format("{}", face.size());
      for (const std::uint32_t i : face) faces += fmt::format(" {}", point_count + i);
      faces += '\n';
      ++face_count;
    }
    point_count += mesh.points.size();
  }
  return fmt::format(
             "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\n"
             "property float z\nelement face {}\nproperty list uchar int vertex_indices\n"
             "end_header\n",
             point_count, face_count) +
         points + faces;
}

std::string stl() {
  std::string out;
  for (const Node& node : nodes()) {
    if (node.mesh < 0) continue;
    out += "solid " + node.name + '\n';
    const std::vector<Vector3d> corners = world_corners(node);
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      out += "facet normal 0 0 0\nouter loop\n";
      for (std::size_t k = i; k < i + 3; ++k) out += "vertex " + text(corners[k]) + '\n';
      out += "endloop\nendfacet\n";
    }
    out += "endsolid " + node.name + '\n';
  }
  return out;
}

// --- Formats with nodes.

std::string vrml_node(int i) {
  const Node& n = node_at(i);
  std::string shape;
  if (n.mesh >= 0) {
    const Mesh& mesh = meshes()[static_cast<std::size_t>(n.mesh)];
    shape = fmt::format(
        "Shape {{ geometry IndexedFaceSet {{ coord Coordinate {{ point [ {} ] }} coordIndex [ {} ] "
        "}} }} ",
        point_list(mesh, ", "), face_list(mesh, "-1 "));
  }
  return fmt::format(
      "DEF {} Transform {{ translation {} rotation {} {} scale {} children [ {}{} ] }}\n", n.name,
      text(n.translation), text(Vector3d::Unit(n.axis)), n.degrees * std::numbers::pi / 180.0,
      text(n.scale), shape, children_of(i, vrml_node));
}
std::string wrl() { return "#VRML V2.0 utf8\n" + children_of(-1, vrml_node); }

std::string x3d_node(int i) {
  const Node& n = node_at(i);
  std::string shape;
  if (n.mesh >= 0) {
    const Mesh& mesh = meshes()[static_cast<std::size_t>(n.mesh)];
    shape = fmt::format(
        R"(<Shape><IndexedFaceSet coordIndex="{}"><Coordinate point="{}"/></IndexedFaceSet></Shape>)",
        face_list(mesh, "-1 "), point_list(mesh, " "));
  }
  return fmt::format(
      R"(<Transform DEF="{}" translation="{}" rotation="{} {}" scale="{}">{}{}</Transform>)",
      n.name, text(n.translation), text(Vector3d::Unit(n.axis)),
      n.degrees * std::numbers::pi / 180.0, text(n.scale), shape, children_of(i, x3d_node));
}
std::string x3d() {
  return R"(<?xml version="1.0" encoding="UTF-8"?><X3D profile="Interchange" version="3.0"><Scene>)" +
         children_of(-1, x3d_node) + "</Scene></X3D>";
}

std::string dae_node(int i) {
  const Node& n = node_at(i);
  const std::string mesh =
      n.mesh < 0 ? "" : fmt::format(R"(<instance_geometry url="#g{}"/>)", n.mesh);
  return fmt::format(
      R"(<node id="n{}" name="{}"><translate>{}</translate><rotate>{} {}</rotate><scale>{}</scale>{}{}</node>)",
      i, n.name, text(n.translation), text(Vector3d::Unit(n.axis)), n.degrees, text(n.scale), mesh,
      children_of(i, dae_node));
}
std::string dae() {
  std::string geometries;
  for (std::size_t i = 0; i < meshes().size(); ++i) {
    const Mesh& mesh = meshes()[i];
    std::string sizes;
    for (const Face& face : mesh.faces) sizes += fmt::format("{} ", face.size());
    geometries += fmt::format(
        R"(<geometry id="g{0}" name="g{0}"><mesh><source id="p{0}"><float_array id="a{0}" count="{1}">{2}</float_array>
<technique_common><accessor source="#a{0}" count="{3}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v{0}"><input semantic="POSITION" source="#p{0}"/></vertices><polylist count="{4}">
<input semantic="VERTEX" source="#v{0}" offset="0"/><vcount>{5}</vcount><p>{6}</p></polylist></mesh></geometry>)",
        i, 3 * mesh.points.size(), point_list(mesh, " "), mesh.points.size(), mesh.faces.size(),
        sizes, face_list(mesh, ""));
  }
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>
<unit name="meter" meter="1"/><up_axis>Y_UP</up_axis></asset><library_geometries>)" +
         geometries + R"(</library_geometries><library_visual_scenes><visual_scene id="s">)" +
         children_of(-1, dae_node) +
         R"(</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

/// Positions and triangle indices of a mesh, one after the other.
std::string gltf_buffer() {
  std::string out;
  for (const Mesh& mesh : meshes()) {
    for (const Vector3d& p : mesh.points) {
      out += test::f32(
          {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
    }
    for (const Face& face : mesh.faces) {
      for (std::size_t i = 2; i < face.size(); ++i) {
        for (const std::uint32_t corner : {face[0], face[i - 1], face[i]}) {
          out += test::u32(corner);
        }
      }
    }
  }
  return out;
}

std::string gltf_json(const std::string& uri) {
  std::string all;
  for (int i = 0; i < static_cast<int>(nodes().size()); ++i) {
    const Node& n = node_at(i);
    const Eigen::Quaterniond q(
        Eigen::AngleAxisd(n.degrees * std::numbers::pi / 180.0, Vector3d::Unit(n.axis)));
    std::string below = children_of(i, [](int k) { return fmt::format("{},", k); });
    if (!below.empty()) below.pop_back();
    const auto three = [](const Vector3d& v) {
      return fmt::format("[{},{},{}]", v.x(), v.y(), v.z());
    };
    all +=
        fmt::format(R"({}{{"name":"{}","translation":{},"rotation":[{},{},{},{}],"scale":{}{}{}}})",
                    all.empty() ? "" : ",", n.name, three(n.translation), q.x(), q.y(), q.z(),
                    q.w(), three(n.scale), n.mesh < 0 ? "" : fmt::format(",\"mesh\":{}", n.mesh),
                    below.empty() ? "" : ",\"children\":[" + below + ']');
  }
  std::string roots = children_of(-1, [](int k) { return fmt::format("{},", k); });
  roots.pop_back();
  std::string views;
  std::string accessors;
  std::string list;
  std::size_t at = 0;
  for (std::size_t m = 0; m < meshes().size(); ++m) {
    const std::size_t points = meshes()[m].points.size();
    std::size_t indices = 0;
    for (const Face& face : meshes()[m].faces) indices += 3 * (face.size() - 2);
    const char* const comma = m == 0 ? "" : ",";
    views += fmt::format(
        R"({}{{"buffer":0,"byteOffset":{},"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}})",
        comma, at, 12 * points, at + 12 * points, 4 * indices);
    accessors += fmt::format(
        R"({}{{"bufferView":{},"componentType":5126,"count":{},"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]}},{{"bufferView":{},"componentType":5125,"count":{},"type":"SCALAR"}})",
        comma, 2 * m, points, 2 * m + 1, indices);
    list += fmt::format(R"({}{{"primitives":[{{"attributes":{{"POSITION":{}}},"indices":{}}}]}})",
                        comma, 2 * m, 2 * m + 1);
    at += 12 * points + 4 * indices;
  }
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],"nodes":[{}],"meshes":[{}],"buffers":[{{"byteLength":{}{}}}],"bufferViews":[{}],"accessors":[{}]}})",
      roots, all, list, at, uri.empty() ? "" : ",\"uri\":\"" + uri + '"', views, accessors);
}
std::string gltf() {
  return gltf_json("data:application/octet-stream;base64," + test::base64(gltf_buffer()));
}
std::string glb() { return test::glb(gltf_json(""), gltf_buffer()); }

std::string fbx() {
  std::string objects;
  std::string connections;
  for (std::size_t m = 0; m < meshes().size(); ++m) {
    std::string points;
    for (const Vector3d& p : meshes()[m].points) {
      points += fmt::format("{}{},{},{}", points.empty() ? "" : ",", p.x(), p.y(), p.z());
    }
    std::string index;
    std::size_t count = 0;
    for (const Face& face : meshes()[m].faces) {
      for (std::size_t i = 0; i < face.size(); ++i, ++count) {
        const auto at = static_cast<std::int64_t>(face[i]);
        index += fmt::format("{}{}", index.empty() ? "" : ",", i + 1 == face.size() ? -at - 1 : at);
      }
    }
    objects += fmt::format(
        "Geometry: {}, \"Geometry::G{}\", \"Mesh\" {{\nVertices: *{} {{\na: {}\n}}\n"
        "PolygonVertexIndex: *{} {{\na: {}\n}}\nGeometryVersion: 124\n}}\n",
        1000 + m, m, 3 * meshes()[m].points.size(), points, count, index);
  }
  for (int i = 0; i < static_cast<int>(nodes().size()); ++i) {
    const Node& n = node_at(i);
    const auto property = [](const char* name, const Vector3d& v) {
      return fmt::format("P: \"{0}\", \"{0}\", \"\", \"A\",{1},{2},{3}\n", name, v.x(), v.y(),
                         v.z());
    };
    objects += fmt::format("Model: {}, \"Model::{}\", \"{}\" {{\nVersion: 232\nProperties70: {{\n",
                           2000 + i, n.name, n.mesh < 0 ? "Null" : "Mesh") +
               property("Lcl Translation", n.translation) +
               property("Lcl Rotation", n.degrees * Vector3d::Unit(n.axis)) +
               property("Lcl Scaling", n.scale) + "}\n}\n";
    connections += fmt::format("C: \"OO\",{},{}\n", 2000 + i, n.parent < 0 ? 0 : 2000 + n.parent);
    if (n.mesh >= 0) connections += fmt::format("C: \"OO\",{},{}\n", 1000 + n.mesh, 2000 + i);
  }
  return "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: "
         "7300\n}\nGlobalSettings:  {\nVersion: 1000\nProperties70:  {\n"
         "P: \"UpAxis\", \"int\", \"Integer\", \"\",1\nP: \"UpAxisSign\", \"int\", \"Integer\", "
         "\"\",1\n"
         "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}\n}\nObjects:  {\n" +
         objects + "}\nConnections:  {\n" + connections + "}\n";
}

// --- The test.

struct Format {
  const char* extension;
  std::string (*write)();
  bool has_objects = true;
  /// Metres. Coordinates are up to 16 m, whose floats are 1e-6 apart; where assimp keeps the
  /// transforms as floats, three of them add up to a few of these.
  double tolerance = 1e-6;
  std::size_t warnings = 0;
};

class RoomFormats : public testing::TestWithParam<Format> {};

TEST_P(RoomFormats, GiveTheSameScene) {
  const Format& format = GetParam();
  const test::RoomFolder folder;
  const auto room =
      load_environment(folder.write(std::string("scene.") + format.extension, format.write()));
  ASSERT_TRUE(room.ok()) << room.error().message;

  std::vector<std::string> names;
  std::vector<std::vector<Vector3d>> expected;
  for (const Node& node : nodes()) {
    if (node.mesh < 0) continue;
    if (format.has_objects || names.empty()) {
      names.push_back(format.has_objects ? node.name : "scene");
      expected.emplace_back();
    }
    const std::vector<Vector3d> corners = world_corners(node);
    expected.back().insert(expected.back().end(), corners.begin(), corners.end());
  }
  EXPECT_EQ(test::object_names(*room), names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<test::Corners> got = test::triangles_of(*room, names[i]);
    ASSERT_EQ(3 * got.size(), expected[i].size()) << names[i];
    for (std::size_t k = 0; k < expected[i].size(); ++k) {
      const Vec3f& p = got[k / 3][k % 3];
      EXPECT_NEAR(p.x, expected[i][k].x(), format.tolerance) << names[i] << " corner " << k;
      EXPECT_NEAR(p.y, expected[i][k].y(), format.tolerance) << names[i] << " corner " << k;
      EXPECT_NEAR(p.z, expected[i][k].z(), format.tolerance) << names[i] << " corner " << k;
    }
  }
  EXPECT_EQ(room->warnings().size(), format.warnings) << test::all_warnings(*room);
}

INSTANTIATE_TEST_SUITE_P(
    All, RoomFormats,
    testing::Values(Format{"obj", obj}, Format{"ply", ply, false}, Format{"stl", stl},
                    Format{"wrl", wrl}, Format{"gltf", gltf, true, 8e-6},
                    Format{"glb", glb, true, 8e-6}, Format{"dae", dae, true, 8e-6},
                    Format{"x3d", x3d, true, 8e-6},
                    // It says in which unit and axes it read the file.
                    Format{"fbx", fbx, true, 8e-6, 1}),
    [](const testing::TestParamInfo<Format>& which) { return std::string(which.param.extension); });

}  // namespace
}  // namespace tocsin::room_formats_test
