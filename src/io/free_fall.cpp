#include "io/free_fall.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/vector/vec.h"
#include "io/stance.h"

namespace tocsin::io {
namespace {

constexpr std::int64_t kMostFallFrames = 20000;
/// Seconds. Shorter pieces of a gait are parabolas, too.
constexpr double kWindow = 0.2;
/// Seconds: one flight of that length is enough.
constexpr double kLongFlight = 0.3;
/// Gaps of a window: fewer do not show a parabola.
constexpr std::size_t kLeastGaps = 6;
/// Of the body's size, above the lowest place of the motion: nothing touches the ground.
constexpr double kAbove = 0.03;
/// Of the parabola's bend in the window.
constexpr double kOffParabola = 0.02;
/// Of the fall, sideways: air resistance and the bones' weights that are not known.
constexpr double kSideways = 0.1;
/// Of the mean: how far flights may be apart.
constexpr double kApart = 0.1;

/// What is needed of one frame.
struct Moment {
  Vec3 middle;
  double lowest = 0.0;
};

Moment moment_of(const Motion& motion, std::int64_t frame) {
  const std::span<const Joint> joints = motion.skeleton().joints();
  const std::span<const Transform> pose = motion.pose(frame);
  const std::vector<Vec3> at = world_places(motion.skeleton(), pose);
  Moment out{{}, at.front().y};
  double weight = 0.0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    out.lowest = std::min(out.lowest, at[i].y);
    if (joints[i].parent < 0) continue;
    const double length = core::norm(pose[i].translation);
    out.middle =
        out.middle + (0.5 * length) * (at[i] + at[static_cast<std::size_t>(joints[i].parent)]);
    weight += length;
  }
  out.middle = weight > 0.0 ? (1.0 / weight) * out.middle : at.front();
  return out;
}

/// The parabola that fits best: its second derivative in steps of one gap, and how far the points
/// are off it (root mean square).
struct Parabola {
  Vec3 bend;
  double off = 0.0;  ///< of the second coordinate
};

Parabola fit(const Moment* moments, std::size_t count) {
  const double middle = 0.5 * static_cast<double>(count - 1);
  const double mean_square = (static_cast<double>(count * count) - 1.0) / 12.0;
  Vec3 mean;
  Vec3 slope;
  Vec3 bend;
  double squares = 0.0;
  double fourths = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) - middle;
    const double q = t * t - mean_square;
    mean = mean + moments[i].middle;
    slope = slope + t * moments[i].middle;
    bend = bend + q * moments[i].middle;
    squares += t * t;
    fourths += q * q;
  }
  mean = (1.0 / static_cast<double>(count)) * mean;
  slope = (1.0 / squares) * slope;
  bend = (1.0 / fourths) * bend;
  double off = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) - middle;
    const double wanted = mean.y + slope.y * t + bend.y * (t * t - mean_square);
    off += (moments[i].middle.y - wanted) * (moments[i].middle.y - wanted);
  }
  return {2.0 * bend, std::sqrt(off / static_cast<double>(count))};
}

/// A fall during `count` moments.
bool falls(const Parabola& p, std::size_t count) {
  const double gaps = static_cast<double>(count - 1);
  const double sag = -p.bend.y * gaps * gaps / 8.0;
  return p.bend.y < 0.0 && p.off <= kOffParabola * sag &&
         core::norm(Vec3{p.bend.x, 0.0, p.bend.z}) <= -kSideways * p.bend.y;
}

struct Flight {
  double seconds = 0.0;
  double acceleration = 0.0;  ///< of its middle window
};

std::vector<Flight> flights_of(const std::vector<Moment>& moments, double gap, double least) {
  const std::size_t count =
      std::max(kLeastGaps, static_cast<std::size_t>(std::ceil(kWindow / gap - 1e-6))) + 1;
  std::vector<Flight> out;
  std::vector<double> run;  // accelerations of successive windows that fall
  const auto end_run = [&] {
    if (run.empty()) return;
    out.push_back({gap * static_cast<double>(run.size() + count - 2), run[run.size() / 2]});
    run.clear();
  };
  for (std::size_t i = 0; i + count <= moments.size(); ++i) {
    const bool off_ground =
        std::all_of(moments.begin() + static_cast<std::ptrdiff_t>(i),
                    moments.begin() + static_cast<std::ptrdiff_t>(i + count),
                    [&](const Moment& moment) { return moment.lowest > least; });
    const Parabola parabola = off_ground ? fit(&moments[i], count) : Parabola{};
    if (off_ground && falls(parabola, count)) {
      run.push_back(-parabola.bend.y / (gap * gap));
    } else {
      end_run();
    }
  }
  end_run();
  return out;
}

}  // namespace

std::optional<double> free_fall(const Motion& motion, double size) {
  const double gap = motion.frame_time();
  // At less than some 30 Hz a window would be longer than most flights.
  if (!motion.ticks().empty() || static_cast<double>(kLeastGaps) * gap > 1.1 * kWindow) {
    return std::nullopt;
  }
  std::vector<Moment> moments;
  for (std::int64_t f = 1; f < std::min(kMostFallFrames, motion.frame_count()); ++f) {
    moments.push_back(moment_of(motion, f));
  }
  if (moments.empty()) return std::nullopt;
  const double lowest =
      std::min_element(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
        return a.lowest < b.lowest;
      })->lowest;
  const std::vector<Flight> flights = flights_of(moments, gap, lowest + kAbove * size);
  double mean = 0.0;
  double longest = 0.0;
  for (const Flight& flight : flights) {
    mean += flight.acceleration / static_cast<double>(flights.size());
    longest = std::max(longest, flight.seconds);
  }
  if (flights.size() < 2 && longest < kLongFlight) return std::nullopt;
  for (const Flight& flight : flights) {
    if (std::fabs(flight.acceleration - mean) > kApart * mean) return std::nullopt;
  }
  return mean;
}

}  // namespace tocsin::io
