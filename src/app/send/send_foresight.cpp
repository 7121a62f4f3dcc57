#include "app/send/send_foresight.h"

#include <algorithm>
#include <cstddef>

#include "tocsin/live/lookahead.h"

namespace tocsin::app {
namespace {

std::pair<std::int32_t, Touched> party_of(const Contact& contact) {
  return {contact.link, contact.party()};
}

}  // namespace

void SendForesight::take(const Step& step, const TrackReport& report, double lookahead) {
  for (const Contact& contact : contacts_ahead(report.result.contacts)) {
    ++begun_;
    const double time = step.seconds(contact.toc[0]);
    const auto found = warned_.find(party_of(contact));
    if (found != warned_.end() && time <= found->second.until) {
      leads_.push_back(time - found->second.since);
    }
  }
  for (const Contact& contact : report.result.contacts) warned_.erase(party_of(contact));
  if (!report.ahead) return;
  const double now = step.seconds(1.0);
  for (const ForeseenContact& one : report.ahead->contacts) {
    ++told_;
    Warning& warning = warned_.try_emplace(party_of(one.contact), Warning{now, now}).first->second;
    if (warning.until < now) warning.since = now;  // an earlier one that did not come true
    warning.until = now + lookahead;
  }
}

std::optional<double> SendForesight::lead() const {
  if (leads_.empty()) return std::nullopt;
  std::vector<double> sorted = leads_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace tocsin::app
