#include "view/choose_camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

using core::dot;
using core::norm;

/// Part of the picture that the subject fills: the rest is margin.
constexpr double kFill = 0.86;
/// Metres. A point counts as seen if nothing hides a point this much nearer to the eye: contact
/// points lie on the room, and tessellated surfaces stand out a little.
constexpr double kInFront = 0.02;

std::vector<Ball> balls_of(const Subject& subject) {
  std::vector<Ball> out;
  const auto add = [&out](const Pose& pose) {
    for (const PosedLink& link : pose) {
      out.push_back({link.a, link.radius});
      out.push_back({link.b, link.radius});
    }
  };
  add(subject.body);
  for (const Pose& pose : subject.more) add(pose);
  if (subject.focus) out.push_back({subject.focus->point, 0.05});
  return out;
}

Vec3 middle_of(const std::vector<Ball>& balls) {
  Vec3 lo{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 hi = -lo;
  for (const Ball& b : balls) {
    const Vec3 r{b.radius, b.radius, b.radius};
    const Vec3 low = b.centre - r;
    const Vec3 high = b.centre + r;
    lo = {std::min(lo.x, low.x), std::min(lo.y, low.y), std::min(lo.z, low.z)};
    hi = {std::max(hi.x, high.x), std::max(hi.y, high.y), std::max(hi.z, high.z)};
  }
  return 0.5 * (lo + hi);
}

/// The eye, looking at `camera.target` from direction `towards`, as near as shows all balls.
void stand_back(Camera& camera, const Vec3& towards, const std::vector<Ball>& balls, double zoom) {
  camera.eye = camera.target + towards;
  const double tan_y = kFill * std::tan(0.5 * camera.fov_degrees * std::numbers::pi / 180.0);
  const double tan_x = tan_y * camera.width / camera.height;
  const Vec3 right = camera.right();
  const Vec3 up = camera.up();
  double distance = 0.05;
  for (const Ball& b : balls) {
    const Vec3 p = b.centre - camera.target;
    const double across = std::max((std::fabs(dot(p, right)) + b.radius) / tan_x,
                                   (std::fabs(dot(p, up)) + b.radius) / tan_y);
    distance = std::max(distance, dot(p, towards) + across);
  }
  camera.eye = camera.target + (distance / zoom) * towards;
}

/// Objects in front of this depth may be opened. The subject, and a little space around it, lies
/// behind.
double depth_of_cut(const Camera& camera, const std::vector<Ball>& balls) {
  constexpr double kRoom = 0.25;  // metres: objects this near belong to the scene
  double least = HUGE_VAL;
  for (const Ball& b : balls) {
    least = std::min(least, dot(b.centre - camera.eye, camera.forward()) - b.radius);
  }
  return std::max(0.0, least - kRoom);
}

/// One camera's line of sight to points of the subject.
class Looking {
 public:
  Looking(const Camera& camera, double cut_depth, const Sight& sight)
      : eye_(camera.eye), forward_(camera.forward()), cut_depth_(cut_depth), sight_(sight) {}

  /// 1: seen; less: seen if objects in front are opened; 0: hidden.
  [[nodiscard]] double seen(const Vec3& point) const {
    constexpr double kOpened = 0.55;  // an opened room is harder to read
    const Vec3 end = before(point);
    const auto hit = sight_.first_hit(eye_, end);
    if (!hit) return 1.0;
    const double depth = dot(end - eye_, forward_);
    if (!(hit->at * depth < cut_depth_)) return 0.0;
    const double behind = std::min(1.0, cut_depth_ / depth);
    return sight_.first_hit(eye_ + behind * (end - eye_), end) ? 0.0 : kOpened;
  }

  /// Adds the objects that stand before `point` and would have to be opened.
  void add_obstacles(const Vec3& point, const Environment& room,
                     std::set<std::uint32_t>& objects) const {
    constexpr int kMost = 64;  // walls and shelves one behind the other
    const Vec3 end = before(point);
    const double depth = dot(end - eye_, forward_);
    double at = 0.0;
    for (int i = 0; i < kMost; ++i) {
      const Vec3 from = eye_ + at * (end - eye_);
      const auto hit = sight_.first_hit(from, end);
      if (!hit) return;
      at += (1.0 - at) * hit->at + 1e-6;
      if (at * depth >= cut_depth_) return;
      objects.insert(room.object_of(hit->triangle));
    }
  }

 private:
  [[nodiscard]] Vec3 before(const Vec3& point) const {
    const Vec3 back = eye_ - point;
    return point + std::min(0.5, kInFront / norm(back)) * back;
  }

  Vec3 eye_;
  Vec3 forward_;
  double cut_depth_;
  const Sight& sight_;
};

/// The points of a link's skin that face the eye, along its length.
std::vector<Vec3> facing_points(const PosedLink& link, const Vec3& eye) {
  std::vector<Vec3> out;
  for (const double s : {0.0, 0.5, 1.0}) {
    const Vec3 axis = link.a + s * (link.b - link.a);
    const Vec3 back = eye - axis;
    out.push_back(axis + std::min(1.0, link.radius / norm(back)) * back);
  }
  return out;
}

/// True if some link, but for number `except`, stands between the eye and a point.
bool hidden_by_body(const Pose& body, const Vec3& eye, const Vec3& point,
                    std::size_t except = SIZE_MAX) {
  const Vec3 back = eye - point;
  const PosedLink ray{point + std::min(0.5, kInFront / norm(back)) * back, eye, 0.0};
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (i != except && axis_distance(ray, body[i]) < body[i].radius) return true;
  }
  return false;
}

/// The focus, and points about it: a contact whose surroundings are hidden is hard to make out.
std::vector<Vec3> focus_points(const Focus& focus, const Camera& camera) {
  constexpr double kAround = 0.05;  // metres: further than a thin link's skin covers
  constexpr double kOff = 0.005;    // metres off the surface
  const Vec3 normal = focus.normal.value_or(-camera.forward());
  const Vec3 helper = std::fabs(normal.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
  const Vec3 u = core::cross(helper, normal);
  const Vec3 side = (kAround / std::max(1e-3, norm(u))) * u;
  const Vec3 along = core::cross(normal, side);
  std::vector<Vec3> out{focus.point, focus.point};  // twice: it matters more
  for (const Vec3& d : {side, -side, along, -along}) {
    out.push_back(focus.point + kOff * normal + d);
  }
  return out;
}

double share_of_focus_seen(const Subject& subject, const Looking& looking, const Camera& camera) {
  if (!subject.focus) return 1.0;
  double sum = 0.0;
  const auto points = focus_points(*subject.focus, camera);
  for (const Vec3& p : points) {
    if (!hidden_by_body(subject.body, camera.eye, p)) sum += looking.seen(p);
  }
  return sum / static_cast<double>(points.size());
}

double share_of_link_seen(const PosedLink& link, const Looking& looking, const Vec3& eye) {
  double sum = 0.0;
  for (const Vec3& p : facing_points(link, eye)) sum += looking.seen(p) / 3.0;
  return sum;
}

/// |a across b|, of unit length each; `otherwise` if one has none.
double across(const Vec3& a, const Vec3& b, double otherwise) {
  const double lengths = norm(a) * norm(b);
  return lengths > 1e-9 ? norm(core::cross(a, b)) / lengths : otherwise;
}

double rating(const Subject& subject, const Camera& camera, const Looking& looking) {
  double score = 0.0;
  for (const PosedLink& link : subject.body) {
    score += 2.0 * share_of_link_seen(link, looking, camera.eye) /
             static_cast<double>(subject.body.size());
  }
  for (const Pose& pose : subject.more) {
    for (const PosedLink& link : pose) {
      score += share_of_link_seen(link, looking, camera.eye) /
               static_cast<double>(pose.size() * subject.more.size());
    }
  }
  const double elevation = std::asin(std::clamp(-camera.forward().y, -1.0, 1.0));
  constexpr double kLiked = 0.40;  // radians, 23 degrees: looks down a little, as people do
  score -= 1.1 * std::fabs(elevation - kLiked);
  if (!subject.focus) return score;
  const Focus& focus = *subject.focus;
  const PosedLink& link = subject.body[focus.link];
  score += 3.5 * share_of_focus_seen(subject, looking, camera);
  for (const Vec3& p : facing_points(link, camera.eye)) {
    if (!hidden_by_body(subject.body, camera.eye, p, focus.link)) score += 0.6 * looking.seen(p);
  }
  score += 1.0 * across(focus.movement, camera.forward(), 0.5);
  score += 0.5 * (focus.normal ? across(*focus.normal, camera.forward(), 0.5) : 0.5);
  score += 0.4 * across(link.b - link.a, camera.forward(), 0.5);
  return score;
}

/// The objects that must be opened for this camera.
std::vector<std::uint32_t> obstacles(const Subject& subject, const Environment& room,
                                     const Looking& looking, const Camera& camera) {
  std::set<std::uint32_t> objects;
  const auto add_pose = [&](const Pose& pose) {
    for (const PosedLink& link : pose) {
      for (const Vec3& p : facing_points(link, camera.eye)) {
        looking.add_obstacles(p, room, objects);
      }
    }
  };
  add_pose(subject.body);
  for (const Pose& pose : subject.more) add_pose(pose);
  if (subject.focus) {
    for (const Vec3& p : focus_points(*subject.focus, camera)) {
      looking.add_obstacles(p, room, objects);
    }
  }
  return {objects.begin(), objects.end()};
}

/// Directions from which pictures of rooms are taken.
std::vector<Vec3> directions() {
  constexpr int kAzimuths = 36;
  constexpr std::array<double, 6> kElevations{8.0, 16.0, 25.0, 35.0, 48.0, 62.0};  // degrees
  std::vector<Vec3> out;
  for (const double elevation : kElevations) {
    const double e = elevation * std::numbers::pi / 180.0;
    for (int i = 0; i < kAzimuths; ++i) {
      const double a = 2.0 * std::numbers::pi * i / kAzimuths;
      out.push_back({std::cos(e) * std::sin(a), std::sin(e), std::cos(e) * std::cos(a)});
    }
  }
  return out;
}

std::vector<Ball> heads_of(const Subject& subject) {
  std::vector<Ball> out;
  for (const PosedLink& link : subject.heads) {
    out.push_back({link.a, link.radius});
    out.push_back({link.b, link.radius});
  }
  return out;
}

bool cuts_some(const Camera& camera, const std::vector<Ball>& balls) {
  return std::any_of(balls.begin(), balls.end(),
                     [&camera](const Ball& ball) { return cut_by_edge(camera, ball); });
}

/// Moves a camera across its line of sight until a ball, and a margin around it, is in the picture.
void pan_to(Camera& camera, const Ball& ball, double margin) {
  const auto seen = camera.project(ball.centre);
  if (!seen) return;
  const double slope = std::tan(0.5 * camera.fov_degrees * std::numbers::pi / 180.0);
  const double metres = 2.0 * slope * seen->depth / camera.height;  // across a pixel
  const double reach = ball.radius / metres + margin * camera.height;
  const auto beyond = [reach](double at, double size) {
    if (2.0 * reach > size) return at - 0.5 * size;
    return at - std::clamp(at, reach, size - reach);
  };
  const Vec3 shift = (metres * beyond(seen->x, camera.width)) * camera.right() -
                     (metres * beyond(seen->y, camera.height)) * camera.up();
  camera.eye = camera.eye + shift;
  camera.target = camera.target + shift;
}

/// stand_back(), nearer to the focus by `zoom`. Where that would cut a head, the camera moves to
/// have it in the picture beside the focus, or stands back as far as it must.
void stand_near(Camera& camera, const Vec3& towards, const Subject& subject,
                const std::vector<Ball>& balls, double zoom) {
  constexpr double kMargin = 0.03;  // of the picture's height
  constexpr double kLess = 0.93;    // of the zoom, each time
  const std::vector<Ball> heads = heads_of(subject);
  const Camera from = camera;
  for (double near = zoom;; near *= kLess) {
    camera = from;
    stand_back(camera, towards, balls, near);
    if (near <= 1.0 || !cuts_some(camera, heads)) return;
    for (int round = 0; round < 4; ++round) {  // heads and focus are at different depths
      for (const Ball& head : heads) pan_to(camera, head, kMargin);
      if (subject.focus) pan_to(camera, {subject.focus->point, 0.0}, 2.0 * kMargin);
    }
    if (!cuts_some(camera, heads)) return;
  }
}

Camera best_camera(const Subject& subject, const Sight& sight, const CameraWish& wish,
                   const std::vector<Ball>& balls, const Camera& from) {
  Camera best;
  double highest = -HUGE_VAL;
  for (const Vec3& towards : directions()) {
    Camera camera = from;
    stand_near(camera, towards, subject, balls, wish.zoom);
    const double cut = wish.cut ? depth_of_cut(camera, balls) : 0.0;
    const double score = rating(subject, camera, Looking(camera, cut, sight));
    if (!(score > highest)) continue;
    highest = score;
    best = camera;
  }
  return best;
}

/// A given eye, and nothing to look at: at the focus, or between it and the heads, if its picture
/// then cuts none.
void aim(Camera& camera, const Subject& subject) {
  const std::vector<Ball> heads = heads_of(subject);
  if (!subject.focus || heads.empty() || !cuts_some(camera, heads)) return;
  Camera higher = camera;
  higher.target = 0.5 * (subject.focus->point + middle_of(heads));
  if (check_camera(higher) && !cuts_some(higher, heads)) camera = higher;
}

}  // namespace

bool cut_by_edge(const Camera& camera, const Ball& ball) {
  const auto seen = camera.project(ball.centre);
  if (!seen) return false;
  const double slope = std::tan(0.5 * camera.fov_degrees * std::numbers::pi / 180.0);
  const double radius = 0.5 * ball.radius * camera.height / (slope * seen->depth);  // pixels
  const double wider = 1.1 * radius;  // off the line of sight a ball is seen as an ellipse
  const auto whole = [wider](double at, double size) {
    return at - wider >= 0.0 && at + wider <= size;
  };
  const auto none = [radius](double at, double size) {
    return at + radius <= 0.0 || at - radius >= size;
  };
  return !(whole(seen->x, camera.width) && whole(seen->y, camera.height)) &&
         !none(seen->x, camera.width) && !none(seen->y, camera.height);
}

Ball ball_around(const Subject& subject) {
  const std::vector<Ball> balls = balls_of(subject);
  Ball out{middle_of(balls), 0.0};
  for (const Ball& b : balls) {
    out.radius = std::max(out.radius, norm(b.centre - out.centre) + b.radius);
  }
  return out;
}

Result<View> choose_camera(const Subject& subject, const Environment& room, const Sight& sight,
                           const CameraWish& wish) {
  const std::vector<Ball> balls = balls_of(subject);
  Camera camera{{}, middle_of(balls), wish.fov_degrees, wish.width, wish.height};
  if (subject.focus && wish.zoom > 1.0) {
    camera.target =
        camera.target + (1.0 - 1.0 / wish.zoom) * (subject.focus->point - camera.target);
  }
  if (subject.focus && wish.eye) camera.target = subject.focus->point;
  if (wish.target) camera.target = *wish.target;
  camera.eye = wish.eye.value_or(camera.target + Vec3{0.0, 0.0, 1.0});
  if (auto sound = check_camera(camera); !sound) return sound.error();
  if (!wish.eye) camera = best_camera(subject, sight, wish, balls, camera);
  if (wish.eye && !wish.target) aim(camera, subject);

  View out;
  out.camera = camera;
  out.cut_depth = wish.cut ? depth_of_cut(camera, balls) : 0.0;
  const Looking looking(camera, out.cut_depth, sight);
  if (wish.cut) out.cut = obstacles(subject, room, looking, camera);
  out.cuts_head = cuts_some(camera, heads_of(subject));
  out.focus_seen = share_of_focus_seen(subject, looking, camera);
  return out;
}

}  // namespace tocsin::view
