#include "app/check/csv.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "app/check/contact_words.h"
#include "app/cli/file_kind.h"
#include "base/json_text.h"
#include "io/report/option_names.h"

namespace tocsin::app {
namespace {

/// In quotes where a reader would otherwise take the text apart.
std::string quoted_cell(std::string_view text) {
  const std::string valid = base::valid_utf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string out = "\"";
  for (const char c : valid) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string number_cell(double value) {
  std::string out;
  base::append_json(out, value);
  return out;
}

std::string number_cell(std::int64_t value) { return fmt::format("{}", value); }

const std::string& link_of(const Job& job, std::int32_t avatar, std::int32_t link) {
  const JobTake& take = job.takes[static_cast<std::size_t>(avatar)];
  return take.member.avatar.links()[static_cast<std::size_t>(link)].name;
}

/// What a line says.
struct CsvCells {
  std::string take;
  std::string link;
  std::string object;      ///< empty: the other link is touched
  std::string other_take;  ///< of that
  std::string other_link;
  ContactStatus status = ContactStatus::kHit;
  std::array<std::int64_t, 2> frames{};
  std::int64_t steps = 0;
  std::array<double, 2> touch{};  ///< free until, touching then
  double end = 0.0;
  Vec3 point;
  std::optional<io::Deepest> deepest;  ///< its depth, first frame and time
};

std::string csv_line(const CsvCells& of) {
  std::vector<std::string> cells;
  for (const std::string* text : {&of.take, &of.link, &of.object, &of.other_take, &of.other_link}) {
    cells.push_back(quoted_cell(*text));
  }
  cells.emplace_back(io::name_of(of.status));
  for (const std::int64_t n : {of.frames[0], of.frames[1], of.steps}) {
    cells.push_back(number_cell(n));
  }
  for (const double n : {of.touch[0], of.touch[1], of.end, of.point.x, of.point.y, of.point.z}) {
    cells.push_back(number_cell(n));
  }
  if (of.deepest) {
    cells.push_back(number_cell(of.deepest->depth));
    cells.push_back(number_cell(of.deepest->frames[0]));
    cells.push_back(number_cell(of.deepest->seconds));
  } else {
    cells.insert(cells.end(), 3, "");
  }
  return fmt::format("{}\n", fmt::join(cells, ","));
}

CsvCells cells_of(const Job& job, const io::Episode& episode) {
  const Contact& contact = episode.first;
  CsvCells out;
  out.take = job.takes[static_cast<std::size_t>(episode.avatar)].file;
  out.link = link_of(job, episode.avatar, contact.link);
  if (const RoomTriangle* const room = contact.room()) {
    out.object = object_name(job, room->object);
  } else {
    const OtherLink other = *contact.other();
    out.other_take = job.takes[static_cast<std::size_t>(other.avatar)].file;
    out.other_link = link_of(job, other.avatar, other.link);
  }
  out.status = contact.status;
  out.frames = episode.frames;
  out.steps = episode.steps;
  out.touch = episode.first_touch;
  out.end = episode.until;
  out.point = contact.point;
  out.deepest = episode.deepest;
  return out;
}

}  // namespace

std::string csv_heading() {
  return "take,link,object,other_take,other_link,status,first_frame,last_frame,steps,"
         "free_until_s,touch_s,end_s,x_m,y_m,z_m,"
         "depth_m,deepest_frame,deepest_s\n";
}

std::string csv_rows(const Job& job, std::span<const io::Episode> episodes, SortBy sort) {
  std::string out;
  for (const io::Episode* const episode : ordered(episodes, sort))
    out += csv_line(cells_of(job, *episode));
  return out;
}

std::string csv_row(const io::ToldEpisode& episode, const std::string& take,
                    const std::string& other_take) {
  const io::ToldPair& pair = episode.pair();
  CsvCells cells;
  cells.take = take;
  cells.link = pair.link;
  cells.object = pair.object;
  cells.other_take = other_take;
  cells.other_link = pair.other_link;
  cells.status = episode.first.status;
  cells.frames = episode.frames;
  cells.steps = episode.steps;
  cells.touch = episode.first.seconds;
  cells.end = episode.seconds[1];
  cells.point = episode.first.point;
  if (episode.deepest) {
    const io::ToldDeepest& told = *episode.deepest;
    cells.deepest = io::Deepest{{told.frame, told.frame}, told.seconds, told.depth};
  }
  return csv_line(cells);
}

Status check_csv(const CheckCommand& command, const io::InputLog& inputs) {
  if (!command.csv || *command.csv == "-") return Nothing{};
  std::vector<std::string> files;
  for (const io::InputRecord& input : inputs) files.push_back(input.file);
  if (auto kept = refuse_overwriting("--csv", *command.csv, files); !kept) return kept;
  if (command.check.out && refuse_overwriting("", *command.csv, {*command.check.out})) {
    return Nothing{};
  }
  if (!command.check.out) return Nothing{};
  return Error{ErrorCode::kUsage, "--csv and --out: name one file for two results"};
}

}  // namespace tocsin::app
