#include "view/step_scene.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/vector/vec.h"
#include "view/colours.h"
#include "view/stage/step_glass.h"
#include "view/touched_part.h"

namespace tocsin::view {
namespace {

/// A contact that comes first: as the detector's --contacts first.
const Contact* earliest(std::span<const Contact> contacts) {
  const auto found =
      std::min_element(contacts.begin(), contacts.end(),
                       [](const Contact& p, const Contact& q) { return p.toc < q.toc; });
  return found == contacts.end() ? nullptr : &*found;
}

/// The links that are an avatar's head: by their names, else the one that reaches highest.
std::vector<std::size_t> head_of(const Avatar& avatar, const Pose& pose) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < pose.size(); ++i) {
    std::string name = avatar.links()[i].name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.find("head") != std::string::npos) out.push_back(i);
  }
  if (!out.empty() || pose.empty()) return out;
  const auto top = [](const PosedLink& link) { return std::max(link.a.y, link.b.y) + link.radius; };
  const auto highest =
      std::max_element(pose.begin(), pose.end(),
                       [&top](const PosedLink& p, const PosedLink& q) { return top(p) < top(q); });
  return {static_cast<std::size_t>(highest - pose.begin())};
}

}  // namespace

StepScene::StepScene(std::span<const Actor> actors, const Environment& room, double margin,
                     const Show& show, const std::optional<Choice>& about)
    : room_(room),
      show_(show),
      frames_(actors.front().step.frames()),
      scale_(actors.front().step.frames()) {
  figures_.reserve(actors.size());
  for (const Actor& actor : actors) add_figure(actor, margin);
  choose_contact(actors, about);
  for (Figure& figure : figures_) figure.stop = pose_at(figure.motion, stop_time_);
  const std::vector<bool> wide = wide_objects(room_);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    object_colours_.push_back(object_colour(room_.objects()[i].name, wide[i]));
  }
  if (!show_.contacts) return;
  for (const Actor& actor : actors) {
    for (const Contact& contact : actor.report.contacts) {
      contacts_.push_back(contact);
      mark_touching(actor.report.avatar, contact.link, contact.status);
      if (const auto* const other = contact.other()) {
        mark_touching(other->avatar, other->link, contact.status);
      }
    }
  }
}

void StepScene::add_figure(const Actor& actor, double margin) {
  const std::uint32_t first_id =
      figures_.empty()
          ? kFirstLinkId
          : figures_.back().first_id + static_cast<std::uint32_t>(figures_.back().start.size());
  Figure& figure = figures_.emplace_back();
  figure.avatar = actor.report.avatar;
  figure.colour = avatar_colour(actor.report.avatar);
  figure.first_id = first_id;
  figure.trail = actor.trail;
  for (const TrailPose& t : figure.trail) {
    scale_ = {std::min(scale_[0], t.frame), std::max(scale_[1], t.frame)};
  }
  figure.motion.set_motions(actor.avatar, actor.step, margin);
  figure.start = pose_at(figure.motion, 0.0);
  figure.end = pose_at(figure.motion, 1.0);
  figure.head = head_of(actor.avatar, figure.start);
  figure.touches.assign(figure.start.size(), std::nullopt);
  for (std::size_t i = 0; i < figure.start.size(); ++i) {
    figure.moves.push_back(moves_enough(figure.start[i], figure.end[i]));
  }
}

void StepScene::choose_contact(std::span<const Actor> actors, const std::optional<Choice>& about) {
  if (about) {
    about_ = About{about->actor, actors[about->actor].report.contacts[about->contact]};
    stop_time_ = about_->contact.toc[0];
    return;
  }
  for (std::size_t i = 0; i < actors.size(); ++i) {
    stop_time_ = std::min(stop_time_, actors[i].report.safe_until);
    const Contact* const first = earliest(actors[i].report.contacts);
    if (first == nullptr || (about_ && about_->contact.toc <= first->toc)) continue;
    about_ = About{i, *first};
  }
}

/// A touch that is proved counts more than one that may be.
void StepScene::mark_touching(std::int32_t avatar, std::int32_t link, ContactStatus status) {
  for (Figure& figure : figures_) {
    if (figure.avatar != avatar) continue;
    auto& kind = figure.touches[static_cast<std::size_t>(link)];
    if (!kind || status != ContactStatus::kGraze) kind = status;
  }
}

double StepScene::scaled_time(double t) const {
  const double whole = static_cast<double>(std::max<std::int64_t>(1, scale_[1] - scale_[0]));
  const double frame =
      static_cast<double>(frames_[0]) + t * static_cast<double>(frames_[1] - frames_[0]);
  return (frame - static_cast<double>(scale_[0])) / whole;
}

Subject StepScene::subject() const {
  Subject out;
  std::size_t link = 0;  // of the contact, among all figures'
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const Figure& figure = figures_[i];
    if (about_ && about_->figure == i) {
      link = out.body.size() + static_cast<std::size_t>(about_->contact.link);
    }
    out.body.insert(out.body.end(), figure.stop.begin(), figure.stop.end());
    // Independent of what is shown, so that pictures of one step share a camera.
    out.more.push_back(figure.start);
    out.more.push_back(figure.end);
    for (const TrailPose& t : figure.trail) out.more.push_back(t.pose);
    for (const std::size_t head : figure.head) {
      for (const Pose* const pose : {&figure.start, &figure.stop, &figure.end}) {
        out.heads.push_back((*pose)[head]);
      }
    }
  }
  if (!about_) return out;
  const Figure& figure = figures_[about_->figure];
  const auto own = static_cast<std::size_t>(about_->contact.link);
  const Vec3 movement =
      0.5 * ((figure.end[own].a - figure.start[own].a) + (figure.end[own].b - figure.start[own].b));
  out.focus = Focus{about_->contact.point, about_->contact.normal, link, movement};
  return out;
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

void StepScene::add_solids(Mesh& mesh, const Figure& figure) const {
  const bool both = show_.poses && !show_.stop && !show_.sweep;
  for (std::size_t i = 0; i < figure.start.size(); ++i) {
    const std::uint32_t id = figure.first_id + static_cast<std::uint32_t>(i);
    const auto add = [&mesh, id](const PosedLink& link, const Colour& colour) {
      add_link(mesh, link, {colour, kLit, id});
    };
    if (show_.stop) {
      add(figure.stop[i], figure.touches[i] ? kind_colour(*figure.touches[i]) : figure.colour);
    } else if (!figure.moves[i] && (show_.poses || show_.sweep)) {
      add(figure.start[i], figure.colour);
    } else if (both) {
      add(figure.start[i], time_colour(scaled_time(0.0)));
      add(figure.end[i], time_colour(scaled_time(1.0)));
    }
  }
}

void StepScene::add_trail(Mesh& mesh, const Figure& figure) const {
  const double whole = static_cast<double>(std::max<std::int64_t>(1, scale_[1] - scale_[0]));
  for (const TrailPose& t : figure.trail) {
    const Colour colour = time_colour(static_cast<double>(t.frame - scale_[0]) / whole);
    for (std::size_t i = 0; i < t.pose.size(); ++i) {
      add_link(mesh, t.pose[i], {colour, kLit, figure.first_id + static_cast<std::uint32_t>(i)});
    }
  }
}

Mesh StepScene::bodies() const {
  Mesh out;
  for (const Figure& figure : figures_) {
    add_solids(out, figure);
    add_trail(out, figure);
  }
  return out;
}

Mesh StepScene::touched_parts() const {
  constexpr double kLift = 0.0008;  // metres: off the surface, so that it is not lost in it
  Mesh out;
  for (const Contact& contact : contacts()) {
    const RoomTriangle* const touched = contact.room();
    if (touched == nullptr) continue;
    const TouchedPart part = touched_part(room_, *touched, contact.point);
    add_polygon(out, part.corners, part.normal, kLift, {kTouchedColour, kGlows, kTouchedBit});
  }
  return out;
}

void StepScene::add_glass(Glass& glass, const Figure& figure) const {
  GlassWish wish;
  wish.sweep = show_.sweep;
  wish.scale = {scaled_time(0.0), scaled_time(1.0)};
  for (std::size_t i = 0; i < figure.start.size(); ++i) {
    if (figure.moves[i]) add_swept_link(glass, figure.motion, i, wish);
  }
}

Glass StepScene::glass() const {
  Glass out;
  if (!show_.sweep && !(show_.poses && show_.stop)) return out;
  for (const Figure& figure : figures_) add_glass(out, figure);
  return out;
}

Pose pose_of_step(const Avatar& avatar, const Step& step, double margin, double t) {
  scene::StepMotion motion;
  motion.set_motions(avatar, step, margin);
  return pose_at(motion, t);
}

Pose pose_of_frame(const Avatar& avatar, const Motion& motion, std::int64_t frame, double margin) {
  const auto steps = motion.steps({frame, frame, 1, InBetween::kScrew, true});
  if (!steps || steps->empty()) return {};
  return pose_of_step(avatar, steps->front(), margin, 0.0);
}

}  // namespace tocsin::view
