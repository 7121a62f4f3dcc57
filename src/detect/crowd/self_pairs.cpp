// An avatar's own links against each other.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "detect/crowd/link_contact.h"
#include "detect/step/clearance.h"
#include "detect/step/exact_step.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

void ExactStep::check_self(const LinkPairs& self, const Workspace& work, const Known& known,
                           StepReport& report, double& first_hi) const {
  work.links.need_boxes();
  const std::span<const core::Box> boxes = work.links.boxes();
  std::vector<NearLinks>& near = work.scratch.near;
  near.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (!core::overlap(boxes[i], boxes[j])) continue;
      if (!self.active(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j))) continue;
      ++report.counters.link_pairs;
      if (!surely_free(work.links, work.links, {i, j})) near.push_back({i, j});
    }
  }
  const std::size_t before = report.contacts.size();
  for (const NearLinks& pair : near) {
    known.go_on();
    // A contact of two links is the same whatever prunes it, unlike a pair of many triangles.
    const std::optional<Contact> c =
        contact_of_links(work.links, work.links, pair, {0, static_cast<std::int32_t>(pair.other)},
                         {options_.tolerance, first_hi, known.stop}, report.counters);
    if (!c) continue;
    report.contacts.push_back(*c);
    const bool touches = c->status != ContactStatus::kGraze;
    if (options_.contacts == Contacts::kFirst && touches) first_hi = std::min(first_hi, c->toc[1]);
  }
  if (report.contacts.size() > before) scene::sort_contacts(report.contacts);
}

void ExactStep::lower_self_clearance(std::size_t link, const LinkPairs& self, const Workspace& work,
                                     const Known& known, StepReport& report) const {
  work.links.need_boxes();
  const std::span<const core::Box> boxes = work.links.boxes();
  thread_local std::vector<std::pair<double, std::size_t>> nearby;
  double& least = report.clearances[link];
  nearby.clear();
  for (std::size_t j = 0; j < boxes.size(); ++j) {
    if (!self.active(static_cast<std::int32_t>(link), static_cast<std::int32_t>(j))) continue;
    const double apart = distance_between(boxes[link], boxes[j]);
    if (apart < least) nearby.emplace_back(apart, j);
  }
  std::sort(nearby.begin(), nearby.end());
  for (const auto& [apart, j] : nearby) {
    if (apart >= least) break;
    known.go_on();
    least = std::min(least, clearance_of_links(work.links, std::min(link, j), work.links,
                                               std::max(link, j), known.stop));
  }
}

}  // namespace tocsin::detect
