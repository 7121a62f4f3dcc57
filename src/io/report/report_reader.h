// Reads a report, so that it can be verified. The file is not trusted: lines are bounded in length
// and depth, and memory is bounded by the file's size times a small constant.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "io/report/report.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// A contact, clearance, episode or near line as it stands in the file, without its newline.
struct ReportLine {
  std::int64_t number = 0;  ///< line in the file, from 1
  std::int64_t step = 0;    ///< of an episode, its first
  std::string text;
};

/// A report as it stands in a file.
struct ReadReport {
  std::string version;  ///< of the Tocsin that wrote it
  RunRecord run;
  std::vector<ReportLine> contacts;
  std::vector<ReportLine> clearances;
  std::vector<ReportLine> episode_lines;   ///< none in a report of before they were written
  std::vector<ReportLine> near_lines;      ///< with --near; `step`: the frame
  std::vector<ReportLine> nearest_lines;   ///< with --clearance; none in older reports
  std::vector<ReportLine> distance_lines;  ///< with --nearest; `step`: the frame
  Tally tally;                             ///< as the summary claims
  std::int64_t episodes = 0;
  std::string first;          ///< the summary's first contact as a contact line; empty: null
  std::string hash;           ///< as the summary claims
  std::string hash_of_lines;  ///< recomputed from the contact lines' bytes
  std::vector<std::string>
      warnings;  ///< records of a type that this version does not know, with line
  /// True of a live session's record without a report (io/poses/record_head.h): only `version` and
  /// `run` are set, and the motion is not among the inputs.
  bool unfinished = false;
  bool room_changes = false;  ///< of such a record: SessionHead::room_changes
};

/// Errors (kInput), naming file and line: not a regular file; a line that is not a JSON object, is
/// longer than 64 MiB or nested deeper than 16; a field that is missing or of another type; no run
/// line at the start; no summary at the end (the run did not finish); a format other than
/// tocsin.report.v1.
Result<ReadReport> read_report(const std::filesystem::path& file);
/// The same of a report in memory; `file` stands for it in messages.
Result<ReadReport> read_report(std::istream& in, const std::filesystem::path& file);

/// True if a regular file begins as a report does, so that it need not be named as one. False if it
/// cannot be read.
bool is_report(const std::filesystem::path& file);

/// True if both are valid JSON of equal value (numbers as doubles, whatever their spelling).
bool same_record(std::string_view a, std::string_view b);

}  // namespace tocsin::io
