#include "detect/step/triage.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace tocsin::detect {
namespace {

/// Runs that are searched one after the other. A link is near few objects at a time, and searching
/// so many takes no longer than finding the object of a triangle; but with a room of 10,000 objects
/// of one triangle, all near one link, a search of all would take their square.
constexpr std::size_t kSearched = 32;

}  // namespace

std::size_t Triage::run_of(const Environment& environment, const ActivePairs& active,
                           std::int32_t link, std::uint32_t triangle) {
  const std::size_t searched = std::min(runs_.size(), kSearched);
  for (std::size_t i = 0; i < searched; ++i) {
    if (runs_[i].begin <= triangle && triangle < runs_[i].end) return i;
  }
  return later_run_of(environment, active, link, triangle);
}

std::size_t Triage::later_run_of(const Environment& environment, const ActivePairs& active,
                                 std::int32_t link, std::uint32_t triangle) {
  const std::uint32_t object = environment.object_of(triangle);
  if (const Run* const known = later_run(object)) {
    return static_cast<std::size_t>(known - runs_.data());
  }
  if (runs_.size() >= kSearched) {
    later_.resize(environment.objects().size());
    later_[object] = static_cast<std::uint32_t>(runs_.size());
  }
  const Object& o = environment.objects()[object];
  runs_.push_back({object, o.first_triangle, o.first_triangle + o.triangle_count, scene::kNone,
                   active.active(link, object)});
  return runs_.size() - 1;
}

const Triage::Run* Triage::later_run(std::uint32_t object) const {
  if (runs_.size() <= kSearched || object >= later_.size()) return nullptr;
  const std::size_t at = later_[object];
  return at < runs_.size() && runs_[at].object == object ? &runs_[at] : nullptr;
}

bool Triage::changes_nothing(const Environment& environment,
                             std::span<const std::uint32_t> triangles) const {
  const auto settles = [&](const Run& run) {
    return run.overlap != scene::kNone &&
           std::all_of(triangles.begin(), triangles.end(), [&](std::uint32_t triangle) {
             return run.overlap < triangle && triangle < run.end;
           });
  };
  const std::size_t searched = std::min(runs_.size(), kSearched);
  if (std::any_of(runs_.data(), runs_.data() + searched, settles)) return true;
  if (runs_.size() <= kSearched) return false;
  const Run* const run = later_run(environment.object_of(triangles.front()));
  return run != nullptr && settles(*run);
}

void Triage::fill(const Environment& environment, const ActivePairs& active, std::int32_t link,
                  const core::LinkMotion& motion, const core::AxisState& at0,
                  const scene::Candidates& candidates, bool holds, StepCounters& counters) {
  runs_.clear();
  findings_.clear();
  for (std::size_t b = 0; b < candidates.block_count(); ++b) {
    const scene::TriangleBlock& block = candidates.block(b);
    const std::size_t lanes = std::min<std::size_t>(
        scene::kBlockSize, candidates.size() - b * static_cast<std::size_t>(scene::kBlockSize));
    if (changes_nothing(environment, {block.triangle, lanes})) {
      counters.candidates += lanes;
      continue;
    }
    const cpu::EarlyOut first = cpu::early_out(motion, at0, block);
    const std::uint32_t in_use = (1U << lanes) - 1U;
    // With every pair active, lanes that are free need not be told apart by object.
    std::uint32_t todo = active.all() ? in_use & ~first.free : in_use;
    std::size_t counted = active.all() ? lanes : 0;
    for (; todo != 0; todo &= todo - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(todo));
      const std::uint32_t triangle = block.triangle[lane];
      const std::size_t at = run_of(environment, active, link, triangle);
      Run& run = runs_[at];
      if (!run.active) continue;
      if (!active.all()) ++counted;
      if (!holds && (first.overlap >> lane & 1U) != 0) {
        run.overlap = std::min(run.overlap, triangle);
      } else if ((first.free >> lane & 1U) == 0 && run.overlap == scene::kNone) {
        const auto candidate = static_cast<std::uint32_t>(b * scene::kBlockSize + lane);
        findings_.push_back({at, {triangle, candidate, first.free_until[lane]}});
      }
    }
    counters.candidates += counted;
    counters.evaluations += counted;
  }
  make_groups();
}

void Triage::make_groups() {
  // Most suspects belong to objects that overlap already: these are not asked about.
  std::erase_if(findings_, [&](const Finding& f) { return runs_[f.run].overlap != scene::kNone; });
  std::sort(findings_.begin(), findings_.end(), [&](const Finding& p, const Finding& q) {
    return std::tie(runs_[p.run].begin, p.suspect.free_until, p.suspect.triangle) <
           std::tie(runs_[q.run].begin, q.suspect.free_until, q.suspect.triangle);
  });
  order_.resize(runs_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t p, std::size_t q) { return runs_[p].begin < runs_[q].begin; });
  suspects_.clear();
  for (const Finding& f : findings_) suspects_.push_back(f.suspect);
  groups_.clear();
  std::size_t next = 0;
  for (const std::size_t at : order_) {
    const Run& run = runs_[at];
    const std::size_t first = next;
    while (next < findings_.size() && findings_[next].run == at) ++next;
    if (run.overlap != scene::kNone) {
      groups_.push_back({run.object, run.overlap, {}});
    } else if (next > first) {
      groups_.push_back(
          {run.object, scene::kNone, std::span(suspects_).subspan(first, next - first)});
    }
  }
}

}  // namespace tocsin::detect
