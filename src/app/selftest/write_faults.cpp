#include "app/selftest/write_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/cli/stopwatch.h"
#include "io/report/option_names.h"
#include "selftest/compare/smallest.h"
#include "selftest/measure/gl_faults.h"

namespace tocsin::app {
namespace {

using selftest::Case;
using selftest::CaseResult;
using selftest::Way;

/// Faults that are made small and written: the first ones say what is wrong.
constexpr std::size_t kMostWritten = 3;
/// Of the time, to make a case small: after that it is written as small as it is.
constexpr double kSmallerSeconds = 10.0;

/// Options of the command line for a way.
std::string command_options(const Way& way) {
  std::string out;
  if (way.options.experiments.emulate) out += "--emulate";
  if (const std::vector<int>& devices = way.options.cuda.devices; !devices.empty()) {
    out += fmt::format("{}--cuda-device {}", out.empty() ? "" : " ", fmt::join(devices, ","));
  }
  if (way.options.gl.method == GlMethod::kQuery) out += "--gl-method query";
  return out;
}

}  // namespace

Status FaultWriter::write(const Case& question, const CaseResult& result) {
  if (result.oracle.first) {
    const Status written = write(question, refuted(result.number, *result.oracle.first));
    if (!written) return written;
  }
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const selftest::Answer& answer = result.answers[i];
    if (answer.verdict != selftest::Verdict::kDiffers) continue;
    const Status written = write(question, differing(ways_.others[i], result.number, answer.first));
    if (!written) return written;
  }
  return Nothing{};
}

Status FaultWriter::write_measured() {
  if (const Status written = write_cuda(); !written) return written;
  return write_gl();
}

Status FaultWriter::write_cuda() {
  if (!report_.cuda) return Nothing{};
  const auto way = std::ranges::find(ways_.others, Backend::kCuda,
                                     [](const Way& w) { return w.options.backend; });
  for (const selftest::CudaRow& row : report_.cuda->rows) {
    if (row.equal || report_.written.size() == kMostWritten) continue;
    const auto question = selftest::carried_case(row);
    if (!question) return question.error();
    if (const Status written = write(*question, differing(*way, 0, 0)); !written) return written;
  }
  return Nothing{};
}

Status FaultWriter::write_gl() {
  if (!report_.gl) return Nothing{};
  for (const selftest::GlFault& fault : selftest::gl_faults(*report_.gl)) {
    const Fault found{selftest::name_of_way(fault), 0, selftest::how_to_ask(fault),
                      [&](const Case& part) { return selftest::shows(fault, part, askers_.way); }};
    if (const Status written = write(fault.question, found); !written) return written;
  }
  return Nothing{};
}

FaultWriter::Fault FaultWriter::refuted(std::size_t number, std::size_t report) const {
  return {"oracle",
          report,
          {.what = selftest::AskAlone::kOracle, .number = number},
          [this](const Case& part) {
            const auto reports = selftest::ask(part, ways_.reference, {});
            return reports && !askers_.oracle(part, *reports).refutations.empty();
          }};
}

FaultWriter::Fault FaultWriter::differing(const Way& way, std::size_t number,
                                          std::size_t report) const {
  return {way.name,
          report,
          {.number = number,
           .backend = std::string(io::name_of(way.options.backend)),
           .options = command_options(way)},
          [this, &way](const Case& part) {
            const auto want = selftest::ask(part, ways_.reference, {});
            const auto got = askers_.way(part, way, {}, nullptr);
            if (!want || !got || want->size() != got->size()) return false;
            return !std::equal(want->begin(), want->end(), got->begin(), selftest::same);
          }};
}

Status FaultWriter::write(const Case& question, const Fault& fault) {
  if (report_.written.size() == kMostWritten) return Nothing{};
  const Stopwatch watch;
  const Case small = selftest::smallest(question, fault.report, [&](const Case& part) {
    return watch.milliseconds() < 1000.0 * kSmallerSeconds && fault.errs(part);
  });
  const std::string folder = fmt::format("{}/{}", options_.failed, report_.written.size() + 1);
  const Status written = selftest::write_case(small, fault.how, folder);
  if (!written) return written;
  report_.written.push_back({fault.way, question.name, folder, small.members.size(),
                             small.rooms.front().triangles().size()});
  return Nothing{};
}

}  // namespace tocsin::app
