#include "io/report/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/json_text.h"
#include "io/report/report_fields.h"

namespace tocsin::io {
namespace {

using namespace fields;

using PairKey = std::tuple<std::int32_t, std::string, std::string, std::int32_t, std::string>;

PairKey key_of(const ToldPair& pair) {
  return {pair.avatar, pair.link, pair.object, pair.other_avatar, pair.other_link};
}

bool flag_or_false(const OrderedJson& json, std::string_view name) {
  return json.contains(name) && flag_in(json, name);
}

std::array<double, 2> two_numbers_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& list = list_of(json, name, 2);
  return {to_number(list[0], name), to_number(list[1], name)};
}

std::array<std::int64_t, 2> counts_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& list = list_of(json, name, 2);
  return {to_count(list[0], name), to_count(list[1], name)};
}

Vec3 vector_in(const OrderedJson& json, std::string_view name) {
  const OrderedJson& list = list_of(json, name, 3);
  return {to_number(list[0], name), to_number(list[1], name), to_number(list[2], name)};
}

/// Gives every episode its contact lines.
void join_contacts(ToldReport& told) {
  std::map<PairKey, std::vector<std::size_t>> lines;
  for (std::size_t i = 0; i < told.contacts.size(); ++i) {
    lines[key_of(told.contacts[i].pair)].push_back(i);
  }
  for (ToldEpisode& e : told.episodes) {
    for (const std::size_t i : lines[key_of(e.pair())]) {
      const ToldContact& contact = told.contacts[i];
      if (contact.frames[0] >= e.frames[0] && contact.frames[1] <= e.frames[1]) {
        e.contacts.push_back(i);
      }
    }
  }
}

class ToldReader {
 public:
  explicit ToldReader(const RunRecord& run) : run_(run) {}

  void contact(std::string_view line) { out_.contacts.push_back(contact_of(parse_line(line))); }
  void clearance(std::string_view line) {
    const OrderedJson json = parse_line(line);
    ToldClearance& c = out_.clearances.emplace_back();
    c.avatar = avatar_in(json);
    c.link = link_in(json, c.avatar);
    c.step = count_in(json, "step");
    c.frames = counts_in(json, "frames");
    if (!field(json, "metres").is_null()) c.metres = number_in(json, "metres");
  }
  void episode(std::string_view line) {
    const OrderedJson json = parse_line(line);
    ToldEpisode& e = out_.episodes.emplace_back();
    const OrderedJson& first = field(json, "first");
    if (!first.is_object()) refuse_type("first", "a contact");
    e.first = contact_of(first);
    if (pair_of(json) != e.first.pair) throw Refused{"field \"first\" is of another pair"};
    e.frames = counts_in(json, "frames");
    e.seconds = two_numbers_in(json, "seconds");
    e.steps = count_in(json, "steps");
    if (json.contains("deepest")) e.deepest = deepest_of(json["deepest"]);
  }

  ToldReport result() && { return std::move(out_); }

 private:
  [[nodiscard]] std::int32_t avatar_in(const OrderedJson& json) const {
    const std::int64_t i = count_in(json, "avatar");
    const std::size_t count = run_.avatars.empty() ? 1 : run_.avatars.size();
    if (i >= static_cast<std::int64_t>(count)) {
      throw Refused{fmt::format("there is no avatar {}", i)};
    }
    return static_cast<std::int32_t>(i);
  }
  [[nodiscard]] std::string link_in(const OrderedJson& json, std::int32_t avatar) const {
    std::string name = text_in(json, "link");
    const std::vector<std::string>& links = told_links(run_, avatar);
    if (std::find(links.begin(), links.end(), name) == links.end()) {
      throw Refused{fmt::format("avatar {} has no link \"{}\"", avatar, base::printable(name))};
    }
    return name;
  }
  [[nodiscard]] ToldPair pair_of(const OrderedJson& json) const {
    ToldPair out;
    out.avatar = avatar_in(json);
    out.link = link_in(json, out.avatar);
    if (!json.contains("other")) {
      out.object = text_in(json, "object");
      return out;
    }
    const OrderedJson& other = json["other"];
    if (!other.is_object()) refuse_type("other", "an object");
    out.other_avatar = avatar_in(other);
    out.other_link = link_in(other, out.other_avatar);
    return out;
  }
  [[nodiscard]] ToldContact contact_of(const OrderedJson& json) const {
    ToldContact out;
    out.pair = pair_of(json);
    out.step = count_in(json, "step");
    out.frames = counts_in(json, "frames");
    out.seconds = two_numbers_in(json, "seconds");
    out.toc = two_numbers_in(json, "toc");
    out.status = named_in<ContactStatus>(json, "status");
    if (!out.pair.of_links()) out.triangle = count_in(json, "triangle");
    out.point = vector_in(json, "point");
    if (!field(json, "normal").is_null()) out.normal = vector_in(json, "normal");
    out.inside = flag_or_false(json, "inside");
    if (out.inside && json.contains("depth") && !json["depth"].is_null()) {
      out.depth = number_in(json, "depth");
    }
    out.limited = flag_or_false(json, "limited");
    return out;
  }
  [[nodiscard]] static ToldDeepest deepest_of(const OrderedJson& json) {
    if (!json.is_object()) refuse_type("deepest", "an object");
    return {count_in(json, "frame"),        number_in(json, "seconds"),
            number_in(json, "depth"),       flag_or_false(json, "inside"),
            flag_or_false(json, "through"), flag_or_false(json, "between")};
  }

  const RunRecord& run_;
  ToldReport out_;
};

}  // namespace

const std::vector<std::string>& told_links(const RunRecord& run, std::int32_t avatar) {
  return run.avatars.empty() ? run.links : run.avatars[static_cast<std::size_t>(avatar)].links;
}

std::string told_take(const RunRecord& run, std::int32_t avatar) {
  if (!run.avatars.empty()) return run.avatars[static_cast<std::size_t>(avatar)].motion;
  for (const InputRecord& input : run.inputs) {
    if (input.role == "motion") return input.file;
  }
  return {};
}

Result<ToldReport> read_told(const ReadReport& report, const std::filesystem::path& file) {
  ToldReader reader(report.run);
  const ReportLine* now = nullptr;
  try {
    for (const ReportLine& line : report.contacts) reader.contact((now = &line)->text);
    for (const ReportLine& line : report.clearances) reader.clearance((now = &line)->text);
    for (const ReportLine& line : report.episode_lines) reader.episode((now = &line)->text);
  } catch (const Refused& refused) {
    return {ErrorCode::kInput, fmt::format("{}:{}: {}", file.string(), now->number, refused.cause)};
  }
  ToldReport out = std::move(reader).result();
  out.lacks_episodes = report.episode_lines.empty() && !out.contacts.empty();
  join_contacts(out);
  for (std::size_t i = 0; i < out.episodes.size(); ++i) {
    if (!out.episodes[i].contacts.empty()) continue;
    return {ErrorCode::kInput, fmt::format("{}:{}: an episode without a contact line",
                                           file.string(), report.episode_lines[i].number)};
  }
  return out;
}

void derive_episodes(ToldReport& told, const StepPlaces& places) {
  struct Open {
    std::size_t episode = 0;
    std::size_t last = 0;  ///< position of its last step
  };
  std::map<PairKey, Open> open;
  for (const ToldContact& contact : told.contacts) {
    const StepPlace now = places(contact.pair.avatar, contact.step);
    const auto [entry, is_new] = open.try_emplace(key_of(contact.pair));
    Open& last = entry->second;
    if (is_new || last.last + 1 < now.position) {
      last.episode = told.episodes.size();
      ToldEpisode& begun = told.episodes.emplace_back();
      begun.first = contact;
      begun.frames = contact.frames;
      begun.seconds[0] = contact.seconds[1];
    }
    last.last = now.position;
    ToldEpisode& e = told.episodes[last.episode];
    e.frames[1] = contact.frames[1];
    e.seconds[1] = now.end;
    ++e.steps;
  }
  std::stable_sort(
      told.episodes.begin(), told.episodes.end(),
      [](const ToldEpisode& a, const ToldEpisode& b) { return a.first.seconds < b.first.seconds; });
  join_contacts(told);
}

}  // namespace tocsin::io
