// Episodes of contact as rows for people: one row an episode, or one an object or a link.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/check/job.h"
#include "io/report/episodes.h"

namespace tocsin::app {

enum class SortBy : std::uint8_t { kTime, kDepth, kLength };
enum class GroupBy : std::uint8_t { kNone, kObject, kLink };

/// How a table shows the episodes.
struct TableWishes {
  SortBy sort = SortBy::kTime;
  GroupBy group = GroupBy::kNone;
  bool all = false;  ///< every row, not only a screenful
};

/// Rows that a table shows without --all: a screenful.
inline constexpr std::size_t kMostRows = 40;

/// Seconds in which at least one of the episodes goes on. Precondition: in order of first touch.
double seconds_in_contact(std::span<const io::Episode* const> episodes);

/// "105-106", or "105" where both are one.
std::string span_cell(const std::array<std::int64_t, 2>& frames);

/// "2-6": the frames of an episode.
std::string frames_cell(const io::Episode& episode);

/// "0.034 m": how deep, with a ">=" if it is at least that; empty if that is not known.
std::string depth_cell(const io::Episode& episode);

/// The episodes in the wanted order; equals stay in order of first touch. Precondition: in order of
/// first touch.
std::vector<const io::Episode*> ordered(std::span<const io::Episode> episodes, SortBy sort);

/// The table, and a line about the rows that it leaves out. `episodes`: at least one, in order of
/// first touch.
std::string render_episodes(const Job& job, std::span<const io::Episode> episodes,
                            const TableWishes& wishes);

}  // namespace tocsin::app
