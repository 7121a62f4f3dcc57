#include "view/film/film_usda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/vector/vec.h"
#include "tocsin/version.h"
#include "view/colours.h"
#include "view/film/film_meshes.h"
#include "view/film/usda_text.h"

namespace tocsin::view {
namespace {

constexpr const char* kShown = "\"inherited\"";
constexpr const char* kHidden = "\"invisible\"";

class FilmText {
 public:
  explicit FilmText(const Film& film) : film_(film), times_(film_times(film)) {}

  Status write(const std::string& file) {
    if (Status opened = out_.open(file); !opened) return opened;
    head();
    out_.begin("Xform", "check");
    out_.note("about", film_.notes);
    for (const FilmFigure& figure : film_.figures) write(figure);
    if (film_.room) write(*film_.room);
    if (!film_.marks.empty()) {
      out_.begin("Xform", "contacts");
      for (const FilmMark& mark : film_.marks) write(mark);
      out_.end();
    }
    out_.end();
    return out_.finish();
  }

 private:
  /// For players: a take whose file says "0.0333333" seconds a frame is one of 30 a second.
  static double shown_rate(double rate) {
    const double whole = std::round(rate);
    return std::fabs(rate - whole) < 1e-4 * rate ? whole : rate;
  }

  /// Frames: whole ones at frames of the take, whose times are rounded.
  [[nodiscard]] double code(double seconds) const {
    constexpr double kRounding = 1e-9;  // of a frame
    const double frames = seconds * film_.frame_rate;
    const double whole = std::round(frames);
    return std::fabs(frames - whole) <= kRounding * std::max(1.0, whole) ? whole : frames;
  }

  void head() {
    out_.line("#usda 1.0");
    out_.line("(");
    out_.line(fmt::format("    doc = {}",
                          usd_string(fmt::format("Tocsin {}: {}", kVersion, film_.title))));
    out_.line("    defaultPrim = \"check\"");
    out_.line("    upAxis = \"Y\"");
    out_.line("    metersPerUnit = 1");
    out_.line(fmt::format("    startTimeCode = {}", code(times_[0])));
    out_.line(fmt::format("    endTimeCode = {}", code(times_[1])));
    out_.line(fmt::format("    timeCodesPerSecond = {}", film_.frame_rate));
    out_.line(fmt::format("    framesPerSecond = {}", shown_rate(film_.frame_rate)));
    out_.line(")");
    out_.line("");
  }

  void write(const FilmFigure& figure) {
    out_.begin("Xform", figure.name);
    out_.note("name", figure.name);
    out_.note("take", figure.take);
    if (const auto shown = presence(figure); !shown.empty()) {
      out_.samples("token visibility", shown);
    }
    const auto joints = figure.avatar.skeleton().joints();
    std::vector<std::vector<std::size_t>> children(joints.size());
    std::vector<std::size_t> roots;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const int parent = joints[j].parent;
      (parent < 0 ? roots : children[static_cast<std::size_t>(parent)]).push_back(j);
    }
    // Depth first without recursion: a skeleton may be thousands of joints deep.
    struct Open {
      std::vector<std::size_t> joints;
      std::size_t next = 0;
    };
    std::vector<Open> stack{{roots}};
    while (!stack.empty()) {
      Open& top = stack.back();
      if (top.next == top.joints.size()) {
        stack.pop_back();
        if (!stack.empty()) out_.end();
        continue;
      }
      const std::size_t j = top.joints[top.next++];
      begin_joint(figure, j);
      stack.push_back({children[j]});
    }
    out_.end();
  }

  void begin_joint(const FilmFigure& figure, std::size_t joint) {
    const std::string& name = figure.avatar.skeleton().joints()[joint].name;
    out_.begin("Xform", name);
    out_.note("joint", name);
    std::vector<UsdSample> places;
    std::vector<UsdSample> turns;
    Quat before;
    for (std::size_t k = 0; k < figure.seconds.size(); ++k) {
      const Transform& at = figure.pose(k, joint);
      Quat q = at.rotation;
      const double cosine = (q.w * before.w + q.x * before.x) + (q.y * before.y + q.z * before.z);
      if (k > 0 && cosine < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
      before = q;
      add(places, figure.held, code(figure.seconds[k]), usd_vector(at.translation));
      add(turns, figure.held, code(figure.seconds[k]), usd_quat(q));
    }
    if (moves(figure, joint)) {
      out_.samples("double3 xformOp:translate", places);
    } else {
      out_.line("double3 xformOp:translate = " + places.front().value);
    }
    out_.samples("quatf xformOp:orient", turns);
    out_.order("\"xformOp:translate\", \"xformOp:orient\"");
    for (const Link& link : figure.avatar.links()) {
      if (static_cast<std::size_t>(link.joint) == joint) write(link);
    }
  }

  /// Appends a sample; of what holds, the one before it again just before this.
  static void add(std::vector<UsdSample>& to, bool held, double code, std::string value) {
    if (held && !to.empty() && code - kUsdJump > to.back().code) {
      to.push_back({code - kUsdJump, to.back().value});
    }
    to.push_back({code, std::move(value)});
  }

  void write(const Link& link) {
    const double radius = link.radius + film_.margin;
    const Vec3 along = link.b - link.a;
    const double length = core::norm(along);
    const bool shaped = !link.shape.empty();
    const bool ball = !shaped && length < core::kLeastLength;
    out_.begin(shaped ? "Mesh" : ball ? "Sphere" : "Capsule", link.name);
    out_.note("link", link.name);
    out_.line(fmt::format("custom double tocsin:radius_m = {}", link.radius));
    out_.line(fmt::format("custom double tocsin:margin_m = {}", film_.margin));
    out_.colour(kAvatarColour);
    if (shaped) {
      write_mesh(link_mesh(link, film_.margin));
      out_.end();
      return;
    }
    const double reach = radius + 0.5 * length;
    if (!ball) {
      out_.line("uniform token axis = \"Y\"");
      out_.line(fmt::format("double height = {}", length));
    }
    out_.line(fmt::format("double radius = {}", radius));
    out_.line(fmt::format("float3[] extent = [({0}, {1}, {0}), ({2}, {3}, {2})]",
                          static_cast<float>(-radius), static_cast<float>(-reach),
                          static_cast<float>(radius), static_cast<float>(reach)));
    out_.line("double3 xformOp:translate = " + usd_vector(0.5 * (link.a + link.b)));
    out_.line("quatf xformOp:orient = " +
              usd_quat(ball ? Quat{} : turn_from_y((1.0 / length) * along)));
    out_.order("\"xformOp:translate\", \"xformOp:orient\"");
    out_.end();
  }

  void write_mesh(const Mesh& mesh) {
    std::vector<Vec3f> points;
    for (const Vertex& v : mesh.vertices) points.push_back(v.position);
    out_.mesh(points, mesh.triangles);
  }

  [[nodiscard]] std::vector<UsdSample> presence(const FilmFigure& figure) const {
    std::vector<UsdSample> out;
    if (figure.there[0] > times_[0]) {
      out.push_back({code(times_[0]), kHidden});
      out.push_back({code(figure.there[0]), kShown});
    }
    if (figure.there[1] < times_[1]) {
      if (out.empty()) out.push_back({code(times_[0]), kShown});
      out.push_back({code(figure.there[1]), kHidden});
    }
    return out;
  }

  void write(const Environment& room) {
    out_.begin("Xform", "room");
    const std::vector<bool> wide = wide_objects(room);
    for (std::size_t i = 0; i < room.objects().size(); ++i) {
      const ObjectMesh mesh = object_mesh(room, i);
      out_.begin("Mesh", mesh.name);
      out_.note("object", mesh.name);
      out_.colour(object_colour(mesh.name, wide[i]));
      out_.mesh(mesh.vertices, mesh.triangles);
      out_.line("uniform bool doubleSided = 1");
      out_.end();
    }
    out_.end();
  }

  void write(const FilmMark& mark) {
    std::vector<UsdSample> shown;
    std::vector<UsdSample> places;
    std::vector<UsdSample> turns;
    std::vector<UsdSample> arrow;
    if (mark.touches.front().from > times_[0]) shown.push_back({code(times_[0]), kHidden});
    for (std::size_t i = 0; i < mark.touches.size(); ++i) {
      const FilmTouch& touch = mark.touches[i];
      shown.push_back({code(touch.from), kShown});
      add(places, true, code(touch.from), usd_vector(touch.point));
      add(turns, true, code(touch.from),
          usd_quat(touch.normal ? turn_from_y(*touch.normal) : Quat{}));
      arrow.push_back({code(touch.from), touch.normal ? kShown : kHidden});
      const bool ends = i + 1 == mark.touches.size() || touch.until < mark.touches[i + 1].from;
      if (ends) shown.push_back({code(touch.until), kHidden});
    }
    const Colour colour = mark.proved ? kContactColour : kTouchedColour;
    out_.begin("Xform", mark.name);
    out_.note("contact", mark.name);
    out_.note("about", mark.extras);
    out_.samples("token visibility", shown);
    out_.samples("double3 xformOp:translate", places);
    out_.samples("quatf xformOp:orient", turns);
    out_.order("\"xformOp:translate\", \"xformOp:orient\"");
    out_.begin("Sphere", "point");
    out_.line(fmt::format("double radius = {}", kMarkRadius));
    out_.colour(colour);
    out_.end();
    out_.begin("Mesh", "normal");
    out_.samples("token visibility", arrow);
    out_.colour(colour);
    write_mesh(mark_arrow());
    out_.end();
    out_.end();
  }

  const Film& film_;
  std::array<double, 2> times_;
  UsdaText out_;
};

}  // namespace

Status write_film_usda(const Film& film, const std::string& file) {
  return FilmText(film).write(file);
}

}  // namespace tocsin::view
