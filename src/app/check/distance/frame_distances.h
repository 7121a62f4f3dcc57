// `--nearest D`: how far each link is from each object within D, or how deep in it, frame by frame.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/check/job.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// A pose of an avatar: the begin or the end of one of the job's steps.
struct AskedPose {
  int avatar = 0;
  const Step* step = nullptr;
  double time = 0.0;  ///< local: 0, or 1
  std::int64_t frame = 0;
  double seconds = 0.0;
};

/// Every frame, or instant, at which a step begins or ends, once an avatar; in order of (frame,
/// avatar).
std::vector<AskedPose> asked_poses(const Job& job);

/// Takes the next pose with all that is within the distance, in order of (link, object); false:
/// stop.
using PoseSink = std::function<bool(const AskedPose&, std::span<const io::FrameDistance>)>;

/// Asks Detector::nearest of all poses of a job within options.nearest; none if that is 0. Errors:
/// as Detector::nearest; kCancelled: `stop`, or the sink.
Status find_distances(const Job& job, const Detector& detector, const std::stop_token& stop,
                      const PoseSink& sink);

/// Of every pair of a link and an object the least distance of all frames; of several the first.
class LeastDistances {
 public:
  void add(std::span<const io::FrameDistance> distances);
  /// The nearest first.
  [[nodiscard]] std::vector<io::FrameDistance> sorted() const;

 private:
  using Pair = std::tuple<int, std::int32_t, std::uint32_t>;  ///< avatar, link, object
  std::map<Pair, io::FrameDistance> least_;
};

/// A pair where it is nearest, for people.
struct DistanceRow {
  double metres = 0.0;  ///< LinkDistance::distance
  std::int64_t frame = 0;
  double seconds = 0.0;
  std::string link;
  std::string object;
};

/// A table of these. `within`: metres. `at`: what the frames are. `rest`: what shows those that are
/// left out; empty: none are, else all beyond a screenful.
std::string render_distances(std::span<const DistanceRow> rows, double within, std::string_view at,
                             std::string_view rest);
/// The same of a check. `all`: every row.
std::string render_distances(const Job& job, std::span<const io::FrameDistance> least, bool all);

}  // namespace tocsin::app
