#include "oracle/room_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "oracle/check_contact.h"
#include "oracle/prove.h"
#include "oracle/separation.h"
#include "oracle/shapes/shape_prover.h"

namespace tocsin::oracle {
namespace {

using ObjectPair = std::pair<std::int32_t, std::uint32_t>;  // link, object

class RoomCheck {
 public:
  RoomCheck(const MovingAvatar& avatar, const Room& room, const MeetingOptions& options,
            ClaimCheck& check)
      : avatar_(avatar),
        member_(*avatar.claim->member),
        room_(room),
        environment_(room.environment),
        options_(options),
        check_(check) {}

  void run() {
    sort_contacts();
    for (std::size_t i = 0; i < avatar_.links.size(); ++i) {
      check_link(static_cast<std::int32_t>(i));
    }
  }

 private:
  void refute(const std::string& sentence) {
    check_.refute(fmt::format("{}: {}", avatar_.name, sentence));
  }

  [[nodiscard]] bool is_active(const ObjectPair& p) const {
    return member_.active.active(p.first, p.second);
  }

  [[nodiscard]] std::string name(const ObjectPair& p) const {
    return fmt::format("{} against {}", avatar_.link_name(p.first),
                       environment_.objects()[p.second].name);
  }

  [[nodiscard]] Subject subject(const ObjectPair& p, std::uint32_t triangle) const {
    return {fmt::format("{}: {}", avatar_.name, name(p)), fmt::format("triangle {}", triangle),
            "the radius"};
  }

  // Fills by_pair_, and refutes contacts that make no sense.
  void sort_contacts() {
    for (const Contact& c : avatar_.claim->contacts) {
      if (c.room() == nullptr) continue;
      const auto& [object, triangle] = *c.room();
      if (c.link < 0 || static_cast<std::size_t>(c.link) >= avatar_.links.size() ||
          object >= environment_.objects().size() ||
          triangle >= environment_.objects()[object].triangle_count) {
        refute(fmt::format("a contact of link {}, object {}, triangle {}: there is no such thing",
                           c.link, object, triangle));
        continue;
      }
      const ObjectPair pair{c.link, object};
      if (!is_active(pair)) refute(fmt::format("{}: reported although it is ignored", name(pair)));
      if (!by_pair_.emplace(pair, &c).second) {
        refute(fmt::format("{}: reported more than once", name(pair)));
      }
    }
  }

  void check_link(std::int32_t index) {
    const MovingLink& link = avatar_.links[static_cast<std::size_t>(index)];
    for (std::uint32_t o = 0; o < environment_.objects().size(); ++o) {
      if (is_active({index, o})) ++check_.verdict().pairs;
    }
    const std::vector<std::uint32_t> near = nearby(link.path, link.hold, room_.spheres);
    if (link.shaped) {
      for_each_object(near, [&](std::uint32_t object, std::span<const std::uint32_t> triangles) {
        if (is_active({index, object})) check_shape({index, object}, triangles, link);
      });
    } else {
      for (const std::uint32_t t : near) {
        const ObjectPair pair{index, environment_.object_of(t)};
        if (is_active(pair)) check_triangle(pair, t, link);
      }
    }
    for (const auto& [pair, contact] : by_pair_) {
      if (pair.first == index) check_own(pair, *contact, link);
    }
    const std::vector<RealVec> starts = starts_of(link);
    for (std::uint32_t o = 0; o < environment_.objects().size(); ++o) {
      if (is_active({index, o})) check_place({index, o}, place_of(o, starts), link);
    }
    if (avatar_.clearance(index) > 0.0) check_clearance(index, link);
  }

  // What is claimed of how far the link stays away: one triangle that is nearer refutes it.
  void check_clearance(std::int32_t index, const MovingLink& link) {
    const double clearance = avatar_.clearance(index);
    const Real reach = static_cast<Real>(link.radius) + static_cast<Real>(clearance);
    const std::vector<std::uint32_t> near = nearby(link.path, link.hold + clearance, room_.spheres);
    if (link.shaped) {
      for_each_object(near, [&](std::uint32_t object, std::span<const std::uint32_t> triangles) {
        const ObjectPair pair{index, object};
        if (!is_active(pair)) return;
        const MovingShape room = room_shape(environment_, triangles, link.path.origin());
        ShapeProver prover(*link.features, room, reach);
        check_.check_clearance(shape_subject(pair), avatar_.link_name(index), prover, clearance);
        check_.verdict().near += static_cast<std::uint64_t>(prover.asked());
      });
      return;
    }
    for (const std::uint32_t t : near) {
      const ObjectPair pair{index, environment_.object_of(t)};
      if (!is_active(pair)) continue;
      Prover prover(link.path, environment_.corners(t), reach);
      ++check_.verdict().near;
      const std::uint32_t first = environment_.objects()[pair.second].first_triangle;
      const Subject about = subject(pair, t - first);
      if (!check_.check_clearance(about, avatar_.link_name(index), prover, clearance)) return;
    }
  }

  // visit(object, triangles): of triangles in order, those of each object.
  template <class Visit>
  void for_each_object(std::span<const std::uint32_t> triangles, const Visit& visit) const {
    for (std::size_t begin = 0; begin < triangles.size();) {
      const std::uint32_t object = environment_.object_of(triangles[begin]);
      std::size_t end = begin + 1;
      while (end < triangles.size() && environment_.object_of(triangles[end]) == object) ++end;
      visit(object, triangles.subspan(begin, end - begin));
      begin = end;
    }
  }

  // No feature may touch any of these triangles of a pair's object whenever the pair is free.
  void check_shape(const ObjectPair& pair, std::span<const std::uint32_t> triangles,
                   const MovingLink& link) {
    const MovingShape room = room_shape(environment_, triangles, link.path.origin());
    ShapeProver prover(*link.features, room, link.radius);
    check_.check_free(shape_subject(pair), prover, free_times_of(pair));
    check_.verdict().near += static_cast<std::uint64_t>(prover.asked());
  }

  [[nodiscard]] Subject shape_subject(const ObjectPair& p) const {
    return {fmt::format("{}: {}", avatar_.name, name(p)), "a triangle", "the radius", "a feature"};
  }

  // A point of the link at t = 0, and of one that has a shape, a corner of each of its components.
  // World, metres.
  [[nodiscard]] static std::vector<RealVec> starts_of(const MovingLink& link) {
    const RealVec origin = widen<Real>(link.path.origin());
    if (!link.shaped) return {link.path.at(0.0L).a + origin};
    std::vector<RealVec> out;
    for (const std::vector<std::uint32_t>& part : link.features->features().components()) {
      const Corners last = link.features->feature(part.back()).at(0.0L);
      out.push_back(last.at[last.count - 1] + origin);
    }
    return out;
  }

  // Inside if any of the points is.
  [[nodiscard]] Place place_of(std::uint32_t object, std::span<const RealVec> points) const {
    Place out = Place::kOutside;
    for (const RealVec& p : points) {
      const Place place = room_.solids.place(object, p);
      if (place == Place::kInside) return place;
      if (place == Place::kUnclear) out = place;
    }
    return out;
  }

  // Whether a link is in a solid object at t = 0, and what is claimed of it.
  void check_place(const ObjectPair& pair, Place place, const MovingLink& link) {
    const auto found = by_pair_.find(pair);
    const Contact* const contact = found == by_pair_.end() ? nullptr : found->second;
    if (place != Place::kInside) {
      if (contact == nullptr || !contact->inside) return;
      if (place == Place::kOutside) {
        refute(fmt::format("{}: reported inside although it is not", name(pair)));
      } else {
        check_.doubt(fmt::format("{}: {}: too near to the surface to tell inside from outside",
                                 avatar_.name, name(pair)));
      }
      return;
    }
    if (const double clearance = avatar_.clearance(pair.first); clearance > 0.0) {
      refute(fmt::format("{}: a clearance of {} m, but it is inside when the step begins",
                         name(pair), clearance));
    }
    if (contact != nullptr && contact->status == ContactStatus::kOverlap) return;
    // Another first contact at t = 0 stands for this one. A graze from t = 0 on may be a surface
    // that the axis is nearer to than rounding.
    const bool stands = options_.contacts_first && avatar_.first != nullptr &&
                        avatar_.first != contact && avatar_.first->toc[0] == 0.0;
    const bool unsure = contact != nullptr && contact->toc[0] == 0.0 && thin(link);
    if (stands || unsure) return;
    refute(fmt::format("{}: is inside when the step begins, and not reported so", name(pair)));
  }

  // A radius below which the engine's margins may hide on which side of a surface the axis is.
  [[nodiscard]] static bool thin(const MovingLink& link) {
    const MotionBounds& b = link.path.bounds();
    return link.radius < 0x1p-40 * static_cast<double>(b.joints + 16) *
                             static_cast<double>(b.reach + b.speed + 1e6L);
  }

  // What an inside contact claims of its triangle: that it is the nearest, and the depth.
  void check_depth(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const Depth found = depth_of(pair, contact, link.path.at(0.0L), link);
    if (found.other_is_nearer) {
      refute(fmt::format("{}: inside, nearest to another triangle than reported", name(pair)));
    }
    if (!found.as_reported) {
      refute(fmt::format("{}: inside by {:.9g} m, reported with {:.9g} m", name(pair), found.depth,
                         contact.depth.value_or(0.0)));
    }
  }

  struct Depth {
    Real depth = 0.0L;  // metres
    bool as_reported = false;
    bool other_is_nearer = false;  // than the reported triangle
  };

  // `axis`: what the depth is that of, at t = 0.
  [[nodiscard]] Depth depth_of(const ObjectPair& pair, const Contact& contact,
                               const Axis<Real>& axis, const MovingLink& link) const {
    const Object& object = environment_.objects()[pair.second];
    Real nearest = HUGE_VALL;
    Real own = HUGE_VALL;
    Real extent = 0.0L;
    for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
      const TriangleFrame t(environment_.corners(object.first_triangle + i), link.path.origin());
      const Real apart = separation(axis, t).upper;
      nearest = std::min(nearest, apart);
      if (i == contact.room()->triangle) own = apart;
      extent = std::max(extent, t.extent);
    }
    const Real allowed = 1e-9L * (1.0L + extent + link.path.bounds().reach + Real(link.hold));
    Depth out;
    out.depth = nearest + Real(link.radius);
    out.as_reported = contact.depth && std::fabs(Real(*contact.depth) - out.depth) <= allowed;
    out.other_is_nearer = own > nearest + allowed;
    return out;
  }

  // Of a shape, the depth and the place are those of the first corner of a component's least
  // feature, and that component is inside.
  void check_shape_depth(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const RealVec origin = widen<Real>(link.path.origin());
    std::string fault = "no component is inside";
    for (const std::vector<std::uint32_t>& part : link.features->features().components()) {
      const HullPath corner = link.features->corner(part.front(), 0);
      const RealVec at = corner.at(0.0L).at[0];
      if (room_.solids.place(pair.second, at + origin) == Place::kOutside) continue;
      const Depth depth = depth_of(pair, contact, {at, at}, link);
      if (!depth.as_reported || depth.other_is_nearer) {
        fault = fmt::format("inside by {:.9g} m{}", depth.depth,
                            depth.other_is_nearer ? ", nearest to another triangle" : "");
        continue;
      }
      const std::uint32_t triangle =
          environment_.objects()[pair.second].first_triangle + contact.room()->triangle;
      const MovingShape room = room_shape(environment_, {&triangle, 1}, link.path.origin());
      const auto wrong = fault_of_geometry(contact, corner, room.feature(0), 0.0L);
      if (!wrong) return;
      fault = *wrong;
    }
    refute(fmt::format("{}: reported inside by {:.9g} m: {}", name(pair),
                       contact.depth.value_or(0.0), fault));
  }

  // Until when a pair without a contact of its own is claimed to be free.
  [[nodiscard]] double free_until() const {
    return options_.contacts_first && avatar_.first != nullptr ? avatar_.first->toc[0] : 1.0;
  }

  // When a pair is claimed to be free.
  [[nodiscard]] FreeTimes free_times_of(const ObjectPair& pair) const {
    const auto found = by_pair_.find(pair);
    FreeTimes times = free_times(found == by_pair_.end() ? nullptr : found->second, free_until());
    extend(times, avatar_.claim->safe_until);
    return times;
  }

  // A triangle of a pair's object must be free whenever the pair is.
  void check_triangle(const ObjectPair& pair, std::uint32_t triangle, const MovingLink& link) {
    Prover prover(link.path, environment_.corners(triangle), link.radius);
    ++check_.verdict().near;
    const std::uint32_t first = environment_.objects()[pair.second].first_triangle;
    check_.check_free(subject(pair, triangle - first), prover, free_times_of(pair));
  }

  // Checks a contact's claims about its triangle, and about its feature.
  void check_own(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const Subject about = subject(pair, contact.room()->triangle);
    if (!bracket_makes_sense(contact)) {
      check_.refute(impossible_bracket(about, contact));
    } else if (const auto fault = fault_of_features(contact, link, nullptr)) {
      check_.refute(fault_sentence(about, contact, *fault));
    } else if (!link.shaped) {
      check_own_triangle(pair, contact, link, about);
    } else if (contact.inside) {
      check_shape_depth(pair, contact, link);
    } else {
      check_own_feature(pair, contact, link);
    }
  }

  void check_own_feature(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const std::uint32_t triangle =
        environment_.objects()[pair.second].first_triangle + contact.room()->triangle;
    const MovingShape room = room_shape(environment_, {&triangle, 1}, link.path.origin());
    Subject about = subject(pair, contact.room()->triangle);
    about.from = fmt::format("feature {}", *contact.link_feature);
    const HullPath feature = link.features->feature(*contact.link_feature);
    const HullPath other = room.feature(0);
    HullProver prover(feature, other, link.radius);
    check_.check_touch(about, prover, contact);
    if (const auto fault = fault_of_geometry(contact, feature, other, 0.0L)) {
      check_.refute(fault_sentence(about, contact, *fault));
    }
  }

  void check_own_triangle(const ObjectPair& pair, const Contact& contact, const MovingLink& link,
                          const Subject& about) {
    const std::uint32_t triangle = contact.room()->triangle;
    const std::array<Vec3f, 3> corners =
        environment_.corners(environment_.objects()[pair.second].first_triangle + triangle);
    if (contact.inside) {
      check_depth(pair, contact, link);
    } else {
      Prover prover(link.path, corners, link.radius);
      check_.check_touch(about, prover, contact);
    }
    if (const auto fault = fault_of_geometry(contact, link.path, corners)) {
      check_.refute(fault_sentence(about, contact, *fault));
    }
  }

  const MovingAvatar& avatar_;
  const Member& member_;
  const Room& room_;
  const Environment& environment_;
  const MeetingOptions& options_;
  ClaimCheck& check_;
  std::map<ObjectPair, const Contact*> by_pair_;
};

}  // namespace

void check_room(const MovingAvatar& avatar, const Room& room, const MeetingOptions& options,
                ClaimCheck& check) {
  RoomCheck(avatar, room, options, check).run();
}

}  // namespace tocsin::oracle
