#include "io/report/report.h"

#include <algorithm>
#include <variant>

#include "io/report/json_line.h"

namespace tocsin::io {

void Fnv1a64::update(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  for (const char c : bytes) {
    value_ = (value_ ^ static_cast<unsigned char>(c)) * kPrime;
  }
}

std::string Fnv1a64::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(16, '0');
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kDigits[(value_ >> (60 - 4 * i)) & 15U];
  return out;
}

std::vector<std::string> link_names(const Avatar& avatar) {
  std::vector<std::string> out;
  for (const Link& link : avatar.links()) out.push_back(link.name);
  return out;
}

std::vector<std::string> object_names(const Environment& environment) {
  std::vector<std::string> out;
  for (const Object& object : environment.objects()) out.push_back(object.name);
  return out;
}

ReportWriter::ReportWriter(ReportNames names, Sink sink, EpisodeTracker::Keep keep)
    : names_(std::move(names)), sink_(std::move(sink)), episodes_(keep) {}

ReportWriter::ReportWriter(std::vector<std::string> links, std::vector<std::string> objects,
                           Sink sink, EpisodeTracker::Keep keep)
    : ReportWriter(ReportNames{{std::move(links)}, std::move(objects)}, std::move(sink), keep) {}

bool ReportWriter::write(std::string line) {
  line += '\n';
  return sink_(line);
}

void ReportWriter::add_objects(std::vector<std::string> names) {
  for (std::string& name : names) names_.objects.push_back(std::move(name));
}

bool ReportWriter::run(const RunRecord& run) { return write(run_line(run)); }

void ReportWriter::count(const Contact& contact) {
  tally_.contacts += 1;
  tally_.hit += contact.status == ContactStatus::kHit ? 1 : 0;
  tally_.graze += contact.status == ContactStatus::kGraze ? 1 : 0;
  tally_.overlap += contact.status == ContactStatus::kOverlap ? 1 : 0;
  tally_.limited += contact.limited ? 1 : 0;
}

const std::string& ReportWriter::link(int avatar, std::int32_t link) const {
  return names_.links.at(static_cast<std::size_t>(avatar)).at(static_cast<std::size_t>(link));
}

const std::string& ReportWriter::touched(const Touched& thing) const {
  if (const auto* const room = std::get_if<RoomTriangle>(&thing)) {
    return names_.objects.at(room->object);
  }
  const auto& other = std::get<OtherLink>(thing);
  return link(other.avatar, other.link);
}

void ReportWriter::keep_first(const Step& step, const Contact& contact, const std::string& line) {
  const bool later =
      !first_.empty() && (step.frames() != first_frames_ || contact.toc >= first_toc_);
  if (later) return;
  first_ = line;
  first_frames_ = step.frames();
  first_toc_ = contact.toc;
}

bool ReportWriter::step(const Step& step, const StepReport& report) {
  tally_.steps += 1;
  episodes_.add(step, report);
  const int avatar = report.avatar;
  const std::vector<std::string>& links = names_.links.at(static_cast<std::size_t>(avatar));
  for (const Contact& contact : report.contacts) {
    count(contact);
    std::string line =
        contact_line(step, contact, avatar, link(avatar, contact.link), touched(contact.touched));
    keep_first(step, contact, line);
    hash_.update(line);
    hash_.update("\n");
    if (!write(std::move(line))) return false;
  }
  for (std::size_t i = 0; i < report.clearances.size(); ++i) {
    if (!write(clearance_line(step, report.clearances[i], avatar, links.at(i)))) return false;
  }
  return true;
}

bool ReportWriter::write_episodes(std::span<const Episode> episodes) {
  return std::all_of(episodes.begin(), episodes.end(), [this](const Episode& one) {
    return write(episode_line(one, link(one.avatar, one.first.link), touched(one.first.touched)));
  });
}

bool ReportWriter::write_near(std::span<const NearPair> pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [this](const NearPair& one) {
    return write(near_line(one, link(one.avatar, one.link), touched(one.thing)));
  });
}

bool ReportWriter::write_nearest(std::span<const NearestToLink> links) {
  return std::all_of(links.begin(), links.end(), [this](const NearestToLink& one) {
    return write(nearest_line(one, link(one.avatar, one.link),
                              one.thing ? std::string_view(touched(*one.thing)) : ""));
  });
}

bool ReportWriter::write_distances(std::span<const FrameDistance> distances) {
  return std::all_of(distances.begin(), distances.end(), [this](const FrameDistance& one) {
    return write(distance_line(one, link(one.avatar, one.at.link), touched(one.at.nearest)));
  });
}

bool ReportWriter::summary(const Milliseconds& milliseconds) {
  return write_episodes(episodes_.sorted()) && write_summary(milliseconds, {});
}

bool ReportWriter::write_summary(const Milliseconds& milliseconds, std::string_view fallback) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("summary")).key("steps").value(tally_.steps);
  json.key("contacts").value(tally_.contacts).key("hit").value(tally_.hit);
  json.key("graze").value(tally_.graze).key("overlap").value(tally_.overlap);
  json.key("limited").value(tally_.limited);
  json.key("episodes").value(static_cast<std::uint64_t>(episodes_.count()));
  json.key("first").raw(first_.empty() ? std::string_view("null") : std::string_view(first_));
  json.key("hash").value(hash_.hex()).key("milliseconds").open('{');
  for (const auto& [stage, spent] : milliseconds) json.key(stage).value(spent);
  json.close('}');
  // Written only where it happened.
  if (!fallback.empty()) json.key("fallback").value(fallback);
  json.close('}');
  return write(std::move(out));
}

}  // namespace tocsin::io
