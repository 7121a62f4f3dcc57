#include "selftest/compare/case.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "cpu/kernels/only_simd_target.h"

namespace tocsin::selftest {

namespace {

/// Avatars that are asked first, each alone, and then twice as many each time: a slow backend has
/// answered some when its time is up. Smaller: more questions of few.
constexpr std::size_t kFirstPiece = 16;
/// So many are asked of CUDA at once: it is made for batches.
constexpr std::size_t kBatch = 128;

/// Asks about the members of one instant. Reports after a stop have the error kCancelled.
class Instant {
 public:
  Instant(const Case& question, const Way& way, const std::stop_token& stop)
      : question_(question), options_{.meet = question.meet, .threads = way.threads, .stop = stop} {
    if (way.options.backend == Backend::kCuda) first_ = kBatch;
    // What meets is one question. What fails on the way, fails in one piece.
    if (question.meet || question.fails) first_ = question.members.size();
  }

  /// Errors: a step's, other than kCancelled.
  Status ask(const Detector& detector, std::size_t instant, std::vector<StepReport>& out) const {
    const std::size_t members = question_.members.size();
    for (std::size_t begin = 0, size = first_; begin < members; size *= 2) {
      const std::size_t count = std::min(size, members - begin);
      if (const Status done = ask(detector, instant, begin, count, out); !done) return done;
      begin += count;
    }
    return Nothing{};
  }

 private:
  Status ask(const Detector& detector, std::size_t instant, std::size_t begin, std::size_t count,
             std::vector<StepReport>& out) const {
    auto reports = detector.check_batch(
        std::span(question_.members).subspan(begin, count),
        std::span(question_.instants[instant]).subspan(begin, count), options_);
    for (StepReport& report : reports) {
      if (report.error && report.error->code != ErrorCode::kCancelled) return *report.error;
      report.avatar += static_cast<std::int32_t>(begin);
      for (Contact& contact : report.contacts) {
        if (contact.other() != nullptr) contact.other()->avatar += static_cast<std::int32_t>(begin);
      }
      out.push_back(std::move(report));
    }
    return Nothing{};
  }

  const Case& question_;
  std::size_t first_ = kFirstPiece;  ///< members that are asked first
  RunOptions options_;
};

}  // namespace

Result<std::vector<StepReport>> ask(const Case& question, const Way& way,
                                    const std::stop_token& stop, std::string* fallback) {
  const cpu::OnlySimdTarget simd(way.simd);
  DetectorOptions options = way.options;
  options.margin = question.margin;
  std::optional<Detector> detector;
  std::vector<StepReport> out;
  const Instant asked(question, way, stop);
  for (std::size_t i = 0; i < question.instants.size(); ++i) {
    if (!detector || (i < question.rooms.size() && !stop.stop_requested())) {
      auto made = detector ? detector->with_environment(question.room(i))
                           : Detector::make(question.room(i), options);
      if (!made) return made.error();
      detector = std::move(made).value();
    }
    if (const Status done = asked.ask(*detector, i, out); !done) return done.error();
  }
  if (!out.empty() &&
      std::ranges::all_of(out, [](const StepReport& r) { return r.error.has_value(); })) {
    return *out.front().error;
  }
  if (fallback != nullptr && detector) *fallback = detector->fallback();
  return out;
}

bool same(const StepReport& a, const StepReport& b) {
  return a.contacts == b.contacts && a.safe_until == b.safe_until;
}

}  // namespace tocsin::selftest
