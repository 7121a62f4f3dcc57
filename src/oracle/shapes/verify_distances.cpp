#include "oracle/shapes/verify_distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "oracle/claim_check.h"

namespace tocsin::oracle {
namespace {

constexpr Real kFar = std::numeric_limits<Real>::infinity();

// What two computations of a distance may differ by, relative to the coordinates: a thousand times
// the rounding of doubles along a chain of joints. Larger: wrong distances pass.
constexpr Real kAllowedDistance = 0x1p-36L;

struct Hull {
  Corners corners;
  RealVec centre;
  Real radius = 0.0L;
};

Hull hull_of(const Corners& corners) {
  Hull out;
  out.corners = corners;
  const Real share = 1.0L / static_cast<Real>(corners.count);
  for (std::size_t i = 0; i < corners.count; ++i) out.centre = out.centre + share * corners.at[i];
  for (std::size_t i = 0; i < corners.count; ++i) {
    out.radius = std::max(out.radius, length(corners.at[i] - out.centre));
  }
  out.radius *= 1.0L + 0x1p-50L;
  return out;
}

// A link at the time. Coordinates are relative to the origin.
class LinkThen {
 public:
  LinkThen(const MovingLink& link, Real t)
      : origin_(link.features->frame().origin()), radius_(link.radius), shaped_(link.shaped) {
    const MovingShape& shape = *link.features;
    const Frame<Real>& frame = shape.frame().at(t);
    for (std::size_t i = 0; i < shape.features().size(); ++i) {
      Corners corners = shape.features().feature(i);
      for (std::size_t k = 0; k < corners.count; ++k) corners.at[k] = frame(corners.at[k]);
      features_.push_back(hull_of(corners));
    }
    const SphereNode& root = shape.features().nodes().front();
    centre_ = frame(root.centre);
    hold_ = root.radius * (1.0L + 0x1p-40L);
    reach_ = length(centre_) + hold_ + length(widen<Real>(origin_));
    if (!shaped_) {
      starts_.push_back(shape.corner(0, 0).at(t).at[0]);
      return;
    }
    for (const auto& part : shape.features().components()) {
      starts_.push_back(shape.corner(part.front(), 0).at(t).at[0]);
    }
  }

  [[nodiscard]] bool shaped() const { return shaped_; }
  [[nodiscard]] Real radius() const { return radius_; }
  [[nodiscard]] std::size_t features() const { return features_.size(); }
  /// Points that tell whether an object holds the link.
  [[nodiscard]] const std::vector<RealVec>& starts() const { return starts_; }
  /// In the world.
  [[nodiscard]] RealVec world(const RealVec& p) const { return p + widen<Real>(origin_); }
  [[nodiscard]] RealVec seen(const Vec3& p) const { return widen<Real>(p) - widen<Real>(origin_); }
  [[nodiscard]] Real reach() const { return reach_; }

  [[nodiscard]] Hull triangle(const Environment& room, std::uint32_t k) const {
    Corners out;
    out.count = 3;
    const auto v = room.corners(k);
    for (std::size_t i = 0; i < 3; ++i) out.at[i] = seen({v[i].x, v[i].y, v[i].z});
    return hull_of(out);
  }
  /// False if the sphere is surely farther than `limit` from all features.
  [[nodiscard]] bool may_be_near(const Sphere& s, Real limit) const {
    const RealVec apart = seen(s.centre) - centre_;
    const Real most = (limit + hold_ + static_cast<Real>(s.radius)) * (1.0L + 0x1p-40L);
    return !(inner(apart, apart) > most * most);
  }
  /// The distance of all features from a hull, if it is below `limit`; else `limit` or more.
  [[nodiscard]] Real distance(const Hull& g, Real limit) const {
    for (const Hull& f : features_) limit = std::min(limit, between(f, g, limit));
    return limit;
  }
  [[nodiscard]] Real distance(std::size_t feature, const Hull& g) const {
    return between(features_[feature], g, kFar);
  }
  static Real between(const Hull& f, const Hull& g, Real limit) {
    const RealVec apart = f.centre - g.centre;
    const Real most = limit + f.radius + g.radius;
    if (inner(apart, apart) > most * most) return limit;
    return separation(f.corners, g.corners, 0.0L).apart.upper;
  }

 private:
  Vec3 origin_;
  Real radius_;
  bool shaped_;
  std::vector<Hull> features_;
  std::vector<RealVec> starts_;
  RealVec centre_;
  Real hold_ = 0.0L;
  Real reach_ = 0.0L;
};

Hull point(const RealVec& p) {
  Corners out;
  out.at[0] = p;
  out.count = 1;
  return hull_of(out);
}

// What is true of one pair.
struct Truth {
  bool unclear = false;
  bool inside = false;
  /// Between the surfaces, metres; infinite: farther than was asked for.
  Real distance = kFar;
};

class DistanceCheck {
 public:
  DistanceCheck(const DistanceClaim& claim, const DistanceRoom& room, DistanceVerdict& verdict)
      : claim_(claim), room_(room), verdict_(verdict) {
    const std::array<Vec3f, 2> box = room.environment.bounds();
    far_ = length(RealVec{box[0].x, box[0].y, box[0].z}) +
           length(RealVec{box[1].x, box[1].y, box[1].z});
  }

  void run() {
    MemberClaim moved;
    moved.member = claim_.member;
    moved.step = claim_.step;
    const MovingAvatar avatar = moving(moved, claim_.margin, true, room_.trees);
    take_claims(avatar.links.size());
    for (std::size_t l = 0; l < avatar.links.size(); ++l) {
      const LinkThen link(avatar.links[l], static_cast<Real>(claim_.time));
      allowed_ = kAllowedDistance * (far_ + link.reach());
      for (std::uint32_t o = 0; o < objects().size(); ++o) {
        if (objects()[o].triangle_count == 0) continue;
        if (claim_.member->active.active(static_cast<std::int32_t>(l), o)) look(link, l, o);
      }
    }
    for (const auto& [pair, one] : told_) {
      refute(pair.first, pair.second, "were not asked for, or twice");
    }
  }

 private:
  using Pair = std::pair<std::size_t, std::uint32_t>;

  [[nodiscard]] std::span<const Object> objects() const { return room_.environment.objects(); }

  void refute(std::size_t link, std::uint32_t object, const std::string& what) {
    const auto& links = claim_.member->avatar.links();
    verdict_.refutations.push_back(fmt::format("{}: {} and {} {}", claim_.name, links[link].name,
                                               objects()[object].name, what));
  }

  void take_claims(std::size_t links) {
    for (const LinkDistance& one : claim_.distances) {
      const std::uint32_t object = one.nearest.object;
      const bool known = one.link >= 0 && static_cast<std::size_t>(one.link) < links &&
                         object < objects().size() &&
                         one.nearest.triangle < objects()[object].triangle_count;
      if (!known || !told_.emplace(Pair(one.link, object), one).second) {
        verdict_.refutations.push_back(
            fmt::format("{}: a distance of a link, object or triangle that there is not, or of one "
                        "pair twice",
                        claim_.name));
      }
    }
  }

  /// The least distance of an object's triangles, if it is below `limit`. of(triangle, least): the
  /// lesser of both.
  template <class Of>
  Real least_of(const LinkThen& link, std::uint32_t object, Real limit, const Of& of) const {
    Real least = limit;
    const Object& o = objects()[object];
    for (std::uint32_t k = 0; k < o.triangle_count; ++k) {
      const std::uint32_t i = o.first_triangle + k;
      if (!link.may_be_near(room_.spheres[i], least)) continue;
      least = of(link.triangle(room_.environment, i), least);
    }
    return least;
  }

  [[nodiscard]] Truth truth_of(const LinkThen& link, std::uint32_t object) const {
    Truth out;
    Real depth = 0.0L;
    for (const RealVec& start : link.starts()) {
      const Place place = room_.solids.place(object, link.world(start));
      out.unclear = out.unclear || place == Place::kUnclear;
      if (place != Place::kInside) continue;
      out.inside = true;
      if (!link.shaped()) continue;
      const Hull p = point(start);
      depth = std::max(depth, least_of(link, object, kFar, [&](const Hull& triangle, Real least) {
                         return std::min(least, LinkThen::between(p, triangle, least));
                       }));
    }
    const auto of_all = [&](const Hull& triangle, Real least) {
      return link.distance(triangle, least);
    };
    if (!out.inside) {
      const Real limit = static_cast<Real>(claim_.within) + link.radius() + allowed_;
      const Real least = least_of(link, object, limit, of_all);
      if (least < limit) out.distance = least - link.radius();
      return out;
    }
    if (!link.shaped()) depth = least_of(link, object, kFar, of_all);
    out.distance = -(link.radius() + depth);
    return out;
  }

  void look(const LinkThen& link, std::size_t l, std::uint32_t object) {
    ++verdict_.pairs;
    std::optional<LinkDistance> told;
    if (const auto found = told_.find({l, object}); found != told_.end()) {
      told = found->second;
      told_.erase(found);
      ++verdict_.distances;
    }
    const Truth truth = truth_of(link, object);
    if (truth.unclear) {
      ++verdict_.undecided;
      return;
    }
    if (!told) {
      if (truth.distance < static_cast<Real>(claim_.within) - allowed_) {
        refute(l, object, fmt::format("are {} m apart, and that is not told", text(truth)));
      }
      return;
    }
    if (const std::string wrong = fault(link, object, *told, truth); !wrong.empty()) {
      refute(l, object, wrong);
    }
  }

  static std::string text(const Truth& truth) {
    return fmt::format("{}", static_cast<double>(truth.distance));
  }

  /// True if a corner that an object may hold is so far from a triangle.
  [[nodiscard]] bool of_some_start(const LinkThen& link, const Hull& triangle, Real far) const {
    return std::any_of(link.starts().begin(), link.starts().end(), [&](const RealVec& start) {
      return std::fabs(LinkThen::between(point(start), triangle, kFar) - far) <= allowed_;
    });
  }

  /// What is wrong with a distance; empty if nothing is.
  [[nodiscard]] std::string fault(const LinkThen& link, std::uint32_t object,
                                  const LinkDistance& told, const Truth& truth) const {
    const auto differs = [&](Real a, Real b) { return !(std::fabs(a - b) <= allowed_); };
    if (told.inside != truth.inside) {
      return truth.inside ? "are told to be apart, and one is in the other"
                          : "are told to be one in the other, and are not";
    }
    if (differs(told.distance, truth.distance)) {
      return fmt::format("are told to be {} m apart, and are {} m", told.distance, text(truth));
    }
    if (!(told.distance <= claim_.within)) return "are farther apart than was asked for";
    const std::uint32_t index = objects()[object].first_triangle + told.nearest.triangle;
    const Hull triangle = link.triangle(room_.environment, index);
    if (LinkThen::between(point(link.seen(told.point)), triangle, kFar) > allowed_) {
      return fmt::format("are told to be nearest where triangle {} is not", told.nearest.triangle);
    }
    const Real axis = told.inside ? -told.distance - link.radius() : told.distance + link.radius();
    const bool nearest = link.shaped() && told.inside
                             ? of_some_start(link, triangle, axis)
                             : !differs(link.distance(triangle, kFar), axis);
    if (!nearest) {
      return fmt::format("are told to be nearest at triangle {}, which is farther",
                         told.nearest.triangle);
    }
    if (told.link_feature.has_value() != (link.shaped() && !told.inside)) {
      return "have a feature of the link, or lack it";
    }
    if (told.link_feature && *told.link_feature >= link.features()) return "name no feature";
    if (told.link_feature && differs(link.distance(*told.link_feature, triangle), axis)) {
      return "name a feature of the link that is farther";
    }
    const Hull own = point(link.seen(told.own));
    if (link.distance(own, kFar) > link.radius() + allowed_) return "have a point off the link";
    // Where they meet there is no direction between them.
    const Real apart = length(own.centre - link.seen(told.point));
    if (axis > 4.0L * allowed_ && differs(apart, std::fabs(static_cast<Real>(told.distance)))) {
      return "have points that are not so far apart";
    }
    return {};
  }

  const DistanceClaim& claim_;
  const DistanceRoom& room_;
  DistanceVerdict& verdict_;
  std::map<Pair, LinkDistance> told_;
  Real far_ = 0.0L;
  Real allowed_ = 0.0L;
};

}  // namespace

DistanceVerdict verify_distances(const DistanceClaim& claim, const DistanceRoom& room) {
  DistanceVerdict verdict;
  DistanceCheck(claim, room, verdict).run();
  return verdict;
}

}  // namespace tocsin::oracle
