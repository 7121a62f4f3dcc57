#include "devices/gl/image_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "core/query/distance.h"
#include "detect/step/contact_at.h"
#include "detect/step/step_problem.h"
#include "devices/gl/step_slabs.h"

namespace tocsin::devices {

namespace {

constexpr int kCut = static_cast<int>(ImageSearch::kSlabsALink);
/// Slabs are cut until they are this short, step time: three rounds. A toc bracket is as wide.
constexpr double kUnit = 1.0 / (kCut * kCut * kCut);
/// Groups of the paper's own surface, which is not cut again.
constexpr int kPaperSlabs = 16;

}  // namespace

ImageSearch::ImageSearch(const GlRoom& room, std::span<const detect::Question> questions,
                         std::span<StepReport> reports)
    : room_(room), questions_(questions), reports_(reports) {}

void ImageSearch::begin(std::size_t question, StepSlabs& slabs, StepCounters& counters) const {
  slabs.begin(questions_[question].member->avatar, *questions_[question].step,
              room_.options().margin, room_.exact().tree(), counters);
}

Status ImageSearch::ask(const SlabRequests& requests) { return room_.ask(requests, seen_); }

bool ImageSearch::keeps(gl::Seen seen) const {
  return room_.options().experiments.surface == GlSurface::kPaper ? gl::kept_one_sided(seen)
                                                                  : gl::kept(seen);
}

void ImageSearch::first_slabs(SlabRequests& requests) {
  const bool paper = room_.options().experiments.surface == GlSurface::kPaper;
  prepare(questions_.size(), requests, [&](std::size_t i, StepSlabs& slabs, SlabRequests& part) {
    StepReport& report = reports_[i];
    const detect::Question& q = questions_[i];
    report.error = q.member->self.none()
                       ? detect::problem_with(*q.member, *q.step, room_.environment())
                       : detect::pairs_need_certify();
    if (report.error) return;
    const ActivePairs& active = q.member->active;
    const auto step = static_cast<std::uint32_t>(i);
    begin(i, slabs, report.counters);
    for (const std::int32_t link : slabs.near_links()) {
      if (paper) {
        slabs.add_paper_slabs(step, link, kPaperSlabs, room_.clusters(), active, part,
                              report.counters);
        continue;
      }
      const double h = 1.0 / kCut;
      for (int k = 0; k < kCut; ++k) {
        slabs.add_stretch({step, link, h * k, h * (k + 1)}, room_.bounds(), room_.clusters(),
                          active, part, report.counters);
      }
    }
  });
}

void ImageSearch::start_searches(const SlabRequests& requests) {
  std::map<std::tuple<std::uint32_t, std::int32_t, std::uint32_t>, Search> found;
  // Backwards, so that the earliest stretch comes last.
  for (std::size_t i = requests.batch.pairs.size(); i-- > 0;) {
    if (!keeps(seen_[i])) continue;
    const auto [slab, cluster] = requests.batch.pairs[i];
    const SlabOwner& owner = requests.owners[slab];
    ++reports_[owner.step].counters.seen_pairs;
    const std::uint32_t object = room_.clusters().clusters()[cluster].object;
    Search& search = found[{owner.step, owner.link, object}];
    search.step = owner.step;
    search.link = owner.link;
    search.object = object;
    if (search.open.empty() || search.open.back().t0 != owner.t0) {
      search.open.push_back({owner.t0, owner.t1, {}});
    }
    search.open.back().clusters.push_back(cluster);
  }
  for (auto& [key, search] : found) searches_.push_back(std::move(search));
}

bool ImageSearch::is_open(Search& search) const {
  if (search.done || search.open.empty()) return false;
  const Stretch& first = search.open.back();
  search.done =
      first.t1 - first.t0 <= kUnit || room_.options().experiments.surface == GlSurface::kPaper;
  return !search.done;
}

bool ImageSearch::cut(SlabRequests& requests) {
  requests.clear();
  // Objects that wait for the same stretch of a link share its skins.
  using Stretches = std::map<std::tuple<std::int32_t, double, double>, std::vector<std::uint32_t>>;
  std::vector<Stretches> of_step(questions_.size());
  bool any = false;
  for (Search& search : searches_) {
    if (!is_open(search)) continue;
    any = true;
    const Stretch& first = search.open.back();
    auto& clusters = of_step[search.step][{search.link, first.t0, first.t1}];
    clusters.insert(clusters.end(), first.clusters.begin(), first.clusters.end());
  }
  if (!any) return false;
  prepare(questions_.size(), requests, [&](std::size_t i, StepSlabs& slabs, SlabRequests& part) {
    if (of_step[i].empty()) return;
    StepCounters again;  // what was counted when the step was first looked at
    begin(i, slabs, again);
    for (const auto& [key, clusters] : of_step[i]) {
      const auto& [link, t0, t1] = key;
      const double h = (t1 - t0) / kCut;
      for (int k = 0; k < kCut; ++k) {
        slabs.add_stretch({static_cast<std::uint32_t>(i), link, t0 + h * k, t0 + h * (k + 1)},
                          room_.bounds(), room_.clusters(), clusters, part);
      }
    }
  });
  return true;
}

void ImageSearch::narrow(const SlabRequests& requests) {
  std::vector<std::vector<Stretch>> parts(searches_.size());
  // Slabs of a stretch come in the order of time.
  const std::vector<gl::VisibilityPair>& pairs = requests.batch.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!keeps(seen_[i])) continue;
    const SlabOwner& owner = requests.owners[pairs[i].slab];
    const std::uint32_t object = room_.clusters().clusters()[pairs[i].cluster].object;
    const auto search = std::lower_bound(searches_.begin(), searches_.end(),
                                         std::tuple(owner.step, owner.link, object),
                                         [](const Search& p, const auto& key) {
                                           return std::tuple(p.step, p.link, p.object) < key;
                                         });
    std::vector<Stretch>& of_search = parts[static_cast<std::size_t>(search - searches_.begin())];
    if (of_search.empty() || of_search.back().t0 != owner.t0) {
      of_search.push_back({owner.t0, owner.t1, {}});
    }
    of_search.back().clusters.push_back(pairs[i].cluster);
  }
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    Search& search = searches_[i];
    if (search.done || search.open.empty()) continue;
    search.open.pop_back();
    std::move(parts[i].rbegin(), parts[i].rend(), std::back_inserter(search.open));
  }
}

Contact ImageSearch::contact_of(const Search& search, StepSlabs& slabs) const {
  const Stretch& first = search.open.back();
  const core::LinkMotion& motion = slabs.link(search.link).motion;
  const core::AxisState axis = core::evaluate(motion, first.t0);
  double nearest = HUGE_VAL;
  std::uint32_t triangle = 0;
  for (const std::uint32_t index : first.clusters) {
    const scene::Cluster& cluster = room_.clusters().clusters()[index];
    for (const std::uint32_t t :
         room_.clusters().triangles().subspan(cluster.first, cluster.count)) {
      const core::Triangle at = detect::triangle_of(room_.environment(), t, motion.ref);
      const double squared = core::closest_points(axis.a, axis.b, at).squared;
      if (std::tie(squared, t) < std::tie(nearest, triangle)) {
        nearest = squared;
        triangle = t;
      }
    }
  }
  const std::uint32_t offset = room_.environment().objects()[search.object].first_triangle;
  Contact contact;
  contact.link = search.link;
  contact.touched = RoomTriangle{search.object, triangle - offset};
  contact.status = ContactStatus::kGraze;
  contact.toc = {first.t0, first.t1};
  detect::set_point(contact, room_.environment(), motion, axis);
  return contact;
}

void ImageSearch::write_reports() {
  StepSlabs slabs;
  const bool proves = room_.options().experiments.surface != GlSurface::kPaper;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    if (!reports_[i].error) reports_[i].safe_until = proves ? 1.0 : 0.0;
  }
  std::size_t begun = questions_.size();
  StepCounters ignored;
  for (const Search& search : searches_) {
    if (search.open.empty()) continue;
    if (begun != search.step) {
      begun = search.step;
      begin(begun, slabs, ignored);
    }
    StepReport& report = reports_[begun];
    report.contacts.push_back(contact_of(search, slabs));
    report.safe_until = std::min(report.safe_until, report.contacts.back().toc[0]);
  }
  if (room_.options().contacts != Contacts::kFirst) return;
  for (StepReport& report : reports_) {
    if (report.contacts.empty()) continue;
    report.contacts = {*std::min_element(
        report.contacts.begin(), report.contacts.end(), [](const Contact& p, const Contact& q) {
          return detect::order_of_first(p) < detect::order_of_first(q);
        })};
  }
}

Status ImageSearch::run(const std::stop_token& stop) {
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
  SlabRequests requests;
  first_slabs(requests);
  if (Status asked = ask(requests); !asked) return asked;
  start_searches(requests);
  while (cut(requests)) {
    if (stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    if (Status asked = ask(requests); !asked) return asked;
    narrow(requests);
  }
  write_reports();
  return Nothing{};
}

}  // namespace tocsin::devices
