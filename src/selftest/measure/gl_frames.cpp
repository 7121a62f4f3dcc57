#include "selftest/measure/gl_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "detect/backends/detector_core.h"
#include "devices/gl/gl_backend.h"
#include "selftest/compare/case.h"

namespace tocsin::selftest {

namespace {

constexpr std::size_t kMostFrames = 1000;
/// Rounds of the image-space search (src/devices/gl/image_search.cpp): the first of 8 slabs,
/// and twice 8 of the one that stays.
constexpr double kRounds = 3.0;

using Core = detail::DetectorCore;

/// A detector that shares the scene's tree. All objects are surfaces, as image space knows no
/// solids.
Result<std::shared_ptr<const Core>> open_core(const Environment& environment,
                                              const std::shared_ptr<const cpu::TreeCuller>& tree,
                                              DetectorOptions options) {
  options.surfaces = {"*"};
  auto exact = std::make_shared<const detect::ExactStep>(environment, options, tree);
  std::shared_ptr<const detect::DeviceBackend> device;
  if (options.backend == Backend::kGl) {
    auto opened = devices::GlBackend::open(exact);
    if (!opened) return opened.error();
    device = std::move(opened).value();
  }
  return std::shared_ptr<const Core>(std::make_shared<const Core>(
      std::move(exact), std::move(device), std::vector<std::string>()));
}

DetectorOptions in_image_space(DetectorOptions options) {
  options.experiments.certify = false;
  return options;
}

bool equal(const StepReport& p, const StepReport& q) { return !p.error && !q.error && same(p, q); }

std::string too_long(double us) {
  return us < 1e6 ? fmt::format("not run: some {:.0f} ms", 1e-3 * us)
                  : fmt::format("not run: some {:.0f} s", 1e-6 * us);
}

/// Times frames of one avatar, and compares each with the CPU's.
template <class Compare>
Result<Measured> time_frames(const GlScene& scene, const Core& cpu, const DetectorOptions& options,
                             double seconds, const Compare& compare) {
  const auto opened = open_core(scene.environment, scene.tree, options);
  if (!opened) return opened.error();
  const Core& core = *opened.value();
  std::vector<StepReport> got;
  const StepReport first = core.check_one(scene.avatar, scene.near.front());
  if (first.error) return *first.error;
  Measured out = measure(kMostFrames, seconds, [&](std::size_t i) {
    got.push_back(core.check_one(scene.avatar, scene.near[i % scene.near.size()]));
  });
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Step& step = scene.near[i % scene.near.size()];
    compare(got[i], cpu.check_one(scene.avatar, step), step);
  }
  return out;
}

/// Times frames of a crowd, for one detector.
class CrowdTimer {
 public:
  CrowdTimer(const StandingCrowd& crowd, const Core& core, const Core& cpu, double seconds,
             double most)
      : crowd_(crowd), core_(core), cpu_(cpu), seconds_(seconds), most_(most) {}

  /// Frames of so many avatars, and a comparison of some of them with the CPU's answers.
  template <class Compare>
  Measured time(std::size_t size, const Compare& compare) {
    Measured out;
    const auto avatars = static_cast<double>(size);
    if (us_per_avatar_ * avatars > 1e6 * most_) {
      out.skipped = too_long(us_per_avatar_ * avatars);
      return out;
    }
    // Made before: what a crowd costs to make is not what is measured.
    std::vector<std::vector<Step>> frames;
    for (std::size_t i = 0; i < kFrames; ++i) frames.push_back(crowd_.frame(size, 1 + i));
    keep(ask(core_, crowd_.frame(size, 0)));
    std::vector<std::vector<StepReport>> got;
    out = measure(kMostFrames, seconds_, [&](std::size_t frame) {
      std::vector<StepReport> reports = ask(core_, frames[frame % kFrames]);
      if (got.size() < kFrames) got.push_back(std::move(reports));
    });
    us_per_avatar_ = out.figures().mean / avatars;
    for (std::size_t frame = 0; frame < got.size(); ++frame) {
      const std::vector<StepReport> want = ask(cpu_, frames[frame]);
      for (std::size_t i = 0; i < size; ++i) compare(got[frame][i], want[i], frames[frame][i]);
    }
    return out;
  }

 private:
  static constexpr std::size_t kFrames = 8;  // that are asked in turns, and compared

  [[nodiscard]] std::vector<StepReport> ask(const Core& core, std::span<const Step> steps) const {
    std::vector<StepReport> reports(steps.size());
    core.check_all(crowd_.avatar(), steps, {}, reports);
    return reports;
  }

  const StandingCrowd& crowd_;
  const Core& core_;
  const Core& cpu_;
  double seconds_;
  double most_;
  double us_per_avatar_ = 0.0;
};

}  // namespace

bool covers(const StepReport& image, const StepReport& exact) {
  return !image.error && image.safe_until <= exact.safe_until &&
         std::all_of(exact.contacts.begin(), exact.contacts.end(), [&](const Contact& c) {
           return std::any_of(image.contacts.begin(), image.contacts.end(), [&](const Contact& i) {
             return i.link == c.link && i.room()->object == c.room()->object &&
                    i.toc[0] <= c.toc[0];
           });
         });
}

void note(bool holds, const Step& step, bool& so_far, std::optional<Step>& first) {
  if (holds) return;
  if (!first) first = step;
  so_far = false;
}

Result<FrameResult> run_frames(const GlScene& scene, const TableResult& table, double seconds,
                               double most) {
  FrameResult out;
  const auto cpu = open_core(scene.environment, scene.tree, {.backend = Backend::kCpu});
  if (!cpu) return cpu.error();
  const Core& core = *cpu.value();
  out.cpu = measure(kMostFrames, seconds, [&](std::size_t i) {
    keep(core.check_one(scene.avatar, scene.near[i % scene.near.size()]));
  });
  for (const WayRows& row : table.ways) {
    FrameRows frame;
    frame.way = row.way;
    const double culled = row.interference.figures().mean * scene.near_links;
    const double searched = row.backtracking.figures().mean * scene.near_links * kRounds;
    if (culled > 1e6 * most) {
      frame.certified.skipped = too_long(culled);
    } else {
      auto timed = time_frames(scene, core, row.way.options(), seconds,
                               [&](const StepReport& got, const StepReport& want, const Step& at) {
                                 note(equal(got, want), at, frame.equal, frame.differing);
                               });
      if (!timed) return timed.error();
      frame.certified = std::move(timed).value();
    }
    if (searched > 1e6 * most) {
      frame.image.skipped = too_long(searched);
    } else {
      auto timed = time_frames(scene, core, in_image_space(row.way.options()), seconds,
                               [&](const StepReport& got, const StepReport& want, const Step& at) {
                                 note(covers(got, want), at, frame.covered, frame.uncovered);
                               });
      if (!timed) return timed.error();
      frame.image = std::move(timed).value();
    }
    out.ways.push_back(std::move(frame));
  }
  return out;
}

Result<std::vector<CrowdRows>> run_crowd(const StandingCrowd& crowd,
                                         const std::vector<std::size_t>& sizes, double seconds,
                                         double most) {
  const std::shared_ptr<const cpu::TreeCuller> tree = cpu::make_tree_culler(crowd.environment());
  const auto cpu = open_core(crowd.environment(), tree, {.backend = Backend::kCpu});
  const auto certified = open_core(crowd.environment(), tree, GlWay{}.options());
  const auto image = open_core(crowd.environment(), tree, in_image_space(GlWay{}.options()));
  for (const auto* core : {&cpu, &certified, &image}) {
    if (!*core) return core->error();
  }
  CrowdTimer on_cpu(crowd, *cpu.value(), *cpu.value(), seconds, most);
  CrowdTimer on_gl(crowd, *certified.value(), *cpu.value(), seconds, most);
  CrowdTimer in_image(crowd, *image.value(), *cpu.value(), seconds, most);
  std::vector<CrowdRows> out;
  for (const std::size_t size : sizes) {
    CrowdRows rows;
    rows.avatars = size;
    std::size_t contacts = 0;
    std::size_t reports = 0;
    rows.cpu = on_cpu.time(size, [&](const StepReport& got, const StepReport&, const Step&) {
      contacts += got.contacts.size();
      ++reports;
    });
    rows.contacts = static_cast<double>(contacts * size) / static_cast<double>(reports);
    rows.certified =
        on_gl.time(size, [&](const StepReport& got, const StepReport& want, const Step& at) {
          note(equal(got, want), at, rows.equal, rows.differing);
        });
    rows.image =
        in_image.time(size, [&](const StepReport& got, const StepReport& want, const Step& at) {
          note(covers(got, want), at, rows.covered, rows.uncovered);
        });
    out.push_back(std::move(rows));
  }
  return out;
}

}  // namespace tocsin::selftest
