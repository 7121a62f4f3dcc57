#include "detect/triage.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tocsin::detect {

Triage::Run& Triage::run_of(const Environment& environment, const ActivePairs& active,
                            std::int32_t link, std::uint32_t triangle) {
  // A link is near few objects at a time.
  for (Run& run : runs_) {
    if (run.begin <= triangle && triangle < run.end) return run;
  }
  const std::uint32_t object = environment.object_of(triangle);
  const Object& o = environment.objects()[object];
  runs_.push_back({object, o.first_triangle, o.first_triangle + o.triangle_count, scene::kNone,
                   active.active(link, object)});
  return runs_.back();
}

void Triage::look(const Environment& environment, const ActivePairs& active, std::int32_t link,
                  const core::LinkMotion& motion, const core::AxisState& at0,
                  const scene::Candidates& candidates, StepCounters& counters) {
  runs_.clear();
  findings_.clear();
  for (std::size_t b = 0; b < candidates.block_count(); ++b) {
    const scene::TriangleBlock& block = candidates.block(b);
    const std::size_t lanes = std::min<std::size_t>(
        scene::kBlockSize, candidates.size() - b * static_cast<std::size_t>(scene::kBlockSize));
    const cpu::FirstLook first = cpu::first_look(motion, at0, block);
    const std::uint32_t in_use = (1U << lanes) - 1U;
    // With every pair active, lanes that are free need no look at whose they are.
    std::uint32_t todo = active.all() ? in_use & ~first.free : in_use;
    std::size_t counted = active.all() ? lanes : 0;
    for (; todo != 0; todo &= todo - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(todo));
      const std::uint32_t triangle = block.triangle[lane];
      Run& run = run_of(environment, active, link, triangle);
      if (!run.active) continue;
      if (!active.all()) ++counted;
      if ((first.overlap >> lane & 1U) != 0) {
        run.overlap = std::min(run.overlap, triangle);
      } else if ((first.free >> lane & 1U) == 0) {
        const auto candidate = static_cast<std::uint32_t>(b * scene::kBlockSize + lane);
        findings_.push_back({run.object, {triangle, candidate, first.free_until[lane]}});
      }
    }
    counters.candidates += counted;
    counters.evaluations += counted;
  }
  make_groups();
}

void Triage::make_groups() {
  // Most suspects belong to objects that overlap, where nobody asks about them.
  std::erase_if(findings_, [&](const Finding& f) {
    return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return run.object == f.object && run.overlap != scene::kNone;
    });
  });
  std::sort(runs_.begin(), runs_.end(),
            [](const Run& p, const Run& q) { return p.object < q.object; });
  std::sort(findings_.begin(), findings_.end(), [](const Finding& p, const Finding& q) {
    return std::tie(p.object, p.suspect.free_until, p.suspect.triangle) <
           std::tie(q.object, q.suspect.free_until, q.suspect.triangle);
  });
  suspects_.clear();
  for (const Finding& f : findings_) suspects_.push_back(f.suspect);
  groups_.clear();
  std::size_t next = 0;
  for (const Run& run : runs_) {
    const std::size_t first = next;
    while (next < findings_.size() && findings_[next].object == run.object) ++next;
    if (run.overlap != scene::kNone) {
      groups_.push_back({run.object, run.overlap, {}});
    } else if (next > first) {
      groups_.push_back(
          {run.object, scene::kNone, std::span(suspects_).subspan(first, next - first)});
    }
  }
}

}  // namespace tocsin::detect
