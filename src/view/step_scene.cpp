#include "view/step_scene.h"

#include <algorithm>
#include <utility>

#include "core/bounds/near_test.h"
#include "core/vector/vec.h"
#include "scene/swept/swept_surface.h"
#include "view/colours.h"

namespace tocsin::view {
namespace {

using core::detail::to_float;

/// The ids of an avatar's links come after those of objects: no room has as many.
constexpr std::uint32_t kFirstLinkId = 0x40000000;

/// How finely swept surfaces are cut: no corners at 1,600 pixels.
constexpr scene::SurfaceResolution kFine{32, 8, 32};

double farthest_move(const PosedLink& from, const PosedLink& to) {
  return std::max(core::norm(to.a - from.a), core::norm(to.b - from.b));
}

/// A contact that comes first: as the detector's --contacts first.
const Contact* earliest(std::span<const Contact> contacts) {
  const auto found =
      std::min_element(contacts.begin(), contacts.end(),
                       [](const Contact& p, const Contact& q) { return p.toc < q.toc; });
  return found == contacts.end() ? nullptr : &*found;
}

void append_surface(Glass& glass, const scene::SweptSurface& surface, const Vec3& ref,
                    const std::array<double, 2>& scale) {
  constexpr float kStrength =
      0.85F;  // the poses at the ends are stronger than the surface between them
  const auto base = static_cast<std::uint32_t>(glass.vertices.size());
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    const double t = surface.times[i];
    glass.vertices.push_back({to_float(ref + surface.positions[i]), to_float(surface.normals[i]),
                              static_cast<float>(scale[0] + t * (scale[1] - scale[0])), kStrength});
  }
  for (const auto& t : surface.triangles) {
    glass.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
}

void append_solid(Mesh& mesh, const PosedLink& link, const Paint& paint) {
  add_capsule(mesh, link.a, link.b, link.radius, paint);
}

}  // namespace

StepScene::StepScene(const Avatar& avatar, const Environment& room, const Step& step,
                     const StepReport& report, double margin, const Show& show,
                     std::vector<TrailPose> trail)
    : avatar_(avatar),
      room_(room),
      report_(report),
      show_(show),
      trail_(std::move(trail)),
      frames_(step.frames()),
      scale_(step.frames()) {
  motion_.set_motions(avatar, step, margin);
  start_ = pose_at(motion_.links(), 0.0);
  end_ = pose_at(motion_.links(), 1.0);
  stop_time_ = report.safe_until;
  stop_ = pose_at(motion_.links(), stop_time_);
  if (!trail_.empty()) {
    scale_ = {std::min(scale_[0], trail_.front().frame), std::max(scale_[1], trail_.back().frame)};
  }
  const std::vector<bool> wide = wide_objects(room_);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    object_colours_.push_back(object_colour(room_.objects()[i].name, wide[i]));
  }
  find_links();
}

void StepScene::find_links() {
  // Less than a third of its radius, and a link's two poses and what it sweeps look like one.
  constexpr double kMoved = 0.3;
  moves_.assign(start_.size(), false);
  touches_.assign(start_.size(), false);
  for (std::size_t i = 0; i < start_.size(); ++i) {
    moves_[i] = farthest_move(start_[i], end_[i]) > kMoved * start_[i].radius;
  }
  for (const Contact& contact : contacts()) touches_[static_cast<std::size_t>(contact.link)] = true;
}

std::span<const Contact> StepScene::contacts() const {
  return show_.contacts ? std::span<const Contact>(report_.contacts) : std::span<const Contact>();
}

double StepScene::scaled_time(double t) const {
  const double whole = static_cast<double>(std::max<std::int64_t>(1, scale_[1] - scale_[0]));
  const double frame =
      static_cast<double>(frames_[0]) + t * static_cast<double>(frames_[1] - frames_[0]);
  return (frame - static_cast<double>(scale_[0])) / whole;
}

Subject StepScene::subject() const {
  Subject out;
  out.body = stop_;
  // Independent of what is shown, so that pictures of one step share a camera.
  out.more.push_back(start_);
  out.more.push_back(end_);
  for (const TrailPose& t : trail_) out.more.push_back(t.pose);
  const Contact* first = earliest(report_.contacts);
  if (first == nullptr) return out;
  const auto link = static_cast<std::size_t>(first->link);
  const Vec3 movement = 0.5 * ((end_[link].a - start_[link].a) + (end_[link].b - start_[link].b));
  out.focus = Focus{first->point, first->normal, link, movement};
  return out;
}

Paint StepScene::paint_of(std::size_t link, const Colour& colour) const {
  return {colour, kLit, kFirstLinkId + static_cast<std::uint32_t>(link)};
}

Mesh StepScene::room_bodies(std::span<const std::uint32_t> cut) const {
  const auto objects = room_.objects();
  std::vector<Paint> paints;
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    paints.push_back({object_colours_[i], kLit, i + 1});
  }
  for (const std::uint32_t i : cut) paints[i].material |= kCutOpen;
  for (const Contact& contact : contacts()) {
    if (const auto* const touched = contact.room()) paints[touched->object].id |= kTouchedBit;
  }
  return room_mesh(room_, paints);
}

Mesh StepScene::bodies() const {
  Mesh out;
  const bool both = show_.poses && !show_.stop && !show_.sweep;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Colour own = touches_[i] ? kTouchingLinkColour : kAvatarColour;
    if (show_.stop) {
      append_solid(out, stop_[i], paint_of(i, own));
    } else if (!moves_[i] && (show_.poses || show_.sweep)) {
      append_solid(out, start_[i], paint_of(i, kAvatarColour));
    } else if (both) {
      append_solid(out, start_[i], paint_of(i, time_colour(scaled_time(0.0))));
      append_solid(out, end_[i], paint_of(i, time_colour(scaled_time(1.0))));
    }
  }
  for (const TrailPose& t : trail_) {
    const double whole = static_cast<double>(std::max<std::int64_t>(1, scale_[1] - scale_[0]));
    const Colour colour = time_colour(static_cast<double>(t.frame - scale_[0]) / whole);
    for (std::size_t i = 0; i < t.pose.size(); ++i)
      append_solid(out, t.pose[i], paint_of(i, colour));
  }
  for (const Contact& contact : contacts()) {
    if (contact.room() != nullptr) add_touched(out, *contact.room());
  }
  return out;
}

void StepScene::add_touched(Mesh& mesh, const RoomTriangle& touched) const {
  constexpr double kLift = 0.0008;  // metres: off the surface, so that it is not lost in it
  constexpr double kLarge = 0.02;   // m^2: a glowing triangle of a floor would outshine the rest
  const std::uint32_t triangle = room_.objects()[touched.object].first_triangle + touched.triangle;
  const auto v = room_.corners(triangle);
  const Vec3 v0 = core::to_double(v[0]);
  const Vec3 across = core::cross(core::to_double(v[1]) - v0, core::to_double(v[2]) - v0);
  const bool large = 0.5 * core::norm(across) > kLarge;
  const Colour tinted = mixed(object_colours_[touched.object], kTouchedColour, 0.35F);
  const Paint paint{large ? tinted : kTouchedColour, large ? kLit : kGlows, kTouchedBit};
  add_triangles(mesh, room_, std::span(&triangle, 1), kLift, paint);
}

void StepScene::add_ghost(Glass& glass, const PosedLink& link, double t) const {
  Mesh solid;
  append_solid(solid, link, {});
  const auto base = static_cast<std::uint32_t>(glass.vertices.size());
  for (const Vertex& v : solid.vertices) {
    glass.vertices.push_back({v.position, v.normal, static_cast<float>(scaled_time(t)), 1.0F});
  }
  for (const auto& triangle : solid.triangles) {
    glass.triangles.push_back({base + triangle[0], base + triangle[1], base + triangle[2]});
  }
}

Glass StepScene::glass() const {
  Glass out;
  const bool ghosts = show_.sweep || (show_.poses && show_.stop);
  const auto links = motion_.links();
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (!moves_[i] || !ghosts) continue;
    if (show_.sweep) {
      append_surface(out, scene::swept_surface(links[i].motion, kFine), links[i].motion.ref,
                     {scaled_time(0.0), scaled_time(1.0)});
    }
    add_ghost(out, start_[i], 0.0);
    add_ghost(out, end_[i], 1.0);
  }
  return out;
}

Pose pose_of_frame(const Avatar& avatar, const Motion& motion, std::int64_t frame, double margin) {
  const auto steps = motion.steps({frame, frame, 1, InBetween::kScrew, true});
  if (!steps || steps->empty()) return {};
  scene::StepMotion still;
  still.set_motions(avatar, steps->front(), margin);
  return pose_at(still.links(), 0.0);
}

}  // namespace tocsin::view
