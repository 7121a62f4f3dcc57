#include "app/check/csv.h"

#include <fmt/format.h>

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

/// The object; or empty, and the other link's take and name.
std::vector<std::string> touched_cells(const Job& job, const Contact& contact) {
  if (const RoomTriangle* const room = contact.room()) {
    return {quoted_cell(object_name(job, room->object)), "", ""};
  }
  const auto [avatar, link] = *contact.other();
  return {"", quoted_cell(job.takes[static_cast<std::size_t>(avatar)].file),
          quoted_cell(link_of(job, avatar, link))};
}

std::vector<std::string> depth_cells(const io::Episode& episode) {
  if (!episode.deepest) return {"", "", ""};
  return {number_cell(episode.deepest->depth), number_cell(episode.deepest->frames[0]),
          number_cell(episode.deepest->seconds)};
}

std::string row(const Job& job, const io::Episode& episode) {
  const Contact& contact = episode.first;
  std::vector<std::string> cells{
      quoted_cell(job.takes[static_cast<std::size_t>(episode.avatar)].file),
      quoted_cell(link_of(job, episode.avatar, contact.link))};
  for (std::string& cell : touched_cells(job, contact)) cells.push_back(std::move(cell));
  cells.emplace_back(io::name_of(contact.status));
  for (const std::int64_t n : {episode.frames[0], episode.frames[1], episode.steps}) {
    cells.push_back(number_cell(n));
  }
  for (const double n : {episode.first_touch[0], episode.first_touch[1], episode.until,
                         contact.point.x, contact.point.y, contact.point.z}) {
    cells.push_back(number_cell(n));
  }
  for (std::string& cell : depth_cells(episode)) cells.push_back(std::move(cell));
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::string csv_heading() {
  return "take,link,object,other_take,other_link,status,first_frame,last_frame,steps,"
         "free_until_s,touch_s,end_s,x_m,y_m,z_m,"
         "depth_m,deepest_frame,deepest_s\n";
}

std::string csv_rows(const Job& job, std::span<const io::Episode> episodes, SortBy sort) {
  std::string out;
  for (const io::Episode* const episode : ordered(episodes, sort)) out += row(job, *episode);
  return out;
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
