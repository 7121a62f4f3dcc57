// Everything that a check needs, read and put together, and its run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/check/scene_replay.h"
#include "io/report/report.h"
#include "tocsin/tocsin.h"

namespace tocsin::app {

/// One of the avatars of a check, and its take.
struct JobTake {
  std::string file;  ///< the take's, as given
  /// What people call the avatar: the file's name without folder and ending, made distinct.
  std::string name;
  Motion motion;                          ///< placed
  Member member;                          ///< own pairs: none without --self
  std::vector<std::string> rest_ignored;  ///< LINK:LINK, left out by --ignore-rest
  /// Of a robot under --self: which pairs were left out, and why, for people; empty: none.
  std::string robot_pairs;
  StepList steps;  ///< on the time line, if there are several takes
  std::string
      avatar_reason;     ///< why this avatar was chosen, for people; empty if the user named it
  bool is_body = false;  ///< of --body: behind the takes, and without options of its own
  double start = 0.0;    ///< of a body: seconds on the time line at which its frame 0 is
};

/// A check that is ready to run.
struct Job {
  std::vector<JobTake> takes;  ///< at least one; bodies come last
  /// Of a session's record: how its room changed. Null: it did not.
  std::shared_ptr<const RecordedScene> scene;
  std::vector<double> instants;  ///< of the time line; empty if there is one take
  Environment environment;
  DetectorOptions detector;
  std::vector<io::InputRecord> inputs;  ///< take by take, body by body, then the rooms
  io::CheckOptions options;             ///< resolved
  /// How many pairs each --ignore switched off; those of --ignore-rest come behind them in options.
  std::vector<std::uint64_t> ignored;
  std::vector<std::string> warnings;  ///< from the readers, and about options that do nothing

  /// The take of a command that has only one.
  [[nodiscard]] const JobTake& only() const { return takes.front(); }
  [[nodiscard]] bool several() const { return takes.size() > 1; }
  /// True if two links may be told to touch.
  [[nodiscard]] bool pairs_links() const { return several() || options.spec.self; }
  /// Of all avatars.
  [[nodiscard]] std::size_t step_count() const;
};

/// The place in a take's steps of the first that begins at this frame, or instant, or later.
std::size_t position_of(const StepList& steps, std::int64_t index);

/// The run line of a job.
io::RunRecord run_record(const Job& job, const Detector& detector);
/// The names in its contact lines.
io::ReportNames report_names(const Job& job);

/// Precondition: it has a scene.
SceneReplay replay_of(const Job& job);

/// Takes the next answer, with its step; false: stop.
using StepSink = std::function<bool(const Step&, const StepReport&)>;

/// Runs the check by Detector::run: one take, or several on one time line. Errors: as
/// Detector::run.
Status run_job(const Job& job, const Detector& detector, const std::stop_token& stop,
               const StepSink& sink);

}  // namespace tocsin::app
