#include "view/window/live_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/bounds/near_test.h"
#include "core/vector/vec.h"
#include "view/colours.h"
#include "view/film/film_meshes.h"
#include "view/marks.h"
#include "view/stage/step_glass.h"
#include "view/touched_part.h"

namespace tocsin::view {
namespace {

using Rows = std::array<std::array<float, 4>, 3>;

Rows rows_of(const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin) {
  const auto row = [](double a, double b, double c, double d) {
    return std::array<float, 4>{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c),
                                static_cast<float>(d)};
  };
  return {row(x.x, y.x, z.x, origin.x), row(x.y, y.y, z.y, origin.y), row(x.z, y.z, z.z, origin.z)};
}

/// From a model along +Y to a link: about its axis a line swept sphere looks the same.
Rows along_axis(const PosedLink& link) {
  const Vec3 axis = link.b - link.a;
  const double length = core::norm(axis);
  const Vec3 y = length > core::kLeastLength ? (1.0 / length) * axis : Vec3{0.0, 1.0, 0.0};
  const Vec3 helper = std::fabs(y.x) < 0.7 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 0.0, 1.0};
  const Vec3 side = core::cross(helper, y);
  const Vec3 z = (1.0 / core::norm(side)) * side;
  return rows_of(core::cross(y, z), y, z, link.a);
}

/// A link's model in its own frame: along_axis() or its joint's frame places it.
Mesh model_of(const Link& link, double margin, std::uint32_t id) {
  if (!link.shape.empty()) return link_mesh(link, margin, {{}, kLit, id});
  Mesh out;
  add_capsule(out, {}, {0.0, core::norm(link.b - link.a), 0.0}, link.radius + margin,
              {{}, kLit, id});
  return out;
}

/// What is said of links that touch: a touch that is proved counts more than one that may be.
class TouchedLinks {
 public:
  void add(std::int32_t avatar, const std::string& link, ContactStatus status) {
    const auto [entry, is_new] = links_[avatar].try_emplace(link, status);
    if (!is_new && status != ContactStatus::kGraze) entry->second = status;
  }
  /// None: nothing of the avatar touches.
  [[nodiscard]] const std::map<std::string, ContactStatus>* of(std::int32_t avatar) const {
    const auto found = links_.find(avatar);
    return found == links_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::int32_t, std::map<std::string, ContactStatus>> links_;
};

Colour brighter(const Colour& colour) { return mixed(colour, {1.0F, 1.0F, 1.0F}, 0.45F); }

}  // namespace

Colour picked_pale_colour(const Colour& own) {
  return mixed(pale_colour(own), {1.0F, 1.0F, 1.0F}, 0.2F);
}

LiveScene::LiveScene(std::shared_ptr<const Story> story) : story_(std::move(story)) {
  for (const StoryFigure& source : story_->figures) {
    Figure& figure = figures_.emplace_back();
    figure.source = &source;
    figure.first_link = link_count_;
    link_count_ += source.avatar.links().size();
  }
}

Mesh LiveScene::link_models() const {
  Mesh out;
  for (const Figure& figure : figures_) {
    const auto links = figure.source->avatar.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto id = kFirstLinkId + static_cast<std::uint32_t>(figure.first_link + i);
      const Mesh model = model_of(links[i], margin_of(*story_, *figure.source), id);
      const auto base = static_cast<std::uint32_t>(out.vertices.size());
      out.vertices.insert(out.vertices.end(), model.vertices.begin(), model.vertices.end());
      for (const TriangleIndices& t : model.triangles) {
        out.triangles.push_back({base + t[0], base + t[1], base + t[2]});
      }
    }
  }
  return out;
}

Mesh LiveScene::room_of(std::size_t room) const {
  const Environment& drawn = story_->rooms[room].room;
  const std::vector<bool> wide = wide_objects(drawn);
  std::vector<Paint> paints;
  for (std::uint32_t i = 0; i < wide.size(); ++i) {
    paints.push_back({object_colour(drawn.objects()[i].name, wide[i]), kLit, i + 1});
  }
  return room_mesh(drawn, paints);
}

bool LiveScene::set_time(double seconds) {
  if (posed_ && seconds == seconds_) return false;
  posed_ = true;
  seconds_ = seconds;
  room_ = room_at(*story_, seconds);
  touching_ = contacts_at(*story_, seconds);
  for (Figure& figure : figures_) {
    const StoryMoment moment = moment_at(*figure.source, seconds);
    figure.there = moment.there;
    if (figure.step != moment.step) {
      figure.step = moment.step;
      figure.motion.set_motions(figure.source->avatar, figure.source->steps[moment.step],
                                margin_of(*story_, *figure.source));
      ++step_key_;
    }
    figure.pose = pose_at(figure.motion, moment.t);
  }
  return true;
}

const LiveScene::Figure* LiveScene::figure_of(std::int32_t avatar) const {
  for (const Figure& figure : figures_) {
    if (figure.source->index == avatar) return &figure;
  }
  return nullptr;
}

const Environment& LiveScene::room() const { return story_->rooms[room_].room; }

std::vector<LinkPlace> LiveScene::places(const std::optional<Followed>& marked) const {
  std::vector<LinkPlace> out(link_count_);
  TouchedLinks touched;
  for (const std::size_t i : touching_) {
    const io::ToldContact& contact = story_->contacts[i].told;
    touched.add(contact.pair.avatar, contact.pair.link, contact.status);
    if (contact.pair.of_links()) {
      touched.add(contact.pair.other_avatar, contact.pair.other_link, contact.status);
    }
  }
  for (const Figure& figure : figures_) {
    if (!figure.there) continue;
    const std::int32_t avatar = figure.source->index;
    const auto links = figure.source->avatar.links();
    const auto* const kinds = touched.of(avatar);
    const Colour own = avatar_colour(avatar);
    for (std::size_t i = 0; i < figure.pose.size(); ++i) {
      const PosedLink& link = figure.pose[i];
      LinkPlace& place = out[figure.first_link + i];
      place.rows = link.shape.empty()
                       ? along_axis(link)
                       : rows_of(link.frame.x, link.frame.y, link.frame.z, link.frame.origin);
      const auto kind = kinds != nullptr ? kinds->find(links[i].name) : decltype(kinds->end()){};
      const bool touches = kinds != nullptr && kind != kinds->end();
      const bool picked = marked && marked->avatar == avatar && marked->index == i;
      Colour colour = picked ? brighter(own) : own;
      if (kinds != nullptr) colour = picked ? picked_pale_colour(own) : pale_colour(own);
      if (touches) colour = kind_colour(kind->second);
      place.colour = {colour.r, colour.g, colour.b, touches ? kOutlined : 1.0F};
    }
  }
  return out;
}

std::vector<std::uint32_t> LiveScene::object_states(std::span<const std::uint32_t> opened,
                                                    const std::optional<Followed>& marked) const {
  std::vector<std::uint32_t> out(room().objects().size(), kAsItIs);
  const auto add = [&out](std::size_t object, ObjectState state) {
    if (object < out.size()) out[object] |= state;
  };
  for (const std::uint32_t object : opened) add(object, kOpened);
  for (const std::size_t i : touching_) {
    if (story_->contacts[i].object) add(*story_->contacts[i].object, kIsTouched);
  }
  if (marked && marked->avatar < 0) add(marked->index, kIsMarked);
  return out;
}

Contact LiveScene::as_contact(const StoryContact& contact) const {
  Contact out;
  out.status = contact.told.status;
  out.point = contact.told.point;
  out.normal = contact.told.normal;
  out.touched = OtherLink{};
  const auto objects = room().objects();
  if (contact.object && *contact.object < objects.size() && contact.told.triangle &&
      *contact.told.triangle < objects[*contact.object].triangle_count) {
    out.touched = RoomTriangle{*contact.object, static_cast<std::uint32_t>(*contact.told.triangle)};
  }
  return out;
}

Mesh LiveScene::touched_parts() const {
  constexpr double kLift = 0.0008;  // metres: off the surface, so that it is not lost in it
  Mesh out;
  for (const std::size_t i : touching_) {
    const Contact contact = as_contact(story_->contacts[i]);
    const RoomTriangle* const touched = contact.room();
    if (touched == nullptr) continue;
    const TouchedPart part = touched_part(room(), *touched, contact.point);
    add_polygon(out, part.corners, part.normal, kLift, {kTouchedColour, kGlows, kTouchedBit});
  }
  return out;
}

Mesh LiveScene::marks(const Camera& camera) const {
  std::vector<Contact> contacts;
  for (const std::size_t i : touching_) contacts.push_back(as_contact(story_->contacts[i]));
  return contact_marks(contacts, room(), camera);
}

Glass LiveScene::swept() const {
  Glass out;
  GlassWish wish;
  wish.resolution = kQuickGlass;
  for (const Figure& figure : figures_) {
    if (!figure.there || figure.source->held) continue;
    const Pose from = pose_at(figure.motion, 0.0);
    const Pose to = pose_at(figure.motion, 1.0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (moves_enough(from[i], to[i])) add_swept_link(out, figure.motion, i, wish);
    }
  }
  return out;
}

Ball LiveScene::around() const {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const Figure& figure : figures_) {
    if (!figure.there) continue;
    for (const PosedLink& link : figure.pose) {
      for (const Vec3& p : {link.a, link.b}) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
      }
    }
  }
  if (!(low.x <= high.x)) return {{}, 1.0};
  return {0.5 * (low + high), std::max(0.5, 0.6 * core::norm(high - low))};
}

std::optional<Vec3> LiveScene::middle_of(const Followed& what) const {
  if (what.avatar >= 0) {
    const Figure* const figure = figure_of(what.avatar);
    if (figure == nullptr || !figure->there || what.index >= figure->pose.size()) {
      return std::nullopt;
    }
    const PosedLink& link = figure->pose[what.index];
    return 0.5 * (link.a + link.b);
  }
  const auto objects = room().objects();
  if (what.index >= objects.size() || objects[what.index].triangle_count == 0) return std::nullopt;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const Object& object = objects[what.index];
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    for (const Vec3f& p : room().corners(object.first_triangle + i)) {
      const Vec3 q = core::to_double(p);
      low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
      high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
    }
  }
  return 0.5 * (low + high);
}

std::optional<Followed> LiveScene::thing_of(std::uint32_t id) const {
  if (id == 0) return std::nullopt;
  if (id < kFirstLinkId) return Followed{-1, id - 1};
  const std::size_t link = id - kFirstLinkId;
  for (const Figure& figure : figures_) {
    const std::size_t count = figure.source->avatar.links().size();
    if (link >= figure.first_link && link < figure.first_link + count) {
      return Followed{figure.source->index, link - figure.first_link};
    }
  }
  return std::nullopt;
}

const scene::StepMotion* LiveScene::motion_of(std::int32_t avatar) const {
  const Figure* const figure = figure_of(avatar);
  return figure != nullptr && figure->step != SIZE_MAX ? &figure->motion : nullptr;
}

}  // namespace tocsin::view
