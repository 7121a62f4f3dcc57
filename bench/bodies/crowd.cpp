// bench_crowd: 1 to 1,000 avatars that meet, on a grid and in a crowd, by Detector::check_batch:
// steps a second, where the time goes, and how it grows at constant density. docs/many-bodies.md.
#include "tocsin/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/broadphase/interval_sweep.h"
#include "scene/swept/step_motion.h"
#include "selftest/scenes/crowd_scene.h"
#include "shared/files.h"
#include "shared/options.h"
#include "shared/timing.h"

namespace tocsin::bench {
namespace {

constexpr std::array<std::size_t, 10> kSizes{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
constexpr std::array<std::size_t, 3> kQuickSizes{1, 4, 16};
/// Avatar-steps of a case at least, and instants at most.
constexpr std::size_t kAvatarSteps = 4000;
constexpr std::size_t kMostInstants = 200;

/// What is timed, on one thread but for the last. Later rows contain earlier ones.
enum Row : std::size_t { kBoxes, kSweep, kAlone, kMeet, kBatch, kMeetAll, kRows };

/// Microseconds an avatar-step.
struct Times {
  double boxes = 0.0;     ///< coarse boxes of all avatars
  double sweep = 0.0;     ///< pairs of avatars whose boxes overlap
  double alone = 0.0;     ///< Crowd without meeting: each against the hall
  double meet = 0.0;      ///< Crowd with meeting
  double batch = 0.0;     ///< the same by check_batch, which remembers nothing
  double meet_all = 0.0;  ///< Crowd with meeting on all threads, by the clock on the wall
};

struct Size {
  std::size_t avatars = 0;
  std::size_t instants = 0;
  std::uint64_t triangles = 0;
  // Of all instants:
  std::uint64_t avatar_pairs = 0;
  std::uint64_t link_pairs = 0;
  std::uint64_t contacts = 0;  ///< with the hall
  std::uint64_t meetings = 0;  ///< contacts between avatars
  Times times;

  [[nodiscard]] double steps() const { return static_cast<double>(avatars * instants); }
};

struct Case {
  Layout layout = Layout::kGrid;
  std::vector<Size> sizes;

  /// p of time ~ n^p between 100 avatars (the quick run: the second size) and the most.
  [[nodiscard]] double growth() const {
    const Size& last = sizes.back();
    const auto base =
        std::find_if(sizes.begin(), sizes.end(), [](const Size& s) { return s.avatars >= 100; });
    const Size& first = base == sizes.end() || &*base == &last ? sizes[1] : *base;
    const double n = static_cast<double>(last.avatars) / static_cast<double>(first.avatars);
    return 1.0 + std::log(last.times.meet / first.times.meet) / std::log(n);
  }
  /// The p of n log n between the same.
  [[nodiscard]] double growth_of_sorting() const {
    const double n1 = static_cast<double>(sizes.back().avatars);
    const double n0 = n1 >= 1000.0 ? 100.0 : static_cast<double>(sizes[1].avatars);
    return 1.0 + std::log(std::log(n1) / std::log(n0)) / std::log(n1 / n0);
  }
};

/// Whole avatars' boxes of an instant, and the time they take.
class Boxes {
 public:
  explicit Boxes(const CrowdScene& crowd) : crowd_(crowd), motions_(crowd.members.size()) {
    const auto [lo, hi] = crowd.hall.bounds();
    bounds_ = {lo, hi};
  }

  const std::vector<core::Box>& at(std::size_t instant) {
    boxes_.clear();
    for (std::size_t k = 0; k < motions_.size(); ++k) {
      motions_[k].begin(crowd_.members[k].avatar, crowd_.steps[instant][k], 0.0, bounds_);
      boxes_.push_back(motions_[k].coarse_box());
    }
    return boxes_;
  }

 private:
  const CrowdScene& crowd_;
  std::vector<scene::StepMotion> motions_;
  core::Box bounds_;
  std::vector<core::Box> boxes_;
};

/// Untimed: what there is to do, and to find.
bool count(const CrowdScene& crowd, const Detector& detector, Size& size) {
  Boxes boxes(crowd);
  cpu::IntervalSweep sweep;
  Crowd remembering(detector, crowd.members);
  for (std::size_t i = 0; i < crowd.steps.size(); ++i) {
    const std::vector<StepReport> again = remembering.check(crowd.steps[i], {.meet = true});
    size.avatar_pairs += sweep.pairs(boxes.at(i)).size();
    for (const StepReport& report :
         detector.check_batch(crowd.members, crowd.steps[i], {.meet = true, .threads = 1})) {
      if (report.error) {
        fmt::print(stderr, "error: {}\n", report.error->message);
        return false;
      }
      if (again[static_cast<std::size_t>(report.avatar)].contacts != report.contacts) {
        fmt::print(stderr, "error: a Crowd's contacts are not those of check_batch\n");
        return false;
      }
      size.link_pairs += report.counters.link_pairs;
      for (const Contact& c : report.contacts) ++(c.other() ? size.meetings : size.contacts);
    }
  }
  return true;
}

/// One number of avatars, and what is kept from pass to pass.
class Timed {
 public:
  /// Errors: those of making a scene and of checking it.
  static Result<Timed> make(Layout layout, std::size_t avatars, bool quick) {
    Timed out;
    out.size_.avatars = avatars;
    out.size_.instants =
        quick ? 2 : std::clamp<std::size_t>(kAvatarSteps / avatars, 4, kMostInstants);
    Result<CrowdScene> scene = make_crowd(layout, avatars, out.size_.instants);
    if (!scene.ok()) return scene.error();
    out.scene_ = std::make_unique<CrowdScene>(std::move(scene).value());
    out.size_.triangles = out.scene_->hall.triangles().size();
    auto detector = Detector::make(out.scene_->hall);
    if (!detector) return detector.error();
    out.detector_ = std::make_unique<Detector>(std::move(detector).value());
    if (!count(*out.scene_, *out.detector_, out.size_)) {
      return Error{ErrorCode::kResource, "a step was not checked, or not as it should be"};
    }
    out.boxes_ = std::make_unique<Boxes>(*out.scene_);
    for (std::size_t i = 0; i < 3; ++i) {
      out.crowds_.emplace_back(*out.detector_, out.scene_->members);
    }
    out.samples_ = std::make_unique<Samples>(kRows, out.size_.instants);
    return out;
  }

  /// Every instant, every row. `counts`: not where memory is only made warm.
  void pass(bool counts) {
    const auto n = static_cast<double>(size_.avatars);
    if (counts) samples_->next_pass();
    const auto set = [&](Row row, std::size_t instant, double us) {
      if (counts) samples_->set(row, instant, us / n);
    };
    for (std::size_t i = 0; i < size_.instants; ++i) {
      const std::vector<Step>& steps = scene_->steps[i];
      double begin = cpu_us();
      const auto& all = boxes_->at(i);
      set(kBoxes, i, cpu_us() - begin);
      begin = cpu_us();
      keep(sweep_.pairs(all));
      set(kSweep, i, cpu_us() - begin);
      begin = cpu_us();
      keep(crowds_[0].check(steps, {.meet = false, .threads = 1}));
      set(kAlone, i, cpu_us() - begin);
      begin = cpu_us();
      keep(crowds_[1].check(steps, {.meet = true, .threads = 1}));
      set(kMeet, i, cpu_us() - begin);
      begin = cpu_us();
      keep(detector_->check_batch(scene_->members, steps, {.meet = true, .threads = 1}));
      set(kBatch, i, cpu_us() - begin);
      begin = now_us();
      keep(crowds_[2].check(steps, {.meet = true}));
      set(kMeetAll, i, now_us() - begin);
    }
  }

  /// What was counted, and the medians over the passes.
  [[nodiscard]] Size result() const {
    const auto median = [&](Row row) { return samples_->along_passes(row).median; };
    Size out = size_;
    out.times = {median(kBoxes), median(kSweep), median(kAlone),
                 median(kMeet),  median(kBatch), median(kMeetAll)};
    return out;
  }

 private:
  Size size_;
  std::unique_ptr<CrowdScene> scene_;  // at fixed places: others refer to them
  std::unique_ptr<Detector> detector_;
  std::unique_ptr<Boxes> boxes_;
  std::vector<Crowd> crowds_;  ///< who do not meet, who do, who do on all threads
  std::unique_ptr<Samples> samples_;
  cpu::IntervalSweep sweep_;
};

/// A pass visits every size: a slow moment of the machine hits all of them alike.
Result<Case> run_case(Layout layout, std::span<const std::size_t> sizes, std::size_t passes,
                      bool quick) {
  std::vector<Timed> all;
  for (const std::size_t n : sizes) {
    Result<Timed> timed = Timed::make(layout, n, quick);
    if (!timed.ok()) return timed.error();
    all.push_back(std::move(timed).value());
  }
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    for (Timed& timed : all) timed.pass(pass > 0);
  }
  Case out{layout, {}};
  for (const Timed& timed : all) out.sizes.push_back(timed.result());
  return out;
}

struct Report {
  Machine machine;
  bool quick = false;
  std::vector<Case> cases;
};

std::string as_text(const Report& r) {
  fmt::memory_buffer out;
  const auto put = [&](const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{}", text);
  };
  put("bench/crowd: avatars of 16 links that meet each other and a hall\n\n");
  put(machine_text(r.machine));
  if (r.quick) put("\nQUICK RUN: too small and too few passes for figures to be quoted\n");
  for (const Case& c : r.cases) {
    put(fmt::format("\n{}: {}\n", name_of(c.layout), what_of(c.layout)));
    constexpr const char* kHead =
        "{:>7} {:>9} | {:>8} {:>8} {:>8} {:>8} | {:>7} {:>7} | {:>6} {:>6} {:>6} {:>6} | {:>9} "
        "{:>9}\n";
    put(fmt::format(kHead, "avatars", "triangles", "pairs of", "pairs of", "contacts", "between",
                    "us/step", "us/step", "room", "boxes", "sweep", "links", "steps/s", "steps/s"));
    put(fmt::format(kHead, "", "", "avatars", "links", "in hall", "avatars", "Crowd", "batch", "%",
                    "%", "%", "%", "1 thread", "all"));
    for (const Size& s : c.sizes) {
      const Times& t = s.times;
      const auto share = [&](double part) { return 100.0 * std::max(0.0, part) / t.meet; };
      const auto each = [&](std::uint64_t all) { return static_cast<double>(all) / s.steps(); };
      put(fmt::format(
          "{:>7} {:>9} | {:>8.2f} {:>8.2f} {:>8.2f} {:>8.3f} | {:>7.2f} {:>7.2f} | {:>6.1f} "
          "{:>6.1f} {:>6.1f} {:>6.1f} | {:>9.0f} {:>9.0f}\n",
          s.avatars, s.triangles, each(s.avatar_pairs), each(s.link_pairs), each(s.contacts),
          each(s.meetings), t.meet, t.batch, share(t.alone), share(t.boxes), share(t.sweep),
          share(t.meet - t.alone - t.sweep), 1e6 / t.meet, 1e6 / t.meet_all));
    }
    put(fmt::format(
        "  growth with the number of avatars, n^p: p = {:.3f}; n log n would be {:.3f}\n",
        c.growth(), c.growth_of_sorting()));
  }
  put("\nCounts and times are per avatar and step. Stages of a Crowd: each avatar against the "
      "hall\n"
      "(room; its coarse boxes, which the others need as well, are a part of it), the sweep that "
      "pairs\n"
      "avatars (from scratch), and their links against each other. batch: Detector::check_batch, "
      "which\n"
      "remembers nothing. Times are processor time of one thread, but for the last column: all\n"
      "threads, by the clock on the wall.\n");
  return to_string(out);
}

std::string as_json(const Report& r) {
  nlohmann::ordered_json out = json_head("tocsin.bench.crowd.v1", r.quick, r.machine);
  for (const Case& c : r.cases) {
    nlohmann::ordered_json one = {{"layout", name_of(c.layout)},
                                  {"growth", c.growth()},
                                  {"growth_of_n_log_n", c.growth_of_sorting()}};
    for (const Size& s : c.sizes) {
      one["sizes"].push_back({{"avatars", s.avatars},
                              {"instants", s.instants},
                              {"triangles", s.triangles},
                              {"avatar_pairs", s.avatar_pairs},
                              {"link_pairs", s.link_pairs},
                              {"contacts", s.contacts},
                              {"meetings", s.meetings},
                              {"microseconds_per_step",
                               {{"boxes", s.times.boxes},
                                {"sweep", s.times.sweep},
                                {"alone", s.times.alone},
                                {"meet", s.times.meet},
                                {"batch", s.times.batch},
                                {"meet_all_threads", s.times.meet_all}}}});
    }
    out["cases"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

int run(const Options& options) {
  Report report{this_machine(), options.quick, {}};
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 7;
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>(kQuickSizes.begin(), kQuickSizes.end())
                    : std::vector<std::size_t>(kSizes.begin(), kSizes.end());
  std::uint64_t meetings = 0;
  for (const Layout layout : {Layout::kGrid, Layout::kCrowd}) {
    Result<Case> one = run_case(layout, sizes, passes, options.quick);
    if (!one.ok()) {
      fmt::print(stderr, "error: {}\n", one.error().message);
      return 3;
    }
    for (const Size& size : one->sizes) meetings += size.meetings;
    report.cases.push_back(std::move(one).value());
  }
  const Results results{"crowd", as_text(report), as_json(report)};
  return finish(results, options, report.machine, meetings > 0,
                "nobody met anybody: the figures say nothing");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"1 to 1,000 avatars that meet each other, at constant density: steps a second, the share of "
       "each stage, growth. Exit status 1: nobody met anybody.",
       "Few avatars, few steps: shows that it runs, not how fast", "Passes over every case (7)"},
      tocsin::bench::run);
}
