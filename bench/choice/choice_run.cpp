#include "choice/choice_run.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace tocsin::bench {
namespace {

using selftest::now_us;

/// Avatar-steps of a pass, at least: enough for its time to be that of the work.
constexpr std::size_t kSteps = 1'000;
constexpr std::size_t kMostBatches = 400;
/// What takes longer is asked in the first pass alone, microseconds.
constexpr double kSlow = 1e6;

ChoiceWay way(std::string name, Backend backend, bool emulate) {
  ChoiceWay out;
  out.name = std::move(name);
  out.options.backend = backend;
  out.options.experiments.emulate = emulate;
  out.chooses = backend == Backend::kAuto;
  out.emulated = emulate;
  return out;
}

/// All ways in one room, asked about the same avatars.
class Contest {
 public:
  explicit Contest(std::vector<Detector> detectors) : detectors_(std::move(detectors)) {}

  Result<ChoiceRow> run(const selftest::StandingCrowd& crowd, const std::vector<ChoiceWay>& ways,
                        std::size_t avatars, std::size_t passes) {
    members_.assign(avatars, Member{crowd.avatar(), {}, {}});
    batches_.clear();
    const std::size_t count = std::clamp<std::size_t>(kSteps / avatars, 1, kMostBatches);
    for (std::size_t b = 0; b < count; ++b) batches_.push_back(crowd.frame(avatars, b));
    ChoiceRow out;
    out.avatars = avatars;
    if (const Status same = compare(out.equal); !same) return same.error();
    const std::vector<double> none(count, std::numeric_limits<double>::infinity());
    std::vector<std::vector<double>> wall(detectors_.size(), none);
    std::vector<std::vector<double>> processor(detectors_.size(), none);
    std::vector<double> first(detectors_.size(), 0.0);
    std::vector<std::size_t> order(detectors_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(20'261);
    for (std::size_t pass = 0; pass < passes; ++pass) {
      for (std::size_t b = 0; b < count; ++b) {
        // In an order without pattern: what comes behind a large one finds its caches cold.
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t w : order) {
          if (pass > 0 && first[w] > kSlow) continue;
          const Taken taken = time(detectors_[w], b);
          if (pass == 0) first[w] += taken.wall;
          wall[w][b] = std::min(wall[w][b], taken.wall);
          processor[w][b] = std::min(processor[w][b], taken.processor);
        }
      }
    }
    out.us = each(wall, avatars);
    out.processor_us = each(processor, avatars);
    out.times_best = times_best(ways, out.us);
    out.processor_times_best = times_best(ways, out.processor_us);
    return out;
  }

 private:
  Status compare(bool& equal) const {
    std::vector<StepReport> want;
    for (const Detector& detector : detectors_) {
      std::vector<StepReport> got = detector.check_batch(members_, batches_.front());
      for (const StepReport& report : got) {
        if (report.error) return *report.error;
      }
      if (want.empty())
        want = std::move(got);
      else
        equal = equal && std::equal(want.begin(), want.end(), got.begin(), got.end(),
                                    [](const StepReport& p, const StepReport& q) {
                                      return p.contacts == q.contacts;
                                    });
    }
    return Nothing{};
  }

  struct Taken {  // microseconds
    double wall;
    double processor;
  };
  [[nodiscard]] Taken time(const Detector& detector, std::size_t batch) const {
    const double begin_processor = selftest::process_us();
    const double begin = now_us();
    selftest::keep(detector.check_batch(members_, batches_[batch]));
    return {now_us() - begin, selftest::process_us() - begin_processor};
  }

  /// Per way, of an avatar-step.
  static std::vector<double> each(const std::vector<std::vector<double>>& us, std::size_t avatars) {
    std::vector<double> out;
    for (const std::vector<double>& of_batches : us) {
      out.push_back(std::accumulate(of_batches.begin(), of_batches.end(), 0.0) /
                    static_cast<double>(avatars * of_batches.size()));
    }
    return out;
  }

  static std::vector<double> times_best(const std::vector<ChoiceWay>& ways,
                                        const std::vector<double>& us) {
    std::vector<double> out;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      out.push_back(ways[w].chooses ? us[w] / best(ways, us, w) : 0.0);
    }
    return out;
  }

  /// Of the backends that a choice could take.
  static double best(const std::vector<ChoiceWay>& ways, const std::vector<double>& us,
                     std::size_t choice) {
    double out = std::numeric_limits<double>::infinity();
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const bool there = !ways[w].emulated || ways[choice].emulated;
      if (!ways[w].chooses && there) out = std::min(out, us[w]);
    }
    return out;
  }

  std::vector<Detector> detectors_;
  std::vector<Member> members_;
  std::vector<std::vector<Step>> batches_;
};

}  // namespace

std::vector<ChoiceWay> choice_ways() {
  std::vector<ChoiceWay> out{way("cpu", Backend::kCpu, false)};
  const auto works = [](const ChoiceWay& w) {
    return Detector::make(Environment{}, w.options).ok();
  };
  for (const ChoiceWay& device :
       {way("gl", Backend::kGl, false), way("cuda", Backend::kCuda, false)}) {
    if (works(device)) out.push_back(device);
  }
  out.push_back(way("auto", Backend::kAuto, false));
  if (works(way("cuda", Backend::kCuda, false))) return out;
  out.push_back(way("cuda emulated", Backend::kCuda, true));
  out.push_back(way("auto, emulated", Backend::kAuto, true));
  return out;
}

Result<ChoiceRoom> run_choice(std::string name, const Environment& room,
                              const std::vector<ChoiceWay>& ways,
                              const std::vector<std::size_t>& avatars, std::size_t passes) {
  ChoiceRoom out;
  out.name = std::move(name);
  out.triangles = room.triangles().size();
  std::vector<Detector> detectors;
  for (const ChoiceWay& w : ways) {
    const double begin = now_us();
    auto made = Detector::make(room, w.options);
    if (!made) return made.error();
    out.ways.push_back(
        {w, made->backend_name(), made->backend_reason(), 1e-6 * (now_us() - begin)});
    detectors.push_back(std::move(made).value());
  }
  const auto crowd = selftest::StandingCrowd::in(room);
  if (!crowd) return crowd.error();
  Contest contest(std::move(detectors));
  for (const std::size_t count : avatars) {
    auto row = contest.run(*crowd, ways, count, passes);
    if (!row) return row.error();
    out.rows.push_back(std::move(row).value());
  }
  return out;
}

}  // namespace tocsin::bench
