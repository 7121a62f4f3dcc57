#include "selftest/compare/case.h"

#include <iterator>
#include <optional>
#include <utility>

#include "cpu/kernels/only_simd_target.h"

namespace tocsin::selftest {

Result<std::vector<StepReport>> ask(const Case& question, const Way& way,
                                    const std::stop_token& stop, std::string* fallback) {
  const cpu::OnlySimdTarget simd(way.simd);
  DetectorOptions options = way.options;
  options.margin = question.margin;
  std::optional<Detector> detector;
  std::vector<StepReport> out;
  for (std::size_t i = 0; i < question.instants.size(); ++i) {
    if (!detector || i < question.rooms.size()) {
      auto made = detector ? detector->with_environment(question.room(i))
                           : Detector::make(question.room(i), options);
      if (!made) return made.error();
      detector = std::move(made).value();
    }
    std::vector<StepReport> reports =
        detector->check_batch(question.members, question.instants[i],
                              {.meet = question.meet, .threads = way.threads, .stop = stop});
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
    }
    out.insert(out.end(), std::make_move_iterator(reports.begin()),
               std::make_move_iterator(reports.end()));
  }
  if (fallback != nullptr && detector) *fallback = detector->fallback();
  return out;
}

bool same(const StepReport& a, const StepReport& b) {
  return a.contacts == b.contacts && a.safe_until == b.safe_until;
}

}  // namespace tocsin::selftest
