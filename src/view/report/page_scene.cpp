#include "view/report/page_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/packed.h"
#include "core/vector/vec.h"
#include "io/report/json_line.h"
#include "scene/motion/joint_places.h"
#include "view/colours.h"
#include "view/film/film_meshes.h"
#include "view/film/fine_parts.h"
#include "view/report/base64.h"
#include "view/report/near_room.h"

namespace tocsin::view {
namespace {

using io::JsonLine;

constexpr double kMostSteps = 65535.0;            // of a quantised coordinate
constexpr double kDiagonal = 1.7320508075688774;  // of a cube

/// A box, and coordinates in it as 16-bit numbers.
class Grid {
 public:
  void add(const Vec3& p) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
  }
  void append(std::string& to, const Vec3& p) const {
    append(to, p.x, low_.x, high_.x);
    append(to, p.y, low_.y, high_.y);
    append(to, p.z, low_.z, high_.z);
  }
  void describe(JsonLine& json) const {
    json.key("low").array(low_);
    json.key("size").array(Vec3{high_.x - low_.x, high_.y - low_.y, high_.z - low_.z});
  }
  /// From a point to where it is after rounding, at most; metres.
  [[nodiscard]] double rounding() const {
    return 0.5 * core::norm(Vec3{high_.x - low_.x, high_.y - low_.y, high_.z - low_.z}) /
           kMostSteps;
  }

 private:
  static void append(std::string& to, double x, double low, double high) {
    const double part = high > low ? (x - low) / (high - low) : 0.0;
    append_16(to, std::floor(part * kMostSteps + 0.5));
  }

 public:
  static void append_16(std::string& to, double whole) {
    const auto n = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole)) & 0xFFFFU;
    to += static_cast<char>(n & 0xFFU);
    to += static_cast<char>(n >> 8U);
  }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Vec3 low_{kInfinite, kInfinite, kInfinite};
  Vec3 high_{-kInfinite, -kInfinite, -kInfinite};
};

std::string hex(const Colour& colour) {
  const std::uint32_t c = packed(colour);
  return fmt::format("#{:02x}{:02x}{:02x}", c & 0xFFU, c >> 8U & 0xFFU, c >> 16U & 0xFFU);
}

void append_double(std::string& to, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  base::append_packed(to, static_cast<std::uint32_t>(bits));
  base::append_packed(to, static_cast<std::uint32_t>(bits >> 32U));
}

/// The joints that some link hangs on, in order.
std::vector<std::size_t> used_joints(const Avatar& avatar) {
  std::set<std::size_t> used;
  for (const Link& link : avatar.links()) used.insert(static_cast<std::size_t>(link.joint));
  return {used.begin(), used.end()};
}

void append_mesh(JsonLine& json, std::span<const Vec3f> vertices,
                 std::span<const TriangleIndices> triangles) {
  Grid grid;
  for (const Vec3f& v : vertices) grid.add({v.x, v.y, v.z});
  std::string places;
  for (const Vec3f& v : vertices) grid.append(places, {v.x, v.y, v.z});
  grid.describe(json);
  json.key("positions").value(base64(places));
  const bool wide = vertices.size() > 65536;
  std::string indices;
  for (const TriangleIndices& t : triangles) {
    for (const std::uint32_t i : t) {
      if (wide) {
        base::append_packed(indices, i);
      } else {
        Grid::append_16(indices, i);
      }
    }
  }
  json.key("wide").value(wide).key("indices").value(base64(indices));
}

void append_links(JsonLine& json, const FilmFigure& figure, const std::vector<std::size_t>& joints,
                  double margin) {
  json.key("links").open('[');
  for (const Link& link : figure.avatar.links()) {
    const auto joint =
        std::lower_bound(joints.begin(), joints.end(), static_cast<std::size_t>(link.joint));
    json.open('{').key("name").value(link.name);
    json.key("joint").value(static_cast<std::int64_t>(joint - joints.begin()));
    json.key("radius").value(link.radius + margin);
    json.key("a").array(link.a).key("b").array(link.b);
    if (!link.shape.empty()) {
      const Mesh mesh = link_mesh(link, margin);
      std::vector<Vec3f> vertices;
      for (const Vertex& v : mesh.vertices) vertices.push_back(v.position);
      json.key("mesh").open('{');
      append_mesh(json, vertices, mesh.triangles);
      json.close('}');
    }
    json.close('}');
  }
  json.close(']');
}

void append_time(JsonLine& json, const char* key, double seconds) {
  json.key(key);
  if (std::isfinite(seconds)) {
    json.value(seconds);
  } else {
    json.raw("null");
  }
}

/// Radians: a turn of four numbers, each off by half of 1 / 32767, is off by twice their length.
constexpr double kTurnRounding = 2.0 * 2.0 * 0.5 / 32767.0;

/// From a joint to the end of a link on it, at most; metres.
double farthest_end(const Avatar& avatar) {
  double out = 0.0;
  for (const Link& link : avatar.links()) {
    out = std::max({out, core::norm(link.a), core::norm(link.b)});
  }
  return out;
}

/// Appends a figure. Returns PageScene::rounding of it.
double append_figure(JsonLine& json, const FilmFigure& figure, std::int32_t avatar, double margin) {
  const std::vector<std::size_t> joints = used_joints(figure.avatar);
  Grid grid;
  std::string times;
  std::vector<Transform> places;
  for (std::size_t k = 0; k < figure.seconds.size(); ++k) {
    append_double(times, figure.seconds[k]);
    const std::span<const Transform> pose(&figure.pose(k, 0), figure.joint_count());
    const auto world = scene::joint_places(figure.avatar.skeleton(), pose);
    for (const std::size_t j : joints) {
      places.push_back(world[j]);
      grid.add(world[j].translation);
    }
  }
  std::string poses;
  for (const Transform& at : places) {
    grid.append(poses, at.translation);
    const Quat& q = at.rotation;
    for (const double x : {q.x, q.y, q.z, q.w}) {
      Grid::append_16(poses, std::floor(x * 32767.0 + 0.5));
    }
  }
  json.open('{').key("avatar").value(avatar).key("name").value(figure.name);
  json.key("body").value(figure.is_body).key("held").value(figure.held);
  json.key("colour").value(hex(avatar_colour(avatar)));
  json.key("pale").value(hex(pale_colour(avatar_colour(avatar))));
  append_time(json, "from", figure.there[0]);
  append_time(json, "until", figure.there[1]);
  json.key("joints").value(static_cast<std::int64_t>(joints.size()));
  grid.describe(json);
  json.key("times").value(base64(times)).key("poses").value(base64(poses));
  append_links(json, figure, joints, margin);
  json.close('}');
  return grid.rounding() + kTurnRounding * farthest_end(figure.avatar);
}

/// Where joints are, so far apart that there are few.
struct Places {
  std::vector<Vec3> all;
  double apart = 0.25;  ///< metres; every joint was within sqrt(3) times this of one of them
};

Places places_of(const Film& film) {
  constexpr std::size_t kMost = 200;  // each costs a look at every triangle
  std::vector<Vec3> joints_at;
  for (const FilmFigure& figure : film.figures) {
    const std::vector<std::size_t> joints = used_joints(figure.avatar);
    for (std::size_t k = 0; k < figure.seconds.size(); ++k) {
      const std::span<const Transform> pose(&figure.pose(k, 0), figure.joint_count());
      const auto world = scene::joint_places(figure.avatar.skeleton(), pose);
      for (const std::size_t j : joints) joints_at.push_back(world[j].translation);
    }
  }
  Places out;
  do {
    out.apart *= 2.0;
    out.all.clear();
    std::set<std::tuple<double, double, double>> cells;
    const auto cell = [&out](double x) { return std::floor(x / out.apart); };
    for (const Vec3& p : joints_at) {
      if (cells.emplace(cell(p.x), cell(p.y), cell(p.z)).second) out.all.push_back(p);
    }
  } while (out.all.size() > kMost);
  return out;
}

void append_room(JsonLine& json, const Environment& room, const NearRoom& near) {
  const std::vector<bool> wide = wide_objects(room);
  json.key("room").open('[');
  for (std::size_t i = 0; i < near.objects.size(); ++i) {
    const ObjectMesh& mesh = near.objects[i];
    if (mesh.triangles.empty()) continue;
    json.open('{').key("name").value(mesh.name);
    json.key("colour").value(hex(object_colour(mesh.name, wide[i])));
    append_mesh(json, mesh.vertices, mesh.triangles);
    json.close('}');
  }
  json.close(']');
}

}  // namespace

std::size_t pose_bytes(const Avatar& avatar, std::size_t samples) {
  constexpr std::size_t kOfAJoint = 14;
  return samples * (8 + kOfAJoint * used_joints(avatar).size());
}

PageScene page_scene(const Film& film, std::span<const std::uint32_t> touched) {
  PageScene out;
  JsonLine json(out.json);
  json.open('{').key("figures").open('[');
  for (std::size_t i = 0; i < film.figures.size(); ++i) {
    out.rounding = std::max(
        out.rounding, append_figure(json, film.figures[i], film.figures[i].index, film.margin));
  }
  json.close(']');
  if (film.room) {
    const bool small = film.room->triangles().size() <= kMostPageTriangles;
    const Places places = small ? Places() : places_of(film);
    const NearRoom near = near_room(*film.room, places.all, touched, kMostPageTriangles);
    append_room(json, *film.room, near);
    if (near.left_out > 0) {
      out.left_out.push_back(fmt::format(
          "Of the room, all within {:.1f} m of the avatars' joints is drawn, and what is "
          "touched: {} of its {} triangles.",
          std::max(0.0, std::floor(10.0 * (near.within - kDiagonal * places.apart)) / 10.0),
          near.triangles, near.triangles + near.left_out));
    }
  }
  json.key("contact_colour").value(hex(kContactColour)).key("kind_colours").open('{');
  json.key("hit").value(hex(kind_colour(ContactStatus::kHit)));
  json.key("overlap").value(hex(kind_colour(ContactStatus::kOverlap)));
  json.key("graze").value(hex(kind_colour(ContactStatus::kGraze))).close('}');
  json.close('}');
  return out;
}

}  // namespace tocsin::view
