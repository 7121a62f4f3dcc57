#include "oracle/verify_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/joint_motion.h"
#include "oracle/check_contact.h"
#include "oracle/nearby.h"
#include "oracle/verify_bracket.h"

namespace tocsin::oracle {
namespace {

using Pair = std::pair<std::int32_t, std::uint32_t>;  // link, object

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

// Where a claim says that every triangle of an object is free: [0, before] and [after, 1].
struct FreeTimes {
  std::optional<double> before;
  std::optional<double> after;
};

class StepCheck {
 public:
  StepCheck(const Avatar& avatar, const Step& step, const Environment& environment,
            const VerifyOptions& options, std::span<const Contact> contacts)
      : avatar_(avatar),
        step_(step),
        environment_(environment),
        options_(options),
        contacts_(contacts) {}

  StepVerdict run() {
    if (!inputs_fit()) return verdict_;
    sort_contacts();
    const std::vector<Sphere> spheres = spheres_of(environment_);
    for (std::size_t i = 0; i < avatar_.links().size(); ++i) {
      check_link(static_cast<std::int32_t>(i), spheres);
    }
    return verdict_;
  }

 private:
  bool inputs_fit() {
    const auto joints = static_cast<std::size_t>(avatar_.skeleton().size());
    if (!avatar_.links().empty() && step_.pose0().size() == joints &&
        step_.pose1().size() == joints) {
      return true;
    }
    refute("the avatar has no links, or belongs to another skeleton than the step");
    return false;
  }

  void refute(const std::string& sentence) {
    verdict_.refutations.push_back(fmt::format("step {}: {}", step_.index(), sentence));
  }

  [[nodiscard]] bool is_active(const Pair& p) const {
    return options_.active == nullptr || options_.active->active(p.first, p.second);
  }

  [[nodiscard]] std::string name(const Pair& p) const {
    return fmt::format("{} against {}", avatar_.links()[static_cast<std::size_t>(p.first)].name,
                       environment_.objects()[p.second].name);
  }

  // Fills by_pair_ and first_, and refutes contacts that make no sense.
  void sort_contacts() {
    verdict_.contacts = contacts_.size();
    if (options_.contacts_first && contacts_.size() > 1) {
      refute(fmt::format("{} contacts although only the first was asked for", contacts_.size()));
    }
    for (const Contact& c : contacts_) {
      if (c.link < 0 || static_cast<std::size_t>(c.link) >= avatar_.links().size() ||
          c.object >= environment_.objects().size() ||
          c.triangle >= environment_.objects()[c.object].triangle_count) {
        refute(fmt::format("a contact of link {}, object {}, triangle {}: there is no such thing",
                           c.link, c.object, c.triangle));
        continue;
      }
      const Pair pair{c.link, c.object};
      if (!is_active(pair)) refute(fmt::format("{}: reported although it is ignored", name(pair)));
      if (!by_pair_.emplace(pair, &c).second) {
        refute(fmt::format("{}: reported more than once", name(pair)));
      }
      if (first_ == nullptr || c.toc[0] < first_->toc[0]) first_ = &c;
    }
  }

  [[nodiscard]] LinkPath path_of(const Link& link) const {
    const std::span<const Joint> joints = avatar_.skeleton().joints();
    std::vector<core::JointMotion> chain;
    for (int j = link.joint; j >= 0; j = joints[static_cast<std::size_t>(j)].parent) {
      const auto k = static_cast<std::size_t>(j);
      // The stored parameters: this is what defines the motion, so it is shared with core.
      chain.push_back(core::joint_motion(step_.pose0()[k], step_.pose1()[k], step_.in_between()));
    }
    std::reverse(chain.begin(), chain.end());
    return {chain, step_.in_between(), link.a, link.b};
  }

  void check_link(std::int32_t index, const std::vector<Sphere>& spheres) {
    const Link& link = avatar_.links()[static_cast<std::size_t>(index)];
    const LinkPath path = path_of(link);
    const double radius = link.radius + options_.margin;
    for (std::uint32_t o = 0; o < environment_.objects().size(); ++o) {
      if (is_active({index, o})) ++verdict_.pairs;
    }
    for (const std::uint32_t t : nearby(path, radius, spheres)) {
      const Pair pair{index, environment_.object_of(t)};
      if (is_active(pair)) check_triangle(pair, t, path, radius);
    }
    for (const auto& [pair, contact] : by_pair_) {
      if (pair.first == index) check_own_triangle(pair, *contact, path, radius);
    }
  }

  [[nodiscard]] const Contact* contact_of(const Pair& pair) const {
    const auto found = by_pair_.find(pair);
    return found == by_pair_.end() ? nullptr : found->second;
  }

  [[nodiscard]] FreeTimes free_times(const Pair& pair) const {
    const Contact* c = contact_of(pair);
    if (c == nullptr) {
      if (!options_.contacts_first || first_ == nullptr) return {1.0, {}};
      return {first_->toc[0], {}};
    }
    FreeTimes out;
    if (c->status != ContactStatus::kOverlap) out.before = c->toc[0];
    if (c->status == ContactStatus::kGraze) out.after = c->toc[1];
    return out;
  }

  // A triangle of a pair's object must be free whenever the pair is.
  void check_triangle(const Pair& pair, std::uint32_t triangle, const LinkPath& path,
                      double radius) {
    const FreeTimes times = free_times(pair);
    Prover prover(path, environment_.corners(triangle), radius);
    ++verdict_.near;
    // A claim about [0, 0) says nothing, one about [1, 1] as little.
    if (times.before && *times.before > 0.0) check_free(pair, triangle, prover, 0.0, *times.before);
    if (times.after && *times.after < 1.0) check_free(pair, triangle, prover, *times.after, 1.0);
  }

  void check_free(const Pair& pair, std::uint32_t triangle, Prover& prover, double from,
                  double to) {
    if (!(from >= 0.0 && from <= to && to <= 1.0)) return;  // refuted by check_own_triangle
    const Proof proof = prover.prove_free(from, to, options_.budget);
    if (proof.kind == Proof::Kind::kFree) return;
    const auto& object = environment_.objects()[pair.second];
    if (proof.kind == Proof::Kind::kTouch) {
      refute(
          fmt::format("{}: reported free from t = {:.17g} to {:.17g}, but at t = {:.17g} triangle "
                      "{} is {:.12g} m "
                      "from the axis, no more than the radius {:.12g} m",
                      name(pair), from, to, proof.time, triangle - object.first_triangle,
                      proof.distance, prover.radius()));
      return;
    }
    ++verdict_.undecided;
    verdict_.doubts.push_back(fmt::format(
        "step {}: {}: triangle {} could be proved free only up to t = {:.17g} of {:.17g}",
        step_.index(), name(pair), triangle - object.first_triangle, proof.from, to));
  }

  // What a contact says about the triangle that it names.
  void check_own_triangle(const Pair& pair, const Contact& contact, const LinkPath& path,
                          double radius) {
    const auto& object = environment_.objects()[pair.second];
    const std::array<Vec3f, 3> corners =
        environment_.corners(object.first_triangle + contact.triangle);
    const bool ordered =
        contact.toc[0] >= 0.0 && contact.toc[0] <= contact.toc[1] && contact.toc[1] <= 1.0;
    const bool overlap = contact.status == ContactStatus::kOverlap;
    if (!ordered || (overlap && contact.toc[1] != 0.0)) {
      refute(fmt::format("{}: {} with the impossible bracket [{}, {}]", name(pair),
                         name_of(contact.status), contact.toc[0], contact.toc[1]));
      return;
    }
    if (contact.status != ContactStatus::kGraze) {
      Prover prover(path, corners, radius);
      const Prover::Distance d = prover.distance(contact.toc[1]);
      const auto say = [&](const char* how) {
        return fmt::format(
            "{}: {} with triangle {} at t = {:.17g}, {}: {:.12g} m from the axis, radius {:.12g} m",
            name(pair), name_of(contact.status), contact.triangle, contact.toc[1], how, d.least,
            prover.radius());
      };
      if (d.least > prover.radius()) {
        refute(say("but they do not touch"));
      } else if (d.most > prover.radius()) {
        ++verdict_.undecided;
        verdict_.doubts.push_back(
            fmt::format("step {}: {}", step_.index(), say("too close to call")));
      }
    }
    if (const auto fault = fault_of_geometry(contact, path, corners)) {
      refute(fmt::format("{}: {} with triangle {}: {}", name(pair), name_of(contact.status),
                         contact.triangle, *fault));
    }
  }

  const Avatar& avatar_;
  const Step& step_;
  const Environment& environment_;
  const VerifyOptions& options_;
  std::span<const Contact> contacts_;
  std::map<Pair, const Contact*> by_pair_;
  const Contact* first_ = nullptr;
  StepVerdict verdict_;
};

}  // namespace

StepVerdict verify_step(const Avatar& avatar, const Step& step, const Environment& environment,
                        const VerifyOptions& options, std::span<const Contact> contacts) {
  return StepCheck(avatar, step, environment, options, contacts).run();
}

}  // namespace tocsin::oracle
