// Stream and Crowd.
#include "tocsin/stream.h"

#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "python/bindings.h"
#include "python/guarded.h"
#include "python/step_answer.h"
#include "tocsin/crowd.h"

namespace tocsin::python {
namespace {

using SharedStream = Guarded<Stream>;
using SharedCrowd = Guarded<Crowd>;

/// A stream with the step that go_on() continues.
struct PyStream : SharedStream {
  using SharedStream::SharedStream;
  Step last;
};

constexpr const char* kStreamDoc =
    "Checks successive steps of one avatar and reuses what earlier steps proved. Its reports are\n"
    "those of Detector.check, bit for bit; only the work is less.\n\n"
    "Stream(detector, member)";

constexpr const char* kCrowdDoc =
    "Checks the same avatars at successive instants and reuses what earlier ones proved. Its\n"
    "reports are those of Detector.check_batch, bit for bit.\n\n"
    "Crowd(detector, members)";

void bind_stream_class(py::module_& m) {
  py::class_<PyStream>(m, "Stream", kStreamDoc)
      .def(py::init([](const Detector& detector, const Member& member) {
             return std::make_unique<PyStream>(Stream(detector, member));
           }),
           py::arg("detector"), py::arg("member"))
      .def(
          "check",
          [](PyStream& self, const Step& step) {
            return StepAnswer{self.with([&](Stream& s) { return s.check(step).value(); }), step};
          },
          py::arg("step"), "Checks one step: a StepReport.")
      .def(
          "check_within",
          [](PyStream& self, const Step& step, const std::optional<std::uint64_t>& work,
             const std::optional<double>& seconds) {
            const StepBudget budget = budget_of(work, seconds);
            self.last = step;
            return StepAnswer{
                self.with([&](Stream& s) { return s.check_within(step, budget).value(); }), step};
          },
          py::arg("step"), py::kw_only(), py::arg("work") = py::none(),
          py::arg("seconds") = py::none(),
          "Checks one step for as long as a budget lasts: units of work, or seconds. Of a report\n"
          "that is not complete everything before checked_until is told; go_on() continues.")
      .def(
          "go_on",
          [](PyStream& self, const std::optional<std::uint64_t>& work,
             const std::optional<double>& seconds) {
            const StepBudget budget = budget_of(work, seconds);
            auto report = self.with([&](Stream& s) { return s.go_on(budget).value(); });
            return StepAnswer{std::move(report), self.last};
          },
          py::kw_only(), py::arg("work") = py::none(), py::arg("seconds") = py::none(),
          "Continues the last check_within(). In the end the report is that of check().")
      .def_property_readonly(
          "has_rest",
          [](PyStream& self) { return self.with([](const Stream& s) { return s.has_rest(); }); },
          "True if go_on() has something to continue.");
}

std::vector<StepAnswer> check_crowd(SharedCrowd& self, const std::vector<Step>& steps, bool meet,
                                    int threads) {
  auto reports = self.with(
      [&](Crowd& crowd) { return crowd.check(steps, {.meet = meet, .threads = threads}); });
  std::vector<StepAnswer> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    StepReport report = std::move(reports[i]).value();  // before steps[i]: their number may differ
    out.push_back({std::move(report), steps[i]});
  }
  return out;
}

}  // namespace

void bind_stream(py::module_& m) {
  bind_stream_class(m);
  py::class_<SharedCrowd>(m, "Crowd", kCrowdDoc)
      .def(py::init([](const Detector& detector, const std::vector<Member>& members) {
             return std::make_unique<SharedCrowd>(Crowd(detector, members));
           }),
           py::arg("detector"), py::arg("members"))
      .def("check", &check_crowd, py::arg("steps"), py::kw_only(), py::arg("meet") = false,
           py::arg("threads") = 0,
           "One step of every member, all at the same time: a list of StepReport. meet: also the\n"
           "avatars against each other.");
}

}  // namespace tocsin::python
