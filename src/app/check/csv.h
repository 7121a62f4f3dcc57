// Episodes as comma-separated values, for spreadsheets: RFC 4180, lines end with a newline.
#pragma once

#include <span>
#include <string>

#include "app/check/check_command.h"
#include "app/check/job.h"
#include "io/input_files.h"
#include "io/report/episodes.h"
#include "io/report/told.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// The names of the columns. Lengths in metres, times in seconds.
std::string csv_heading();

/// The line of an episode that a report tells, as check writes it. take, other_take: the files of
/// the avatars' takes; the latter is empty for an object.
std::string csv_row(const io::ToldEpisode& episode, const std::string& take,
                    const std::string& other_take);

/// One line an episode, in the wanted order. Numbers as in reports; what an episode does not have
/// is empty. `episodes`: in order of first touch.
std::string csv_rows(const Job& job, std::span<const io::Episode> episodes, SortBy sort);

/// An error (kUsage) if --csv names an input, or the report.
Status check_csv(const CheckCommand& command, const io::InputLog& inputs);

}  // namespace tocsin::app
