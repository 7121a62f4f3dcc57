// Shared by verify_meeting's parts: the growing verdict, the moving avatars, and the check of one
// claim of freedom or touch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracle/claims.h"
#include "oracle/interval_prover.h"
#include "oracle/link_path.h"
#include "oracle/shapes/moving_shape.h"
#include "oracle/shapes/shape_trees.h"

namespace tocsin::oracle {

/// A ball that holds something for the whole step, world frame, metres.
struct Ball {
  RealVec centre;
  Real radius = 0.0L;
};

/// One link over the step.
struct MovingLink {
  /// Of its axis. Of a link with a shape: of the centre of a sphere around it.
  LinkPath path;
  double radius = 0.0;  ///< metres, margin included
  double hold = 0.0;    ///< all of it is within that of the path, metres
  Ball ball;            ///< holds it, radius included
  bool shaped = false;  ///< it has a shape
  /// Its features: of a link without a shape, its axis. Null where no link of the scene has a
  /// shape.
  std::shared_ptr<const MovingShape> features;
};

/// One avatar over the step.
struct MovingAvatar {
  const MemberClaim* claim = nullptr;
  std::vector<MovingLink> links;
  Ball ball;         ///< holds all links
  std::string name;  ///< "step 3", or "step 3, avatar 1" if there are others
  const Contact* first =
      nullptr;  ///< of its contacts, the one with the least lo; none if it has none

  [[nodiscard]] const std::string& link_name(std::int32_t link) const {
    return claim->member->avatar.links()[static_cast<std::size_t>(link)].name;
  }
  /// What is claimed of a link's clearance, metres; 0 where nothing is. Precondition: there is one
  /// a link, or none.
  [[nodiscard]] double clearance(std::int32_t link) const {
    return claim->clearances.empty() ? 0.0 : claim->clearances[static_cast<std::size_t>(link)];
  }
};

/// Whether some link has a shape.
bool has_shapes(const MemberClaim& claim);

/// The avatar's links. `features`: even of links without a shape. `trees`: of shapes. Precondition:
/// it has links, and its skeleton is that of the step.
MovingAvatar moving(const MemberClaim& claim, double margin, bool features,
                    const ShapeTrees& trees);

/// False if the balls are surely farther apart than `apart`, metres.
bool may_meet(const Ball& a, const Ball& b, double apart = 0.0);

/// The subject of a sentence. who: "hand against table" with the step before it. what: "triangle 7"
/// or "the other's axis". reach: the name of the length with which their distance is compared.
/// from: what the distance is measured from.
struct Subject {
  std::string who;
  std::string what;
  std::string reach;
  std::string from = "the axis";
};

/// When a claim says that two bodies are apart: on [0, before] and on [after, 1].
struct FreeTimes {
  std::optional<double> before;
  std::optional<double> after;
};

/// The free times of a pair with this reported contact. Without a contact it is free until
/// `otherwise`.
FreeTimes free_times(const Contact* contact, double otherwise);

/// Extends `times`: the two are free at least until `time`.
void extend(FreeTimes& times, std::optional<double> time);

/// "overlap", ...
const char* name_of(ContactStatus s);

/// Sentences for a person.
std::string impossible_bracket(const Subject& subject, const Contact& contact);
std::string fault_sentence(const Subject& subject, const Contact& contact,
                           const std::string& fault);

/// What is wrong with the features that a contact names: a link with a shape has one, of those that
/// it has, unless the contact is inside a solid; other links have none. `other`: the other link;
/// null: the room. None: nothing is.
std::optional<std::string> fault_of_features(const Contact& contact, const MovingLink& link,
                                             const MovingLink* other);

/// True if toc is a bracket that its status can have.
bool bracket_makes_sense(const Contact& contact);

/// Checks claims and collects their refutations.
class ClaimCheck {
 public:
  ClaimCheck(std::int64_t budget, StepVerdict& verdict) : budget_(budget), verdict_(verdict) {}

  void refute(const std::string& sentence) { verdict_.refutations.push_back(sentence); }
  void doubt(const std::string& sentence);
  [[nodiscard]] StepVerdict& verdict() { return verdict_; }

  /// The two must be apart at the given times.
  void check_free(const Subject& subject, BodyProver& prover, const FreeTimes& times);
  /// The two must touch at toc[1], unless the contact is a graze.
  void check_touch(const Subject& subject, BodyProver& prover, const Contact& contact);
  /// The two must stay farther apart than this clearance of the link `whose`, metres above 0, on
  /// all of the step. `prover`: of their radii and the clearance. False if that is refuted.
  bool check_clearance(const Subject& subject, const std::string& whose, BodyProver& prover,
                       double clearance);

 private:
  void check_free(const Subject& subject, BodyProver& prover, double from, double to);

  std::int64_t budget_;
  StepVerdict& verdict_;
};

}  // namespace tocsin::oracle
