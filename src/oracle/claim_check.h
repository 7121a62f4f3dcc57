// What verify_meeting's parts have in common: the verdict in the making, the avatars as they move,
// and the check of one claim of freedom or touch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/interval_prover.h"
#include "oracle/link_path.h"
#include "oracle/verify_meeting.h"

namespace tocsin::oracle {

/// A ball that holds something for the whole step, world frame, metres.
struct Ball {
  RealVec centre;
  Real radius = 0.0L;
};

/// One link over the step.
struct MovingLink {
  LinkPath path;
  double radius = 0.0;  ///< metres, margin included
  Ball ball;            ///< holds it, radius included
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
};

/// The avatar's links. Precondition: it has links, and its skeleton is that of the step.
MovingAvatar moving(const MemberClaim& claim, double margin);

/// False if the balls are surely apart.
bool may_meet(const Ball& a, const Ball& b);

/// What a sentence is about: who is "hand against table" with the step before it, what is "triangle
/// 7" or "the other's axis", reach is what their distance is compared with.
struct Subject {
  std::string who;
  std::string what;
  std::string reach;
};

/// Where a claim says that two are apart: on [0, before] and on [after, 1].
struct FreeTimes {
  std::optional<double> before;
  std::optional<double> after;
};

/// Of a pair that `contact` was reported for; none: `otherwise`, the time until which it is free.
FreeTimes free_times(const Contact* contact, double otherwise);

/// Makes `times` say that the two are free until `time` at least.
void extend(FreeTimes& times, std::optional<double> time);

/// "overlap", ...
const char* name_of(ContactStatus s);

/// Sentences for a person.
std::string impossible_bracket(const Subject& subject, const Contact& contact);
std::string fault_sentence(const Subject& subject, const Contact& contact,
                           const std::string& fault);

/// True if toc is a bracket that its status can have.
bool bracket_makes_sense(const Contact& contact);

/// Checks claims and writes down what is wrong with them.
class ClaimCheck {
 public:
  ClaimCheck(std::int64_t budget, StepVerdict& verdict) : budget_(budget), verdict_(verdict) {}

  void refute(const std::string& sentence) { verdict_.refutations.push_back(sentence); }
  [[nodiscard]] StepVerdict& verdict() { return verdict_; }

  /// The two must be apart at the given times.
  void check_free(const Subject& subject, IntervalProver& prover, const FreeTimes& times);
  /// The two must touch at toc[1], unless the contact is a graze.
  void check_touch(const Subject& subject, IntervalProver& prover, const Contact& contact);

 private:
  void check_free(const Subject& subject, IntervalProver& prover, double from, double to);
  void doubt(const std::string& sentence);

  std::int64_t budget_;
  StepVerdict& verdict_;
};

}  // namespace tocsin::oracle
