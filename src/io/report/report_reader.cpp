#include "io/report/report_reader.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "base/json_text.h"
#include "base/text_file.h"
#include "io/report/report_fields.h"
#include "io/report/run_reader.h"

namespace tocsin::io {
namespace {

using namespace fields;

void read_summary(const OrderedJson& json, ReadReport& report) {
  Tally& tally = report.tally;
  tally.steps = count_in(json, "steps");
  tally.contacts = count_in(json, "contacts");
  tally.hit = count_in(json, "hit");
  tally.graze = count_in(json, "graze");
  tally.overlap = count_in(json, "overlap");
  tally.limited = count_in(json, "limited");
  report.episodes = count_in(json, "episodes");
  report.hash = text_in(json, "hash");
  const OrderedJson& first = field(json, "first");
  if (!first.is_null() && !first.is_object()) refuse_type("first", "a contact or null");
  if (first.is_object())
    report.first = first.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Reports of before depths do not have it.
void check_deepest(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("deepest", "an object");
  static_cast<void>(count_in(json, "frame"));
  static_cast<void>(number_in(json, "seconds"));
  static_cast<void>(number_in(json, "depth"));
}

/// Reads line after line and keeps what they say.
class ReportReader {
 public:
  void take(std::string_view line, std::int64_t number) {
    if (finished_) throw Refused{"there is a line after the summary"};
    const OrderedJson json = parse_line(line);
    const std::string type = text_in(json, "type");
    if ((type == "run") != (number == 1)) {
      throw Refused{"the first line, and no other, is to be of type \"run\""};
    }
    if (type == "run") {
      report_.run = read_run(json, report_.version);
    } else if (type == "contact") {
      hash_.update(line);
      hash_.update("\n");
      report_.contacts.push_back({number, count_in(json, "step"), std::string(line)});
    } else if (type == "clearance") {
      report_.clearances.push_back({number, count_in(json, "step"), std::string(line)});
    } else if (type == "episode") {
      const OrderedJson& frames = list_of(json, "frames", 2);
      if (json.contains("deepest")) check_deepest(json["deepest"]);
      report_.episode_lines.push_back({number, to_count(frames[0], "frames"), std::string(line)});
    } else if (type == "near") {
      static_cast<void>(number_in(json, "metres"));
      report_.near_lines.push_back({number, count_in(json, "frame"), std::string(line)});
    } else if (type == "nearest") {
      report_.nearest_lines.push_back({number, count_in(json, "step"), std::string(line)});
    } else if (type == "distance") {
      static_cast<void>(number_in(json, "metres"));
      report_.distance_lines.push_back({number, count_in(json, "frame"), std::string(line)});
    } else if (type == "summary") {
      read_summary(json, report_);
      finished_ = true;
    } else {
      report_.warnings.push_back(fmt::format(
          "line {}: a record of type \"{}\" is not known to this version and was not verified",
          number, base::printable(type)));
    }
  }

  [[nodiscard]] bool finished() const { return finished_; }
  ReadReport result() && {
    report_.hash_of_lines = hash_.hex();
    return std::move(report_);
  }

 private:
  ReadReport report_;
  Fnv1a64 hash_;
  bool finished_ = false;
};

}  // namespace

bool is_report(const std::filesystem::path& file) {
  constexpr std::string_view kBegin = R"({"type":"run",)";
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status)) return false;
  std::ifstream in(file, std::ios::binary);
  std::string begin(kBegin.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kBegin;
}

bool same_record(std::string_view a, std::string_view b) {
  const OrderedJson left = OrderedJson::parse(a, nullptr, false);
  const OrderedJson right = OrderedJson::parse(b, nullptr, false);
  return !left.is_discarded() && !right.is_discarded() && left == right;
}

Result<ReadReport> read_report(const std::filesystem::path& file) {
  std::error_code status;
  if (!std::filesystem::exists(file, status))
    return base::file_error(file, "there is no such file");
  if (!std::filesystem::is_regular_file(file, status)) return base::file_error(file, "not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  return read_report(in, file);
}

Result<ReadReport> read_report(std::istream& in, const std::filesystem::path& file) {
  ReportReader reader;
  std::string line;
  std::int64_t number = 0;
  while (std::getline(in, line)) {
    ++number;
    try {
      reader.take(line, number);
    } catch (const Refused& refused) {
      return {ErrorCode::kInput, fmt::format("{}:{}: {}", file.string(), number, refused.cause)};
    }
  }
  if (in.bad()) return base::file_error(file, "cannot be read");
  if (number == 0) return base::file_error(file, "the file is empty");
  if (!reader.finished()) {
    return base::file_error(
        file, fmt::format("ends at line {} without a summary: the run that wrote it did not "
                          "finish, or the end was cut off",
                          number));
  }
  return std::move(reader).result();
}

}  // namespace tocsin::io
