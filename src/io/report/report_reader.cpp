#include "io/report/report_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/json_text.h"
#include "base/text_file.h"
#include "io/report/option_names.h"
#include "io/report/report_fields.h"

namespace tocsin::io {
namespace {

using namespace fields;

std::vector<InputRecord> read_inputs(const OrderedJson& json) {
  std::vector<InputRecord> out;
  for (const OrderedJson& input : list_in(json, "inputs")) {
    if (!input.is_object()) refuse_type("inputs", "an array of objects");
    out.push_back({text_in(input, "role"), text_in(input, "file"), text_in(input, "sha256")});
    if (input.contains("file_bytes")) out.back().file = bytes_in(input, "file_bytes");
  }
  return out;
}

Take read_take(const OrderedJson& json) {
  Take o;
  o.avatar.model = text_in(json, "avatar");
  o.reading.unit_metres = number_in(json, "motion_unit");
  if (!field(json, "skeleton").is_null()) o.reading.skeleton = text_in(json, "skeleton");
  if (!field(json, "rate").is_null()) o.reading.rate = number_in(json, "rate");
  // Reports of version 0.1 do not have these three.
  if (json.contains("clip") && !json["clip"].is_null()) o.reading.clip = text_in(json, "clip");
  if (json.contains("skin") && !json["skin"].is_null()) o.reading.skin = text_in(json, "skin");
  if (json.contains("scale_radii")) o.avatar.radii.factor = number_in(json, "scale_radii");
  o.reading.up = named_in<UpAxis>(json, "motion_up");
  const OrderedJson& place = list_of(json, "place", 4);
  const auto at = [&place](std::size_t i) { return to_number(place[i], "place"); };
  o.avatar.place = {{at(0), at(1), at(2)}, at(3)};
  const OrderedJson& frames = list_of(json, "frames", 3);
  const auto frame = [&frames](std::size_t i) { return to_count(frames[i], "frames"); };
  o.frames = {frame(0), frame(1), frame(2)};
  if (json.contains("start")) o.start = number_in(json, "start");
  return o;
}

/// What each of several takes has of its own, as the options of one take.
std::vector<OrderedJson> options_by_take(const OrderedJson& json, std::size_t takes) {
  std::vector<OrderedJson> out(takes, OrderedJson::object());
  for (const std::string_view name : {"avatar", "motion_unit", "skeleton", "rate", "clip", "skin",
                                      "scale_radii", "motion_up", "place", "frames", "start"}) {
    const OrderedJson& values = list_of(json, name, takes);
    for (std::size_t i = 0; i < takes; ++i) out[i][std::string(name)] = values[i];
  }
  return out;
}

/// One take: plain values. Several: a list each, of which "avatar" says how many.
void read_takes(const OrderedJson& json, CheckOptions& o) {
  const OrderedJson& avatar = field(json, "avatar");
  if (!avatar.is_array()) {
    o.takes = {read_take(json)};
    return;
  }
  if (avatar.size() < 2) refuse_type("avatar", "a string or an array of several");
  o.takes.clear();
  for (const OrderedJson& take : options_by_take(json, avatar.size())) {
    o.takes.push_back(read_take(take));
  }
  o.absent = named_in<Absence>(json, "absent");
}

CheckOptions read_options(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("options", "an object");
  CheckOptions o;
  read_takes(json, o);
  o.room.up = named_in<UpAxis>(json, "env_up");
  o.room.scale = number_in(json, "env_scale");
  o.spec.in_between = named_in<InBetween>(json, "in_between");
  o.spec.margin = number_in(json, "margin");
  o.spec.ignore = texts_in(json, "ignore");
  o.spec.contacts = named_in<Contacts>(json, "contacts");
  o.spec.clearance = flag_in(json, "clearance");
  o.sampled = flag_in(json, "sampled");
  o.spec.tolerance = number_in(json, "tolerance");
  o.backend = named_in<Backend>(json, "backend");
  // Reports of version 0.1 know no OpenGL.
  if (json.contains("certify")) o.experiments.certify = flag_in(json, "certify");
  if (json.contains("gl_size")) {
    const OrderedJson& size = list_of(json, "gl_size", 2);
    const auto pixels = [&size](std::size_t i) {
      return static_cast<int>(std::min<std::int64_t>(to_count(size[i], "gl_size"), 1 << 20U));
    };
    o.gl.width = pixels(0);
    o.gl.height = pixels(1);
  }
  if (json.contains("gl_method")) o.gl.method = named_in<GlMethod>(json, "gl_method");
  o.threads = static_cast<int>(std::min<std::int64_t>(count_in(json, "threads"), 1 << 20U));
  if (!field(json, "out").is_null()) o.out = text_in(json, "out");
  o.fail_on_contact = flag_in(json, "fail_on_contact");
  if (json.contains("surface")) {
    o.spec.surfaces = texts_in(json, "surface");
  } else {  // written before there were solids, or as then
    o.spec.surfaces = {"*"};
  }
  if (json.contains("near")) o.near = number_in(json, "near");
  if (json.contains("self")) o.spec.self = flag_in(json, "self");
  return o;
}

std::vector<AvatarRecord> read_avatars(const OrderedJson& json) {
  std::vector<AvatarRecord> out;
  for (const OrderedJson& avatar : list_in(json, "avatars")) {
    if (!avatar.is_object()) refuse_type("avatars", "an array of objects");
    out.push_back({text_in(avatar, "motion"), text_in(avatar, "name"), texts_in(avatar, "links"),
                   count_in(avatar, "frames"), number_in(avatar, "frame_time"),
                   number_in(avatar, "unit_metres")});
  }
  return out;
}

TimeLineRecord read_time_line(const OrderedJson& json) {
  const OrderedJson& line = field(json, "time_line");
  if (!line.is_object()) refuse_type("time_line", "an object");
  return {static_cast<std::uint64_t>(count_in(line, "instants")), number_in(line, "from"),
          number_in(line, "to")};
}

void read_run(const OrderedJson& json, ReadReport& report) {
  const std::string format = text_in(json, "format");
  if (format != "tocsin.report.v1") {
    throw Refused{
        fmt::format("format \"{}\" is not known here; this version reads tocsin.report.v1",
                    base::printable(format))};
  }
  report.version = text_in(json, "version");
  RunRecord& run = report.run;
  run.backend = text_in(json, "backend");
  run.device = text_in(json, "device");
  run.certified = flag_in(json, "certified");
  run.inputs = read_inputs(json);
  run.options = read_options(field(json, "options"));
  run.frames = count_in(json, "frames");
  run.frame_time = number_in(json, "frame_time");
  run.unit_metres = number_in(json, "unit_metres");
  run.links = texts_in(json, "links");
  run.objects = static_cast<std::uint64_t>(count_in(json, "objects"));
  run.triangles = static_cast<std::uint64_t>(count_in(json, "triangles"));
  if (!run.options.several()) return;
  run.avatars = read_avatars(json);
  run.time_line = read_time_line(json);
}

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
      read_run(json, report_);
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
