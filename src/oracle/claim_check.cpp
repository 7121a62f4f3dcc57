#include "oracle/claim_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/motion/joint_motion.h"

namespace tocsin::oracle {
namespace {

// Room for the rounding of the balls, relative to their coordinates: 2^10 times their need. Larger:
// a few more pairs need a proof.
constexpr Real kBallRoom = 0x1p-48L;

// Joint motions of one skeleton, made once for all links.
std::vector<core::JointMotion> joint_motions(const Step& step) {
  std::vector<core::JointMotion> out;
  for (std::size_t k = 0; k < step.pose0().size(); ++k) {
    // The stored parameters: this is what defines the motion, so it is shared with core.
    out.push_back(core::joint_motion(step.pose0()[k], step.pose1()[k], step.in_between()));
  }
  return out;
}

// Stored parameters from a root to a joint.
std::vector<core::JointMotion> chain_to(const Skeleton& skeleton,
                                        const std::vector<core::JointMotion>& motions, int joint) {
  std::vector<core::JointMotion> chain;
  for (int j = joint; j >= 0; j = skeleton.joints()[static_cast<std::size_t>(j)].parent) {
    chain.push_back(motions[static_cast<std::size_t>(j)]);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// From the middle of the step no point of the axis travels farther than half its speed.
Ball ball_of(const LinkPath& path, double radius) {
  const Axis<Real> axis = path.at(0.5L);
  const RealVec origin = widen<Real>(path.origin());
  Ball out;
  out.centre = 0.5L * (axis.a + axis.b) + origin;
  out.radius = 0.5L * (length(axis.b - axis.a) + path.bounds().speed) + static_cast<Real>(radius);
  out.radius += kBallRoom * (out.radius + path.bounds().reach + length(origin));
  return out;
}

// A sphere around all features, centre in double, and its radius with room for the stretch of
// stored rotations and for rounding.
struct Hold {
  Vec3 centre;
  double radius = 0.0;
};

Hold hold_of(const MovingShape& shape) {
  const SphereNode& root = shape.features().nodes().front();
  Hold out;
  out.centre = {static_cast<double>(root.centre.x), static_cast<double>(root.centre.y),
                static_cast<double>(root.centre.z)};
  const Real off = length(widen<Real>(out.centre) - root.centre);
  const Real radius = shape.frame().bounds().stretch * (root.radius + off);
  out.radius = static_cast<double>(radius * (1.0L + kBallRoom)) * (1.0 + 0x1p-50);
  return out;
}

MovingLink moving_link(const Link& link, std::span<const core::JointMotion> chain, InBetween kind,
                       double margin, bool features, const ShapeTrees& trees) {
  const bool shaped = !link.shape.empty();
  std::shared_ptr<const MovingShape> shape;
  if (shaped || features) {
    shape = std::make_shared<const MovingShape>(
        std::make_shared<const MovingFrame>(chain, kind),
        shaped ? trees.of(link.shape)
               : std::make_shared<const FeatureTree>(axis_feature(link.a, link.b)));
  }
  const double radius = (shaped ? link.shape.radius() : link.radius) + margin;
  const Hold hold = shaped ? hold_of(*shape) : Hold{};
  LinkPath path = shaped ? LinkPath(chain, kind, hold.centre, hold.centre)
                         : LinkPath(chain, kind, link.a, link.b);
  const double held = radius + hold.radius;
  const Ball ball = ball_of(path, held);
  return {std::move(path), radius, held, ball, shaped, std::move(shape)};
}

Ball ball_around(const std::vector<MovingLink>& links) {
  Ball out{links.front().ball.centre, 0.0L};
  for (const MovingLink& link : links) {
    const Real apart = length(link.ball.centre - out.centre);
    out.radius = std::max(out.radius, apart + link.ball.radius);
  }
  out.radius += kBallRoom * (out.radius + length(out.centre));
  return out;
}

std::string in_brackets(const std::string& parts) {
  return parts.empty() ? parts : fmt::format(" ({})", parts);
}

}  // namespace

bool has_shapes(const MemberClaim& claim) {
  const std::span<const Link> links = claim.member->avatar.links();
  return std::any_of(links.begin(), links.end(), [](const Link& l) { return !l.shape.empty(); });
}

MovingAvatar moving(const MemberClaim& claim, double margin, bool features,
                    const ShapeTrees& trees) {
  MovingAvatar out;
  out.claim = &claim;
  const Avatar& avatar = claim.member->avatar;
  const std::vector<core::JointMotion> motions = joint_motions(*claim.step);
  out.links.reserve(avatar.links().size());
  for (const Link& link : avatar.links()) {
    const std::vector<core::JointMotion> chain = chain_to(avatar.skeleton(), motions, link.joint);
    out.links.push_back(
        moving_link(link, chain, claim.step->in_between(), margin, features, trees));
  }
  out.ball = ball_around(out.links);
  return out;
}

bool may_meet(const Ball& a, const Ball& b, double apart) {
  const Real gap = static_cast<Real>(apart) * (1.0L + kBallRoom);
  return !(length(a.centre - b.centre) > a.radius + b.radius + gap);
}

FreeTimes free_times(const Contact* contact, double otherwise) {
  if (contact == nullptr) return {otherwise, {}};
  FreeTimes out;
  if (contact->status != ContactStatus::kOverlap) out.before = contact->toc[0];
  if (contact->status == ContactStatus::kGraze) out.after = contact->toc[1];
  return out;
}

void extend(FreeTimes& times, std::optional<double> time) {
  if (time && !(times.before && *times.before >= *time)) times.before = time;
}

std::string impossible_bracket(const Subject& subject, const Contact& contact) {
  return fmt::format("{}: {} with the impossible bracket [{}, {}]", subject.who,
                     name_of(contact.status), contact.toc[0], contact.toc[1]);
}

std::string fault_sentence(const Subject& subject, const Contact& contact,
                           const std::string& fault) {
  return fmt::format("{}: {} with {}: {}", subject.who, name_of(contact.status), subject.what,
                     fault);
}

const char* name_of(ContactStatus s) {
  switch (s) {
    case ContactStatus::kOverlap:
      return "overlap";
    case ContactStatus::kHit:
      return "hit";
    case ContactStatus::kGraze:
      return "graze";
  }
  return "?";
}

bool bracket_makes_sense(const Contact& contact) {
  const auto [lo, hi] = contact.toc;
  if (contact.inside && contact.status != ContactStatus::kOverlap) return false;
  if (contact.depth.has_value() != contact.inside) return false;
  const bool ordered = lo >= 0.0 && lo <= hi && hi <= 1.0;
  const bool own =
      !contact.touching || (contact.status == ContactStatus::kHit && (*contact.touching)[0] > lo &&
                            (*contact.touching)[0] <= hi && (*contact.touching)[1] == hi);
  return ordered && own && (contact.status != ContactStatus::kOverlap || hi == 0.0);
}

std::optional<std::string> fault_of_features(const Contact& contact, const MovingLink& link,
                                             const MovingLink* other) {
  const auto fault = [&](const std::optional<std::uint32_t>& feature,
                         const MovingLink* of) -> std::optional<std::string> {
    const bool wanted = of != nullptr && of->shaped && !contact.inside;
    if (!wanted && feature) return fmt::format("it names feature {} of what has none", *feature);
    if (wanted && !feature) return "it names no feature";
    if (wanted && *feature >= of->features->features().size()) {
      return fmt::format("it names feature {}: there is no such thing", *feature);
    }
    return std::nullopt;
  };
  if (auto own = fault(contact.link_feature, &link)) return own;
  return fault(contact.other_feature, other);
}

void ClaimCheck::doubt(const std::string& sentence) {
  ++verdict_.undecided;
  verdict_.doubts.push_back(sentence);
}

void ClaimCheck::check_free(const Subject& subject, BodyProver& prover, const FreeTimes& times) {
  // A claim about [0, 0) or (1, 1] is empty.
  if (times.before && *times.before > 0.0) check_free(subject, prover, 0.0, *times.before);
  if (times.after && *times.after < 1.0) check_free(subject, prover, *times.after, 1.0);
}

void ClaimCheck::check_free(const Subject& subject, BodyProver& prover, double from, double to) {
  if (!(from >= 0.0 && from <= to && to <= 1.0)) return;  // a bracket that is refuted elsewhere
  const Proof proof = prover.prove_free(from, to, budget_);
  if (proof.kind == Proof::Kind::kFree) return;
  if (proof.kind == Proof::Kind::kTouch) {
    refute(
        fmt::format("{}: reported free from t = {:.17g} to {:.17g}, but at t = {:.17g} {} is "
                    "{:.12g} m from {}, no more than {} {:.12g} m{}",
                    subject.who, from, to, proof.time, subject.what, proof.distance, subject.from,
                    subject.reach, prover.radius(), in_brackets(prover.parts())));
    return;
  }
  doubt(fmt::format("{}: {} could be proved free only up to t = {:.17g} of {:.17g}{}", subject.who,
                    subject.what, proof.from, to, in_brackets(prover.parts())));
}

void ClaimCheck::check_touch(const Subject& subject, BodyProver& prover, const Contact& contact) {
  if (contact.status == ContactStatus::kGraze) return;
  const BodyProver::Distance d = prover.distance(contact.toc[1]);
  if (d.most <= prover.radius()) return;
  const bool apart = d.least > prover.radius();
  const std::string sentence =
      fmt::format("{}: {} with {} at t = {:.17g}, {}: {:.12g} m from {}, {} {:.12g} m{}",
                  subject.who, name_of(contact.status), subject.what, contact.toc[1],
                  apart ? "but they do not touch" : "too close to call", d.least, subject.from,
                  subject.reach, prover.radius(), in_brackets(prover.parts()));
  apart ? refute(sentence) : doubt(sentence);
}

bool ClaimCheck::check_clearance(const Subject& subject, const std::string& whose,
                                 BodyProver& prover, double clearance) {
  const Proof proof = prover.prove_free(0.0L, 1.0L, budget_);
  if (proof.kind == Proof::Kind::kFree) return true;
  if (proof.kind == Proof::Kind::kTouch) {
    const Real apart = proof.distance - (prover.radius() - static_cast<Real>(clearance));
    refute(fmt::format(
        "{}: a clearance of {} m is reported for {}, but at t = {:.17g} the distance is {:.12g} m",
        subject.who, clearance, whose, proof.time, std::max(apart, 0.0L)));
    return false;
  }
  doubt(fmt::format("{}: the clearance of {} m of {} could be proved only up to t = {:.17g}",
                    subject.who, clearance, whose, proof.from));
  return true;
}

}  // namespace tocsin::oracle
