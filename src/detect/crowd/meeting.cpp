#include "detect/crowd/meeting.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/query/advance.h"
#include "detect/step/contact_at.h"
#include "detect/step/threads.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

namespace {

/// Pairs of avatars that are looked at together: what is known of them is kept meanwhile. Enough to
/// keep all threads busy; more only costs memory, in crowds where everybody stands in everybody.
constexpr std::size_t kAtOnce = 4096;

/// Those links of one avatar whose boxes meet a box, by their indices.
void find_links(std::span<const core::Box> boxes, const core::Box& box,
                std::vector<std::size_t>& out) {
  out.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (core::overlap(boxes[i], box)) out.push_back(i);
  }
}

}  // namespace

void Meeting::hold(std::span<const Guest> guests, const DetectorOptions& options,
                   const MeetingRun& run) {
  const auto& [parallel, stop, budget] = run;
  guests_ = guests;
  options_ = options;
  budget_ = budget;
  boxes_.clear();
  for (const Guest& guest : guests) boxes_.push_back(guest.links->coarse_box());
  need_.resize(std::max(need_.size(), guests.size()));
  std::span<const cpu::BodyPair> pairs = find_pairs();
  double checked_until = 1.0;
  while (!pairs.empty() && !stop.stop_requested()) {
    const std::size_t count = std::min(pairs.size(), kAtOnce);
    meet(pairs.first(count), parallel, stop);
    for (const Encounter& encounter : std::span(encounters_).first(count)) {
      checked_until = std::min(checked_until, encounter.checked_until);
    }
    pairs = pairs.subspan(count);
  }
  for_each(parallel, guests.size(),
           [&](std::size_t i) { scene::sort_contacts(guests[i].report->contacts); });
  const bool parts = budget != nullptr && cut_reports(checked_until);
  if (options.clearance && !parts) add_clearances(parallel, stop);
}

bool Meeting::cut_reports(double checked_until) const {
  for (const Guest& guest : guests_) {
    checked_until = std::min(checked_until, guest.report->checked_until);
  }
  if (checked_until >= 1.0) return false;
  const bool is_first = options_.contacts == Contacts::kFirst;
  for (const Guest& guest : guests_) {
    // Which contact is the first is not known yet.
    if (is_first) checked_until = std::min(checked_until, guest.report->safe_until);
  }
  for (const Guest& guest : guests_) {
    StepReport& report = *guest.report;
    report.complete = false;
    report.checked_until = checked_until;
    report.safe_until = std::min(report.safe_until, checked_until);
    std::erase_if(report.contacts,
                  [&](const Contact& c) { return is_first || c.toc[0] >= checked_until; });
    std::fill(report.clearances.begin(), report.clearances.end(), 0.0);
  }
  return true;
}

std::span<const cpu::BodyPair> Meeting::find_pairs() {
  return remembers_ ? find_pairs_again() : sweep_.pairs(boxes_);
}

std::span<const cpu::BodyPair> Meeting::find_pairs_again() {
  const auto avatars =
      guests_.empty() ? std::size_t{0} : static_cast<std::size_t>(guests_.back().avatar) + 1;
  // None is ever removed, so that bodies are numbered as avatars are. Who is not here has no box.
  while (prune_.size() < avatars) prune_.insert(core::Box{});
  for (std::size_t i = 0; i < prune_.size(); ++i) {
    prune_.move(static_cast<cpu::BodyId>(i), core::Box{});
  }
  guest_of_.resize(prune_.size());
  for (std::size_t i = 0; i < guests_.size(); ++i) {
    prune_.move(guests_[i].avatar, boxes_[i]);
    guest_of_[static_cast<std::size_t>(guests_[i].avatar)] = static_cast<std::int32_t>(i);
  }
  prune_.update();
  pairs_.clear();
  for (const cpu::BodyPair& p : prune_.pairs()) {
    pairs_.push_back({guest_of_[static_cast<std::size_t>(p.first)],
                      guest_of_[static_cast<std::size_t>(p.second)]});
  }
  return pairs_;
}

void Meeting::meet(std::span<const cpu::BodyPair> pairs, bool parallel,
                   const std::stop_token& stop) {
  encounters_.resize(std::max(encounters_.size(), pairs.size()));
  const std::span<Encounter> encounters = std::span(encounters_).first(pairs.size());
  paired_.assign(guests_.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    encounters[i].first = static_cast<std::size_t>(pairs[i].first);
    encounters[i].second = static_cast<std::size_t>(pairs[i].second);
    for (const std::size_t guest : {encounters[i].first, encounters[i].second}) {
      paired_[guest] = 1;
      need_[guest].clear();
    }
  }
  // Every stage writes to its own places only, and reads what the stage before has written.
  for_each(parallel, guests_.size(), [&](std::size_t i) {
    if (paired_[i] != 0) guests_[i].links->need_boxes();
  });
  for_each(parallel, encounters.size(), [&](std::size_t i) { find_near(encounters[i], stop); });
  for (const Encounter& encounter : encounters) {
    for (const NearLinks& pair : encounter.near) {
      need_[encounter.first].push_back(pair.link);
      need_[encounter.second].push_back(pair.other);
    }
  }
  for_each(parallel, guests_.size(), [&](std::size_t i) {
    if (paired_[i] == 0) return;
    for (const std::size_t link : need_[i]) {
      if (!stop.stop_requested()) guests_[i].links->need(link);
    }
    need_[i].clear();
  });
  for_each(parallel, encounters.size(), [&](std::size_t i) { certify(encounters[i], stop); });
  for (const Encounter& encounter : encounters) report(encounter);
}

void Meeting::find_near(Encounter& encounter, const std::stop_token& stop) const {
  encounter.near.clear();
  encounter.contacts.clear();
  encounter.counters = {};
  encounter.checked_until = 1.0;
  const MovingLinks& first = *guests_[encounter.first].links;
  const MovingLinks& second = *guests_[encounter.second].links;
  thread_local std::vector<std::size_t> some;
  thread_local std::vector<std::size_t> others;
  find_links(first.boxes(), second.coarse_box(), some);
  if (some.empty()) return;
  find_links(second.boxes(), first.coarse_box(), others);
  for (const std::size_t i : some) {
    if (stop.stop_requested()) return;
    for (const std::size_t j : others) {
      if (!core::overlap(first.boxes()[i], second.boxes()[j])) continue;
      ++encounter.counters.link_pairs;
      if (!surely_free(first, second, {i, j})) encounter.near.push_back({i, j});
    }
  }
}

void Meeting::certify(Encounter& encounter, const std::stop_token& stop) const {
  const Guest& first = guests_[encounter.first];
  const Guest& second = guests_[encounter.second];
  try {
    if (budget_ != nullptr) {
      certify_within(encounter, first, second, stop);
    } else {
      certify_near(encounter, first, second, stop);
    }
  } catch (const Stopped&) {
    return;
  }
}

void Meeting::certify_near(Encounter& encounter, const Guest& first, const Guest& second,
                           const std::stop_token& stop) const {
  for (const NearLinks& pair : encounter.near) {
    // A hostile pair takes milliseconds: no longer than one may a stop wait.
    if (stop.stop_requested()) return;
    const OtherLink other{second.avatar, static_cast<std::int32_t>(pair.other)};
    // Whatever else is touched: what the second avatar is told must not depend on the first's room.
    const SearchLimits limits{options_.tolerance, core::kToEnd, &stop};
    const std::optional<Contact> c =
        contact_of_links(*first.links, *second.links, pair, other, limits, encounter.counters);
    if (c) encounter.contacts.push_back(*c);
  }
}

void Meeting::certify_within(Encounter& encounter, const Guest& first, const Guest& second,
                             const std::stop_token& stop) const {
  thread_local std::vector<std::pair<double, std::size_t>> order;  // free until; index
  order.clear();
  for (std::size_t i = 0; i < encounter.near.size(); ++i) {
    const NearLinks& pair = encounter.near[i];
    order.emplace_back(free_at_least_until(*first.links, *second.links, pair), i);
  }
  std::sort(order.begin(), order.end());
  Meter meter(*budget_);
  for (const auto& [free_until, i] : order) {
    if (stop.stop_requested()) return;
    const NearLinks& pair = encounter.near[i];
    try {
      meter.spend();
      const OtherLink other{second.avatar, static_cast<std::int32_t>(pair.other)};
      const SearchLimits limits{options_.tolerance, core::kToEnd, &stop, &meter};
      const std::optional<Contact> c =
          contact_of_links(*first.links, *second.links, pair, other, limits, encounter.counters);
      if (c) encounter.contacts.push_back(*c);
    } catch (const Spent&) {
      encounter.checked_until = free_until;
      return;
    }
  }
}

void Meeting::report(const Encounter& encounter) const {
  StepReport& first = *guests_[encounter.first].report;
  StepReport& second = *guests_[encounter.second].report;
  first.counters += encounter.counters;
  for (const Contact& c : encounter.contacts) {
    first.safe_until = std::min(first.safe_until, c.toc[0]);
    second.safe_until = std::min(second.safe_until, c.toc[0]);
    if (options_.clearance) {
      first.clearances[static_cast<std::size_t>(c.link)] = 0.0;
      second.clearances[static_cast<std::size_t>(c.other()->link)] = 0.0;
    }
    if (options_.contacts == Contacts::kPairs || first.contacts.empty()) {
      first.contacts.push_back(c);
    } else if (order_of_first(c) < order_of_first(first.contacts.front())) {
      first.contacts.front() = c;
    }
  }
}

}  // namespace tocsin::detect
