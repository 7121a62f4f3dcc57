// The first half of `tocsin verify`: runs the check of a report's inputs again and compares the
// results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/check/distance/frame_distances.h"
#include "app/check/distance/near_pairs.h"
#include "app/check/job.h"
#include "io/report/report.h"
#include "io/report/report_reader.h"

namespace tocsin::app {

/// The options of the check that made a report or record, with the files where they are found now:
/// relative names first against the current folder, then against the report's. Errors (kInput),
/// naming the file: not found; not the bytes that the report was made from (sha256).
Result<io::CheckOptions> recorded_options(const io::ReadReport& report,
                                          const std::filesystem::path& file);

/// Whether these bytes were read: a file may change between the two times that it is looked at.
/// Errors (kInput): one of another hash.
/// The motion of a record that is unfinished has none.
Status check_inputs(const io::ReadReport& recorded, const io::InputLog& read,
                    const std::filesystem::path& file);

/// The result of the check for one step of one avatar.
struct RerunStep {
  std::int32_t avatar = 0;
  const Step* step = nullptr;  ///< of the job
  std::vector<Contact> contacts;
  std::vector<double> clearances = {};  ///< one a link; none without --clearance
};

/// What `--near` was answered from: the check with grown links, and its answers.
struct GrownRerun {
  GrownCheck check;
  std::vector<RerunStep> steps;  ///< as Rerun::steps
};

/// What `--nearest` says of one pose.
struct RerunPose {
  AskedPose pose;
  std::vector<LinkDistance> distances;
};

/// The results of the repeated check.
struct Rerun {
  io::RunRecord run;
  io::Tally tally;
  std::int64_t episodes = 0;
  std::string first;
  std::string hash;
  std::vector<io::ReportLine> contact_lines;  ///< `number` is not used
  std::vector<io::ReportLine> clearance_lines;
  std::vector<io::ReportLine> episode_lines;
  std::vector<io::ReportLine> near_lines;
  std::vector<io::ReportLine> nearest_lines;
  std::vector<io::ReportLine> distance_lines;
  std::vector<RerunPose> poses;  ///< of --nearest, in order
  /// In order of (step, avatar). They refer to the job.
  std::vector<RerunStep> steps;
  std::vector<GrownRerun> grown;
};

/// True if the report says that it tells this (io::kTellsEpisodes ...).
bool tells(const io::ReadReport& report, std::string_view what);

/// True if the report says how deep its episodes are. Older ones, and those of live sessions, do
/// not.
bool tells_depths(const io::ReadReport& report);

/// Runs a check and keeps all results. `depths`: of episodes as well. Errors: as Detector::run().
Result<Rerun> rerun_check(const Job& job, const Detector& detector, bool depths,
                          const std::stop_token& stop);

/// Differences of a report from the rerun, or from its own lines, a sentence each: at most `most`,
/// and then one that counts the rest. Empty: none.
std::vector<std::string> differences(const io::ReadReport& report, const Rerun& rerun,
                                     std::size_t most);

/// The whole lines that a session had written for its report when it was cut off: of contacts, and
/// of clearances. None: there is no such file beside the record (`NAME.lines` of `NAME.poses`).
struct WrittenLines {
  std::vector<io::ReportLine> contacts;
  std::vector<io::ReportLine> clearances;
  std::size_t beyond = 0;  ///< dropped
};
WrittenLines written_lines(const std::filesystem::path& poses);

/// Drops those of steps from `step` on, whose poses were cut off.
void drop_lines_from(std::int64_t step, WrittenLines& written);

/// The same of these: the rerun must begin with them.
std::vector<std::string> differences(const WrittenLines& written, const Rerun& rerun,
                                     std::size_t most);

}  // namespace tocsin::app
