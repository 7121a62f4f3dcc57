// A report that is shown: its lines, and the takes and rooms that it was made from.
#pragma once

#include <functional>
#include <string>

#include "app/check/job.h"
#include "io/report/report_reader.h"
#include "io/report/told.h"
#include "tocsin/result.h"
#include "view/film/film.h"

namespace tocsin::app {

struct ShownReport {
  std::string file;
  io::ReadReport report;
  io::ToldReport told;  ///< with its episodes
  Job job;
};

/// Reads a report, and the inputs that it names. Its results are not checked again (`tocsin verify`
/// does). Errors (kInput), naming the file: as io::read_report(), io::read_told() and
/// load_recorded(); a report whose contact lines were changed after it was written (their hash), or
/// of image space, whose contacts may be none.
Result<ShownReport> load_shown(const std::string& file, int threads);

/// An error (kUsage) if `output` is the report or one of its inputs. `option` names it.
Status refuse_shown_inputs(const char* option, const std::string& output, const ShownReport& shown);

/// "left_foot", of several avatars "left_foot of dancer".
std::string told_link_text(const Job& job, std::int32_t avatar, const std::string& link);
/// What is touched: the object, or the other link.
std::string told_thing_text(const Job& job, const io::ToldPair& pair);

/// How many parts a step of a take is cut into, by its place among the take's steps.
using TakeParts = std::function<std::int64_t(std::size_t take, std::size_t step)>;

/// The figures, marks and notes of a report. Without its room. Figures that have no step are left
/// out. Precondition: its room did not change.
view::Film make_film(const ShownReport& shown, const TakeParts& parts);

}  // namespace tocsin::app
