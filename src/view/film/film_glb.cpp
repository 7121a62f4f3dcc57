#include "view/film/film_glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/vector/vec.h"
#include "io/gltf/glb.h"
#include "view/colours.h"
#include "view/film/film_meshes.h"
#include "view/film/gltf_parts.h"

namespace tocsin::view {
namespace {

using Json = GltfParts::Json;

/// A node that holds still for a while, shown or not: keys of STEP channels.
struct Keys {
  std::vector<float> times;
  std::vector<float> scale;  ///< three a key
  std::vector<float> translation;
  std::vector<float> rotation;  ///< four a key: x, y, z, w
  std::vector<float> arrow;     ///< scale of the arrow
};

void append_vector(std::vector<float>& to, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) to.push_back(static_cast<float>(x));
}

void append_same(std::vector<float>& to, float x) { to.insert(to.end(), {x, x, x}); }

Json vector_json(const Vec3& v) {
  return Json::array({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
}

Json turn_json(const Quat& q) {
  return Json::array({static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z),
                      static_cast<float>(q.w)});
}

class FilmDocument {
 public:
  FilmDocument(const Film& film, const std::filesystem::path& file)
      : film_(film), file_(file), times_(film_times(film)), shift_(std::max(0.0, -times_[0])) {}

  Status write() {
    link_material_ = parts_.add_material("link", kAvatarColour, false);
    for (const FilmFigure& figure : film_.figures) {
      if (Status added = add_figure(figure); !added) return added;
    }
    if (film_.room) add_room(*film_.room);
    if (!film_.marks.empty()) add_marks();
    const std::string json = parts_.document(
        roots_, Json::parse(film_.notes),
        {{"shift_s", shift_}, {"in_between", "linear and slerp, of each joint in its parent"}});
    io::GlbWriter out;
    if (Status opened = out.open(file_, json, parts_.bytes().size()); !opened) return opened;
    if (Status written = out.write(parts_.bytes()); !written) return written;
    return out.finish();
  }

 private:
  [[nodiscard]] float time_of(double seconds) const { return static_cast<float>(seconds + shift_); }

  /// Names of several figures' parts begin with the figure's.
  [[nodiscard]] std::string part_name(const FilmFigure& figure, const std::string& name) const {
    return film_.figures.size() > 1 ? figure.name + "/" + name : name;
  }

  Status add_figure(const FilmFigure& figure) {
    const auto joints = figure.avatar.skeleton().joints();
    const std::size_t root = parts_.add_node(
        figure.name + (figure.is_body ? " (body)" : " (avatar)"),
        {{"extras", {{"name", figure.name}, {"take", figure.take}, {"body", figure.is_body}}}});
    roots_.push_back(root);
    const std::size_t first = root + 1;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Transform& at = figure.pose(0, j);
      const std::size_t node =
          parts_.add_node(part_name(figure, joints[j].name) + " (joint)",
                          {{"translation", vector_json(at.translation)},
                           {"rotation", turn_json(core::normalized(at.rotation))},
                           {"extras", {{"joint", joints[j].name}}}});
      const int parent = joints[j].parent;
      parts_.add_child(parent < 0 ? root : first + static_cast<std::size_t>(parent), node);
    }
    for (const Link& link : figure.avatar.links()) {
      const Json extras{{"link", link.name}, {"radius_m", link.radius}, {"margin_m", film_.margin}};
      const std::size_t node = parts_.add_node(part_name(figure, link.name),
                                               {{"mesh", mesh_of(link)}, {"extras", extras}});
      parts_.add_child(first + static_cast<std::size_t>(link.joint), node);
    }
    if (Status moved = animate(figure, first); !moved) return moved;
    show_while_there(figure, root);
    return Nothing{};
  }

  /// Links of equal size have one mesh.
  std::size_t mesh_of(const Link& link) {
    const auto make = [&] {
      return parts_.add_mesh(link.name, link_mesh(link, film_.margin), link_material_);
    };
    if (!link.shape.empty()) return make();
    const std::array<double, 7> size{link.a.x, link.a.y, link.a.z,   link.b.x,
                                     link.b.y, link.b.z, link.radius};
    const auto [entry, is_new] = meshes_.try_emplace(size, 0);
    if (is_new) entry->second = make();
    return entry->second;
  }

  Status animate(const FilmFigure& figure, std::size_t first) {
    const std::size_t samples = figure.seconds.size();
    if (samples < 2) return Nothing{};
    std::vector<float> times;
    for (const double s : figure.seconds) {
      times.push_back(time_of(s));
      if (times.size() > 1 && !(times[times.size() - 2] < times.back())) {
        return {ErrorCode::kInput,
                fmt::format("{}: at {} s its samples are nearer to each other than the format's "
                            "32-bit floats can tell; fewer --substeps, or a .usda, which has 64",
                            figure.take, s)};
      }
    }
    const std::size_t input = parts_.add_times(times);
    for (std::size_t j = 0; j < figure.joint_count(); ++j) {
      parts_.add_channel(first + j, "rotation", input, "VEC4", rotations(figure, j), figure.held);
      if (!moves(figure, j)) continue;
      std::vector<float> places;
      for (std::size_t k = 0; k < samples; ++k)
        append_vector(places, figure.pose(k, j).translation);
      parts_.add_channel(first + j, "translation", input, "VEC3", places, figure.held);
    }
    return Nothing{};
  }

  /// Successive ones on the same side, so that a reader turns the shorter way.
  static std::vector<float> rotations(const FilmFigure& figure, std::size_t joint) {
    std::vector<float> out;
    Quat before;
    for (std::size_t k = 0; k < figure.seconds.size(); ++k) {
      Quat q = core::normalized(figure.pose(k, joint).rotation);
      const double cosine = (q.w * before.w + q.x * before.x) + (q.y * before.y + q.z * before.z);
      if (k > 0 && cosine < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
      before = q;
      for (const double x : {q.x, q.y, q.z, q.w}) out.push_back(static_cast<float>(x));
    }
    return out;
  }

  /// An avatar that comes later or goes earlier than others has no size then.
  void show_while_there(const FilmFigure& figure, std::size_t root) {
    std::vector<float> times;
    std::vector<float> scale;
    const auto key = [&](double seconds, float size) {
      times.push_back(time_of(seconds));
      append_same(scale, size);
    };
    if (figure.there[0] > times_[0]) {
      key(times_[0], 0.0F);
      key(figure.there[0], 1.0F);
    }
    if (figure.there[1] < times_[1]) {
      if (times.empty()) key(times_[0], 1.0F);
      if (time_of(figure.there[1]) > times.back()) key(figure.there[1], 0.0F);
    }
    if (times.size() < 2) return;
    parts_.add_channel(root, "scale", parts_.add_times(times), "VEC3", scale, true);
  }

  void add_room(const Environment& room) {
    const std::size_t root = parts_.add_node("room");
    roots_.push_back(root);
    const std::vector<bool> wide = wide_objects(room);
    for (std::size_t i = 0; i < room.objects().size(); ++i) {
      const Object& object = room.objects()[i];
      Json node{{"extras", {{"object", object.name}}}};
      if (object.triangle_count > 0) {
        const ObjectMesh mesh = object_mesh(room, i);
        // Rooms' faces look both ways.
        const std::size_t material =
            parts_.add_material("object", object_colour(object.name, wide[i]), true);
        node["mesh"] = parts_.add_mesh(object.name, mesh.vertices, mesh.triangles, material);
      }
      parts_.add_child(root, parts_.add_node(object.name, std::move(node)));
    }
  }

  void add_marks() {
    const std::size_t root = parts_.add_node("contacts");
    roots_.push_back(root);
    for (const FilmMark& mark : film_.marks) {
      const std::array<std::size_t, 2> own = mark_meshes(mark.proved);
      const FilmTouch& first = mark.touches.front();  // where nothing is played, all are seen
      const std::size_t node =
          parts_.add_node(mark.name, {{"mesh", own[0]},
                                      {"translation", vector_json(first.point)},
                                      {"extras", Json::parse(mark.extras)}});
      const Quat turn = first.normal ? turn_from_y(*first.normal) : Quat{};
      const std::size_t normal = parts_.add_node(mark.name + " (normal)",
                                                 {{"mesh", own[1]}, {"rotation", turn_json(turn)}});
      parts_.add_child(root, node);
      parts_.add_child(node, normal);
      animate(keys_of(mark), node, normal);
    }
  }

  /// The ball and the arrow of contacts, or of grazes; made when first needed.
  std::array<std::size_t, 2> mark_meshes(bool proved) {
    auto& meshes = mark_meshes_.at(proved ? 1 : 0);
    if (!meshes) {
      const char* const name = proved ? "contact" : "graze";
      const std::size_t material =
          parts_.add_material(name, proved ? kContactColour : kTouchedColour, false);
      meshes = {parts_.add_mesh(name, mark_ball(), material),
                parts_.add_mesh(std::string(name) + " normal", mark_arrow(), material)};
    }
    return *meshes;
  }

  void animate(const Keys& keys, std::size_t node, std::size_t arrow) {
    const std::size_t input = parts_.add_times(keys.times);
    parts_.add_channel(node, "scale", input, "VEC3", keys.scale, true);
    parts_.add_channel(node, "translation", input, "VEC3", keys.translation, true);
    parts_.add_channel(arrow, "rotation", input, "VEC4", keys.rotation, true);
    parts_.add_channel(arrow, "scale", input, "VEC3", keys.arrow, true);
  }

  [[nodiscard]] Keys keys_of(const FilmMark& mark) const {
    Keys out;
    const auto key = [&](double seconds, const FilmTouch& at, float size) {
      float time = time_of(seconds);
      // Contacts nearer to each other than floats can tell come one after the other.
      if (!out.times.empty() && time <= out.times.back()) {
        time = std::nextafter(out.times.back(), std::numeric_limits<float>::infinity());
      }
      out.times.push_back(time);
      append_same(out.scale, size);
      append_vector(out.translation, at.point);
      const Quat q = at.normal ? turn_from_y(*at.normal) : Quat{};
      for (const double x : {q.x, q.y, q.z, q.w}) out.rotation.push_back(static_cast<float>(x));
      append_same(out.arrow, at.normal ? 1.0F : 0.0F);
    };
    if (mark.touches.front().from > times_[0]) key(times_[0], mark.touches.front(), 0.0F);
    for (std::size_t i = 0; i < mark.touches.size(); ++i) {
      const FilmTouch& touch = mark.touches[i];
      key(touch.from, touch, 1.0F);
      const bool ends = i + 1 == mark.touches.size() || touch.until < mark.touches[i + 1].from;
      if (ends) key(touch.until, touch, 0.0F);
    }
    return out;
  }

  const Film& film_;
  const std::filesystem::path& file_;
  std::array<double, 2> times_;
  double shift_;
  GltfParts parts_;
  std::vector<std::size_t> roots_;
  std::size_t link_material_ = 0;
  std::map<std::array<double, 7>, std::size_t> meshes_;
  std::array<std::optional<std::array<std::size_t, 2>>, 2> mark_meshes_;
};

}  // namespace

Status write_film_glb(const Film& film, const std::filesystem::path& file) {
  return FilmDocument(film, file).write();
}

}  // namespace tocsin::view
