// What the lines of a report tell, as values: for those that show a report and do not check it
// again.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/report/report_reader.h"
#include "tocsin/contact.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// A link and what it touches, by their names.
struct ToldPair {
  std::int32_t avatar = 0;  ///< index into the run's avatars; 0 of one take
  std::string link;
  std::string object;              ///< empty: the other link is touched
  std::int32_t other_avatar = -1;  ///< -1: an object is touched
  std::string other_link;

  [[nodiscard]] bool of_links() const { return other_avatar >= 0; }
  friend bool operator==(const ToldPair&, const ToldPair&) = default;
};

/// A contact line.
struct ToldContact {
  ToldPair pair;
  std::int64_t step = 0;
  std::array<std::int64_t, 2> frames{};
  std::array<double, 2> seconds{};  ///< the bracket, since frame 0
  std::array<double, 2> toc{};      ///< the same in step time
  ContactStatus status = ContactStatus::kHit;
  std::optional<std::int64_t> triangle;  ///< of an object
  Vec3 point;                            ///< world, metres
  std::optional<Vec3> normal;            ///< unit
  std::optional<double> depth;           ///< metres; of a link inside a solid
  bool inside = false;
  bool limited = false;
};

/// The worst moment of an episode, as its line tells it.
struct ToldDeepest {
  std::int64_t frame = 0;
  double seconds = 0.0;
  double depth = 0.0;  ///< metres
  bool inside = false;
  bool through = false;
  bool between = false;
};

/// An episode line.
struct ToldEpisode {
  ToldContact first;
  std::array<std::int64_t, 2> frames{};
  std::array<double, 2> seconds{};  ///< first proved touching; the end of the last step in contact
  std::int64_t steps = 0;
  std::optional<ToldDeepest> deepest;
  std::vector<std::size_t> contacts;  ///< its lines among ToldReport::contacts, in order

  [[nodiscard]] const ToldPair& pair() const { return first.pair; }
};

/// A clearance line.
struct ToldClearance {
  std::int32_t avatar = 0;
  std::string link;
  std::int64_t step = 0;
  std::array<std::int64_t, 2> frames{};
  std::optional<double> metres;  ///< none: everything is ignored
};

struct ToldReport {
  std::vector<ToldContact> contacts;  ///< in order of the lines
  std::vector<ToldEpisode> episodes;  ///< in order of first touch
  std::vector<ToldClearance> clearances;
  /// True of a live session's report, and of one of before episodes were written: it has contacts,
  /// and no episode lines (derive_episodes()).
  bool lacks_episodes = false;
};

/// Reads them. Errors (kInput), naming file and line: a field that is missing or of another type;
/// an avatar or a link that the run line does not have; an episode without its first contact.
Result<ToldReport> read_told(const ReadReport& report, const std::filesystem::path& file);

/// A step of an avatar: its position among the avatar's steps, and when it ends, seconds.
struct StepPlace {
  std::size_t position = 0;
  double end = 0.0;
};
/// Of an avatar's step by its index.
using StepPlaces = std::function<StepPlace(std::int32_t avatar, std::int64_t step)>;

/// Puts a report's episodes together from its contact lines, in order of first touch, as a check
/// does. Precondition: lacks_episodes.
void derive_episodes(ToldReport& told, const StepPlaces& places);

/// The file of avatar i's take, as the run line has it; of a body, its motion or mesh.
std::string told_take(const RunRecord& run, std::int32_t avatar);

/// The links of avatar i. Precondition: there is one.
const std::vector<std::string>& told_links(const RunRecord& run, std::int32_t avatar);

}  // namespace tocsin::io
