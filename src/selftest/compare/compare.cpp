#include "selftest/compare/compare.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "gpu/cuda/device/device.h"
#include "selftest/compare/contact_hash.h"
#include "selftest/compare/oracle_sample.h"
#include "selftest/measure/timing.h"

namespace tocsin::selftest {

namespace {

/// A call in the middle of a check of some steps, which is some fifty calls: after the room was
/// uploaded, before all is answered. Fewer would fail before the first answer.
constexpr const char* kHalfWay = "60";

/// As long as it exists, CUDA devices that are opened fail half-way.
class FailHalfWay {
 public:
  explicit FailHalfWay(bool wanted) : wanted_(wanted) {
    if (!wanted_) return;
    if (const char* was = std::getenv(cuda::kFailAtVariable))
      was_ = was;                                // NOLINT(concurrency-mt-unsafe)
    setenv(cuda::kFailAtVariable, kHalfWay, 1);  // NOLINT(concurrency-mt-unsafe): between checks
  }
  ~FailHalfWay() {
    if (!wanted_) return;
    if (was_) {
      setenv(cuda::kFailAtVariable, was_->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    } else {
      unsetenv(cuda::kFailAtVariable);  // NOLINT(concurrency-mt-unsafe)
    }
  }
  FailHalfWay(const FailHalfWay&) = delete;
  FailHalfWay& operator=(const FailHalfWay&) = delete;

 private:
  bool wanted_;
  std::optional<std::string> was_;
};

std::string hash_of(const std::vector<StepReport>& reports) {
  ContactHash hash;
  for (const StepReport& report : reports) {
    for (const Contact& c : report.contacts) hash.add(c);
  }
  return hash.hex();
}

/// Sets verdict and counts of an answer.
void judge(const Case& question, const std::vector<StepReport>& want,
           const std::vector<StepReport>& got, const std::string& fallback, Answer& out) {
  const bool sound = question.fails || fallback.empty();
  std::size_t left = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (i < got.size() && got[i].error && got[i].error->code == ErrorCode::kCancelled) {
      ++left;
    } else if (i >= got.size() || !same(want[i], got[i])) {
      if (out.differing++ == 0) out.first = i;
    }
  }
  out.answered = want.size() - left;
  if (left == 0) out.hash = hash_of(got);
  out.note = fallback;
  if (out.differing > 0 || got.size() != want.size()) {
    out.verdict = Verdict::kDiffers;
  } else if (left > 0) {
    out.verdict = sound ? Verdict::kNoTime : Verdict::kFailed;
  } else if (question.fails && fallback.empty()) {
    out.verdict = Verdict::kFailed;
    out.note = "the device was made to fail, and nothing took over";
  } else {
    out.verdict = sound ? Verdict::kSame : Verdict::kFailed;
  }
}

/// Of the reference's time, what a way needs to take the room, which no stop ends. Smaller: more
/// ways are asked that answer nothing.
constexpr double kLeastShare = 0.5;

/// Of what is left, for way i: every backend has as much as the others.
double share_of(const std::vector<Way>& ways, std::size_t i) {
  const auto weight = [&](const Way& way) {
    return 1.0 / static_cast<double>(std::ranges::count(
                     ways, way.options.backend, [](const Way& w) { return w.options.backend; }));
  };
  double all = 0.0;
  for (std::size_t j = i; j < ways.size(); ++j) all += weight(ways[j]);
  return weight(ways[i]) / all;
}

Answer answer_of(const Case& question, const Way& way, const std::vector<StepReport>& want,
                 const std::stop_token& stop, const Asker& asker) {
  Answer out;
  out.way = way.name;
  if (question.fails && way.options.backend != Backend::kCuda) return out;
  if (stop.stop_requested()) {
    out.verdict = Verdict::kNoTime;
    return out;
  }
  const FailHalfWay fail(question.fails);
  std::string fallback;
  const double begin = now_us();
  const auto got = asker(question, way, stop, &fallback);
  out.seconds = 1e-6 * (now_us() - begin);
  if (got) {
    judge(question, want, *got, fallback, out);
    return out;
  }
  out.verdict = got.error().code == ErrorCode::kCancelled ? Verdict::kNoTime : Verdict::kFailed;
  out.note = got.error().message;
  return out;
}

}  // namespace

Result<CaseResult> compare(const Case& question, std::size_t number, const Ways& ways,
                           const std::stop_token& stop, const Askers& askers, double seconds) {
  CaseResult out;
  out.number = number;
  out.kind = question.kind;
  out.name = question.name;
  out.what = question.what;
  out.steps = question.steps();
  const double begin = now_us();
  const auto want = ask(question, ways.reference, {});
  if (!want) return want.error();
  out.seconds = 1e-6 * (now_us() - begin);
  out.hash = hash_of(*want);
  for (const StepReport& report : *want) out.contacts += report.contacts.size();
  if (ways.oracle) out.oracle = askers.oracle(question, *want);
  const double all = now_us();
  for (std::size_t i = 0; i < ways.others.size(); ++i) {
    const double left = std::max(seconds - 1e-6 * (now_us() - all), 0.0);
    const double share = left * share_of(ways.others, i);
    if (share < kLeastShare * out.seconds) {
      Answer& none = out.answers.emplace_back();
      none.way = ways.others[i].name;
      none.verdict = Verdict::kNoTime;
      continue;
    }
    const Deadline deadline(share, stop);
    out.answers.push_back(answer_of(question, ways.others[i], *want, deadline.token(), askers.way));
  }
  return out;
}

}  // namespace tocsin::selftest
