#include "app/send/send_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

template <class T>
void add_bytes(io::Fnv1a64& hash, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  hash.update({bytes, sizeof value});
}

void add_bytes(io::Fnv1a64& hash, const Vec3& v) {
  for (const double value : {v.x, v.y, v.z}) add_bytes(hash, value);
}

/// True for a contact with another participant, not with the room or the avatar itself.
bool is_met(const Contact& contact) { return contact.other() && contact.other()->avatar != 0; }

const std::string& touched(const ContactNames& names) {
  return names.object.empty() ? names.other_link : names.object;
}

/// What is touched, for people.
std::string shown(const Contact& contact, const ContactNames& names) {
  if (!is_met(contact)) return base::printable(touched(names));
  return fmt::format("{} of {}", base::printable(names.other_link),
                     names.other_label.empty() ? fmt::format("member {}", contact.other()->avatar)
                                               : base::printable(names.other_label));
}

Result<LiveMotion> make_clock(std::optional<double> frame_seconds) {
  auto skeleton = Skeleton::create({{.name = "clock", .parent = -1, .rest = {}}});
  if (!skeleton) return skeleton.error();
  return LiveMotion::create(std::move(skeleton).value(), {}, frame_seconds.value_or(1.0));
}

}  // namespace

SendContacts::SendContacts(std::optional<double> frame_seconds, bool lines)
    : frame_seconds_(frame_seconds), lines_(lines), clock_(make_clock(frame_seconds)) {}

void SendContacts::set_tick_rate(double rate) { clock_ = make_clock(1.0 / rate); }

Result<Step> SendContacts::next(const FrameStamp& stamp, const std::optional<std::uint64_t>& tick) {
  if (!clock_) return clock_.error();
  std::vector<Transform> pose(1);
  if (auto taken = clock_->take(pose); !taken) return taken.error();
  const double alone = frame_seconds_ ? static_cast<double>(stamp.id) : stamp.capture_time;
  return clock_->next(std::move(pose), tick ? static_cast<double>(*tick) : alone);
}

void SendContacts::add_fingerprint(const TrackReport& report) {
  if (report.result.contacts.empty()) return;
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(report.result.step), report.from.id, report.to.id}) {
    add_bytes(fingerprint_, number);
  }
  for (const Contact& contact : report.result.contacts) {
    add_bytes(fingerprint_, contact.link);
    add_bytes(fingerprint_, contact.touched.index());
    std::visit([&](const auto& touched) { add_bytes(fingerprint_, touched); }, contact.touched);
    add_bytes(fingerprint_, contact.status);
    for (const double end : contact.toc) add_bytes(fingerprint_, end);
    add_bytes(fingerprint_, contact.point);
    add_bytes(fingerprint_, contact.normal.value_or(Vec3{}));
    if (contact.inside) add_bytes(fingerprint_, contact.depth.value_or(0.0));
  }
}

void SendContacts::add_lines(const Step& step, const TrackReport& report) {
  StepReport alone = report.result;
  std::erase_if(alone.contacts, is_met);
  episodes_.add(step, alone);
  keep_least(step, alone, clearances_);
  const std::vector<Contact>& contacts = report.result.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_met(contacts[i])) continue;
    hash_.update(io::contact_line(step, contacts[i], 0, report.names.at(i).link,
                                  touched(report.names.at(i))));
    hash_.update("\n");
  }
  if (!first_.empty() || contacts.empty()) return;
  std::size_t earliest = 0;
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    if (contacts[i].toc[1] < contacts[earliest].toc[1]) earliest = i;
  }
  const auto& toc = contacts[earliest].toc;
  first_ = fmt::format("{} and {} at {}", base::printable(report.names[earliest].link),
                       shown(contacts[earliest], report.names[earliest]),
                       moment({step.seconds(toc[0]), step.seconds(toc[1])}));
}

void SendContacts::add_distances(const Step& step, const TrackReport& report) {
  more_distances_ += report.more_distances;
  for (std::size_t i = 0; i < report.distances.size(); ++i) {
    const LinkDistance& one = report.distances[i];
    SentDistance& least = distances_[{one.link, one.nearest.object}];
    if (!least.object.empty() && least.metres <= one.distance) continue;
    least = {one.link, report.distance_objects.at(i), one.distance, step.frames()[1],
             step.seconds(1.0)};
  }
}

std::vector<SentDistance> SendContacts::distances() const {
  std::vector<SentDistance> out;
  for (const auto& [pair, one] : distances_) out.push_back(one);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& p, const auto& q) { return p.metres < q.metres; });
  return out;
}

Status SendContacts::take(const TrackReport& report) {
  tally_.steps += 1;
  for (const Contact& contact : report.result.contacts) {
    tally_.contacts += 1;
    met_ += is_met(contact) ? 1 : 0;
    tally_.hit += contact.status == ContactStatus::kHit ? 1 : 0;
    tally_.graze += contact.status == ContactStatus::kGraze ? 1 : 0;
    tally_.overlap += contact.status == ContactStatus::kOverlap ? 1 : 0;
    tally_.limited += contact.limited ? 1 : 0;
  }
  add_fingerprint(report);
  if (!lines_) return Nothing{};
  const auto step = step_of(report);
  if (!step) return step.error();
  add_lines(*step, report);
  add_distances(*step, report);
  if (lookahead_ > 0.0) foresight_.take(*step, report, lookahead_);
  return Nothing{};
}

Result<Step> SendContacts::step_of(const TrackReport& report) {
  if (take_ != nullptr) return take_->step(report.from.id, report.to.id);
  std::optional<std::uint64_t> from;
  std::optional<std::uint64_t> to;
  if (report.tick) {
    from = report.tick->from;
    to = report.tick->to;
  }
  if (clock_ && clock_->frame_count() == 0) {
    if (auto first = next(report.from, from); !first) return first.error();
  }
  return next(report.to, to);
}

}  // namespace tocsin::app
