#include "app/check/distance/between_frames.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace tocsin::app {
namespace {

/// A pair this far from touching at a frame touches between frames, or is a graze; metres.
constexpr double kFreeAtFrame = 1e-6;
/// An episode's search ends after so many moments. Real takes need a tenth of it; only steps that
/// are far wider than the link get here.
constexpr int kMostLooks = 4096;

/// A stretch of a step, and what is known of its ends: bounds of their depths, metres, and whether
/// the link's start may be in the object there.
struct Stretch {
  std::size_t step = 0;
  double from = 0.0;  ///< local times
  double to = 0.0;
  double at_from = 0.0;
  double at_to = 0.0;
  bool in_from = false;
  bool in_to = false;
  double speed = 0.0;  ///< the depth changes no faster, metres per step
  double bound = 0.0;  ///< no depth in it is greater
};

/// The greater bound on top of the queue; of equals the first.
bool operator<(const Stretch& p, const Stretch& q) {
  return std::pair(p.bound, std::pair(q.step, q.from)) <
         std::pair(q.bound, std::pair(p.step, p.from));
}

class BetweenSearch {
 public:
  BetweenSearch(const PairRun& run, const Deeper& frames)
      : run_(run), between_(run), least_(frames.depth()) {
    // The first touch is between frames where all frames are free.
    if (is_free(frames.depth())) between_.look({0, run.begin()});
    find_most(frames.at_frames());
    for (std::size_t step = 0; step < run.steps().size(); ++step) add_step(step);
  }

  Deeper run() && {
    for (int looks = 0; looks < kMostLooks && !open_.empty(); ++looks) {
      const Stretch top = open_.top();
      if (!may_win(top.bound) || between_.failed()) break;
      open_.pop();
      split(top);
    }
    return std::move(between_);
  }

 private:
  [[nodiscard]] bool may_win(double bound) const {
    return bound > std::max(least_, between_.depth_or(least_)) + kBetweenSlack;
  }

  /// A bound of the depth at each frame: its own, or of a neighbour with what lies between.
  void find_most(std::span<const std::optional<double>> known) {
    most_.reserve(known.size());
    for (const auto& one : known) most_.push_back(one.value_or(HUGE_VAL));
    for (std::size_t i = 1; i < most_.size(); ++i) {
      if (!known[i]) most_[i] = std::min(most_[i], most_[i - 1] + run_.most_change(i - 1, i));
    }
    for (std::size_t i = most_.size() - 1; i-- > 0;) {
      if (!known[i]) most_[i] = std::min(most_[i], most_[i + 1] + run_.most_change(i, i + 1));
    }
  }

  void add_step(std::size_t step) {
    Stretch whole{step, step == 0 ? run_.begin() : 0.0, 1.0, most_[step], most_[step + 1], true,
                  true, run_.most_speed(step)};
    set_bound(whole);
    if (!may_win(whole.bound)) return;
    whole.in_from = run_.may_be_inside(step);
    whole.in_to = run_.may_be_inside(step + 1);
    add(whole);
  }

  void add(Stretch& stretch) {
    set_bound(stretch);
    if (may_win(stretch.bound)) open_.push(stretch);
  }

  void set_bound(Stretch& s) const {
    const double change = (s.to - s.from) * s.speed;
    const double from = std::min(s.at_from, s.at_to + change);
    const double to = std::min(s.at_to, s.at_from + change);
    s.bound = 0.5 * (from + to + change);
    // A link whose start stays outside is no deeper than where its axis meets the surface.
    const bool outside = !s.in_from && !s.in_to && change <= run_.reach();
    if (outside || !run_.solid()) s.bound = std::min(s.bound, run_.reach());
  }

  void split(const Stretch& s) {
    const double middle = 0.5 * (s.from + s.to);
    const RunMoment moment{s.step, middle};
    const double depth = between_.look(moment);
    const bool in = depth > run_.reach();
    Stretch first{s.step, s.from, middle, s.at_from, depth, s.in_from, in, s.speed};
    Stretch second{s.step, middle, s.to, depth, s.at_to, in, s.in_to, s.speed};
    add(first);
    add(second);
  }

  const PairRun& run_;
  Deeper between_;
  double least_;
  std::vector<double> most_;
  std::priority_queue<Stretch> open_;
};

constexpr double kAround = 1.0 / 16.0;  // of a step
constexpr int kNarrowings = 20;         // of twice kAround, to 1e-5 of a step

/// Golden section about the deepest moment, within its step and the episode.
void narrow(const PairRun& run, Deeper& deeper) {
  constexpr double kGolden = 0.6180339887498949;
  const RunMoment best = deeper.at();
  double low = std::max(best.step == 0 ? run.begin() : 0.0, best.time - kAround);
  double high = std::min(1.0, best.time + kAround);
  const auto left = [&] { return high - kGolden * (high - low); };
  const auto right = [&] { return low + kGolden * (high - low); };
  double at_left = deeper.look({best.step, left()});
  double at_right = deeper.look({best.step, right()});
  for (int i = 0; i < kNarrowings; ++i) {
    if (at_left > at_right) {
      high = right();
      at_right = at_left;
      at_left = deeper.look({best.step, left()});
    } else {
      low = left();
      at_left = at_right;
      at_right = deeper.look({best.step, right()});
    }
  }
}

}  // namespace

bool is_free(double depth) { return depth < -kFreeAtFrame; }

std::optional<Deeper> deeper_between(const PairRun& run, const Deeper& frames) {
  Deeper between = BetweenSearch(run, frames).run();
  if (!between.any()) return std::nullopt;
  if (!is_free(frames.depth()) && between.depth() <= frames.depth() + kBetweenSlack) {
    return std::nullopt;
  }
  narrow(run, between);
  return between;
}

}  // namespace tocsin::app
