// The second half of `tocsin verify`: the oracle confirms the results, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/check/job.h"
#include "app/verify/verify_report.h"
#include "tocsin/detector.h"

namespace tocsin::app {

/// `count` of 0 .. `total`-1, in order, chosen evenly at random; the same for the same seed
/// everywhere.
std::vector<std::size_t> sample_steps(std::size_t total, std::size_t count, std::uint64_t seed);

/// The answers about all avatars' steps of one index: where they lie among the others.
struct Moment {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The moments of a check that was run again, in order; of one take every step is one.
std::vector<Moment> moments_of(const std::vector<RerunStep>& steps);

/// The oracle's results for the checked moments.
struct Confirmation {
  std::uint64_t moments = 0;
  std::uint64_t contacts = 0;    ///< looked at
  std::uint64_t free_pairs = 0;  ///< without a contact, of a link and an object or of two links
  std::uint64_t clearances = 0;  ///< of links, looked at
  std::uint64_t undecided = 0;   ///< undecided queries
  std::vector<std::string> refutations;
  std::vector<std::string> doubts;

  Confirmation& operator+=(Confirmation other);
};

/// What a check was about, and how wide its links were.
struct Question {
  double margin = 0.0;  ///< of every link, metres
  bool objects = true;  ///< links with the room's objects
  bool links = true;    ///< links with links, where the job has such pairs
};

/// Asks the oracle about these moments, in parallel. `steps`: all answers, as claimed; only those
/// that the question is about count. Errors: kCancelled.
Result<Confirmation> confirm_moments(const Job& job, const Question& question,
                                     const std::vector<RerunStep>& steps,
                                     const std::vector<Moment>& moments,
                                     const std::stop_token& stop);

/// What the oracle thinks of the distances of some poses.
struct DistanceConfirmation {
  std::uint64_t poses = 0;
  std::uint64_t pairs = 0;      ///< of a link and an object
  std::uint64_t distances = 0;  ///< of these, told
  std::uint64_t undecided = 0;
  std::vector<std::string> refutations;
};

/// Asks the oracle about these poses, in parallel. Errors: kCancelled.
Result<DistanceConfirmation> confirm_distances(const Job& job, std::span<const RerunPose> poses,
                                               const std::stop_token& stop);

}  // namespace tocsin::app
