#include "app/check/distance/deepest.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "app/check/distance/between_frames.h"
#include "app/check/distance/deeper.h"

namespace tocsin::app {
namespace {

/// Indices between two whose values are known.
struct Gap {
  std::size_t from = 0;
  std::size_t to = 0;
  double bound = 0.0;     ///< no value between is greater
  std::size_t where = 0;  ///< where to look next
};

/// Bounds that differ by less count as equal, in slacks: rounding.
constexpr double kEqual = 1e-3;

/// The greater bound on top of the queue; of equals the first.
bool operator<(const Gap& p, const Gap& q) {
  return std::pair(p.bound, q.from) < std::pair(q.bound, p.from);
}

/// The search of greatest().
class Search {
 public:
  Search(const CostlyValues& values, double slack)
      : values_(values), slack_(slack), known_(values.count), most_(values.count) {}

  std::size_t run() {
    look(0);
    if (known_.size() > 1) look(known_.size() - 1);
    add(0, known_.size() - 1);
    while (!gaps_.empty() && may_win(gaps_.top().bound)) {
      const Gap gap = gaps_.top();
      gaps_.pop();
      look(gap.where);
      add(gap.from, gap.where);
      add(gap.where, gap.to);
    }
    return best_;
  }

 private:
  [[nodiscard]] bool may_win(double bound) const { return bound > known_[best_] + slack_; }

  void look(std::size_t i) {
    known_[i] = values_.value(i);
    if (known_[i] > known_[best_]) best_ = i;
  }

  [[nodiscard]] double bound_at(std::size_t i, std::size_t from, std::size_t to) {
    const double bound = std::min(known_[from] + values_.most_change(from, i),
                                  known_[to] + values_.most_change(i, to));
    if (!may_win(bound)) return bound;
    if (!most_[i]) most_[i] = values_.most(i);
    return std::min(bound, *most_[i]);
  }

  void add(std::size_t from, std::size_t to) {
    if (to - from < 2) return;
    Gap gap{from, to, -HUGE_VAL, from + 1};
    double at_where = -HUGE_VAL;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double bound = bound_at(i, from, to);
      gap.bound = std::max(gap.bound, bound);
      if (bound <= at_where + kEqual * slack_) continue;  // of equals the first
      at_where = bound;
      gap.where = i;
    }
    if (!may_win(gap.bound)) return;
    // Never near an end of a long gap, so that gaps halve often enough.
    const std::size_t margin = std::max<std::size_t>(1, (to - from) / 4);
    gap.where = std::clamp(gap.where, from + margin, to - margin);
    gaps_.push(gap);
  }

  const CostlyValues& values_;
  double slack_;
  std::vector<double> known_;                ///< per index; of those that were looked at
  std::vector<std::optional<double>> most_;  ///< per index; of those that were asked about
  std::size_t best_ = 0;
  std::priority_queue<Gap> gaps_;
};

}  // namespace

std::size_t greatest(const CostlyValues& values, double slack) {
  return Search(values, slack).run();
}

Result<io::Deepest> Deeper::told() const {
  if (error_) return *error_;
  const Step& step = run_->steps()[at_.step];
  io::Deepest out;
  out.frames = step.frames();
  if (at_.time == 0.0) out.frames[1] = out.frames[0];
  if (at_.time == 1.0) out.frames[0] = out.frames[1];
  out.seconds = step.seconds(at_.time);
  out.depth = best_.depth;
  out.inside = best_.inside;
  out.through = best_.through;
  return out;
}

Result<io::Deepest> deepest_moment(const PairRun& run) {
  Deeper frames(run);
  CostlyValues depths;
  depths.count = run.frames();
  depths.value = [&](std::size_t i) { return frames.look_at_frame(i); };
  depths.most = [&run](std::size_t i) { return run.most_depth(i); };
  depths.most_change = [&run](std::size_t i, std::size_t j) { return run.most_change(i, j); };
  greatest(depths, kDepthSlack);
  const auto between = deeper_between(run, frames);
  return between ? between->told() : frames.told();
}

}  // namespace tocsin::app
