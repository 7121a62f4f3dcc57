#include "oracle/room_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "oracle/check_contact.h"
#include "oracle/prove.h"
#include "oracle/separation.h"

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
    for (const std::uint32_t t : nearby(link.path, link.radius, room_.spheres)) {
      const ObjectPair pair{index, environment_.object_of(t)};
      if (is_active(pair)) check_triangle(pair, t, link);
    }
    for (const auto& [pair, contact] : by_pair_) {
      if (pair.first == index) check_own_triangle(pair, *contact, link);
    }
    const RealVec start = link.path.at(0.0L).a + widen<Real>(link.path.origin());
    for (std::uint32_t o = 0; o < environment_.objects().size(); ++o) {
      if (is_active({index, o})) check_place({index, o}, room_.solids.place(o, start), link);
    }
    if (avatar_.clearance(index) > 0.0) check_clearance(index, link);
  }

  // What is claimed of how far the link stays away: one triangle that is nearer refutes it.
  void check_clearance(std::int32_t index, const MovingLink& link) {
    const double clearance = avatar_.clearance(index);
    const Real reach = static_cast<Real>(link.radius) + static_cast<Real>(clearance);
    for (const std::uint32_t t : nearby(link.path, link.radius + clearance, room_.spheres)) {
      const ObjectPair pair{index, environment_.object_of(t)};
      if (!is_active(pair)) continue;
      Prover prover(link.path, environment_.corners(t), reach);
      ++check_.verdict().near;
      const std::uint32_t first = environment_.objects()[pair.second].first_triangle;
      const Subject about = subject(pair, t - first);
      if (!check_.check_clearance(about, avatar_.link_name(index), prover, clearance)) return;
    }
  }

  // Whether the start of a link's axis is in a solid object at t = 0, and what is claimed of it.
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
    const Object& object = environment_.objects()[pair.second];
    const Axis<Real> axis = link.path.at(0.0L);
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
    const Real allowed = 1e-9L * (1.0L + extent + link.path.bounds().reach);
    const Real depth = nearest + Real(link.radius);
    if (own > nearest + allowed) {
      refute(fmt::format("{}: inside, nearest to another triangle than reported", name(pair)));
    }
    if (!contact.depth || !(std::fabs(Real(*contact.depth) - depth) <= allowed)) {
      refute(fmt::format("{}: inside by {:.9g} m, reported with {:.9g} m", name(pair), depth,
                         contact.depth.value_or(0.0)));
    }
  }

  // Until when a pair without a contact of its own is claimed to be free.
  [[nodiscard]] double free_until() const {
    return options_.contacts_first && avatar_.first != nullptr ? avatar_.first->toc[0] : 1.0;
  }

  // A triangle of a pair's object must be free whenever the pair is.
  void check_triangle(const ObjectPair& pair, std::uint32_t triangle, const MovingLink& link) {
    const auto found = by_pair_.find(pair);
    FreeTimes times = free_times(found == by_pair_.end() ? nullptr : found->second, free_until());
    extend(times, avatar_.claim->safe_until);
    Prover prover(link.path, environment_.corners(triangle), link.radius);
    ++check_.verdict().near;
    const std::uint32_t first = environment_.objects()[pair.second].first_triangle;
    check_.check_free(subject(pair, triangle - first), prover, times);
  }

  // Checks a contact's claims about its triangle.
  void check_own_triangle(const ObjectPair& pair, const Contact& contact, const MovingLink& link) {
    const std::uint32_t triangle = contact.room()->triangle;
    const Subject about = subject(pair, triangle);
    if (!bracket_makes_sense(contact)) {
      check_.refute(impossible_bracket(about, contact));
      return;
    }
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
