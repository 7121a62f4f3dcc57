// How near the others come: of all of them, not only of those whose boxes meet.
#include <algorithm>
#include <utility>
#include <vector>

#include "detect/crowd/link_contact.h"
#include "detect/crowd/meeting.h"
#include "detect/step/clearance.h"
#include "detect/step/stopped.h"
#include "detect/step/threads.h"

namespace tocsin::detect {

namespace {

/// A link of one avatar.
struct LinkOf {
  MovingLinks& links;
  std::size_t link;
};

/// The nearest of the other's links lowers what is known of a link. `first`: the link's avatar
/// comes before the other.
void lower(const LinkOf& one, MovingLinks& other, bool first, const std::stop_token& stop,
           double& least) {
  const core::Box& box = one.links.boxes()[one.link];
  for (std::size_t j = 0; j < other.count() && least > 0.0; ++j) {
    if (distance_between(box, other.boxes()[j]) >= least) continue;
    least = std::min(least, first ? clearance_of_links(one.links, one.link, other, j, &stop)
                                  : clearance_of_links(other, j, one.links, one.link, &stop));
  }
}

}  // namespace

void Meeting::add_clearances(std::span<const Guest> guests, const DetectorOptions& options,
                             bool parallel, const std::stop_token& stop) {
  guests_ = guests;
  options_ = options;
  add_clearances(parallel, stop);
}

void Meeting::add_clearances(bool parallel, const std::stop_token& stop) const {
  for_each(parallel, guests_.size(), [&](std::size_t i) {
    guests_[i].links->need_boxes();
    for (std::size_t link = 0; link < guests_[i].links->count(); ++link) {
      guests_[i].links->need(link);
    }
  });
  for_each(parallel, guests_.size(), [&](std::size_t i) {
    try {
      go_on(&stop);
      add_clearances(guests_[i], stop);
    } catch (const Stopped&) {
      return;  // the caller sees that it was asked to stop
    }
  });
}

void Meeting::add_clearances(const Guest& guest, const std::stop_token& stop) const {
  std::vector<std::pair<double, const Guest*>> others;
  for (const Guest& other : guests_) {
    if (&other == &guest) continue;
    others.emplace_back(distance_between(guest.links->coarse_box(), other.links->coarse_box()),
                        &other);
  }
  std::sort(others.begin(), others.end());
  std::vector<double>& clearances = guest.report->clearances;
  for (const auto& [apart, other] : others) {
    if (apart >= *std::max_element(clearances.begin(), clearances.end())) return;
    for (std::size_t i = 0; i < clearances.size(); ++i) {
      const core::Box& box = guest.links->boxes()[i];
      if (distance_between(box, other->links->coarse_box()) >= clearances[i]) continue;
      lower({*guest.links, i}, *other->links, guest.avatar < other->avatar, stop, clearances[i]);
    }
  }
}

}  // namespace tocsin::detect
