// Detector and StepReport.
#include "tocsin/detector.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "detect/step/solid_objects.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/contact_rows.h"
#include "python/errors.h"
#include "python/near_rows.h"
#include "python/object_reports.h"
#include "python/step_answer.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

constexpr const char* kDetectorDoc =
    "Checks steps of avatars in one room. Immutable; threads may share it.\n\n"
    "Detector(environment, *, backend='auto', contacts='pairs', margin=0, tolerance=1e-9,\n"
    "         clearance=False, surfaces=(), tree_cache='', threads=0, expected_steps=0,\n"
    "         emulate=False)\n"
    "backend: 'auto', 'cpu', 'gl' or 'cuda'; all give the same contacts, bit for bit. contacts:\n"
    "'pairs' (the first contact of every link and object) or 'first' (the earliest of a step).\n"
    "margin: metres that every link's radius grows by. tolerance: wanted width of a bracket, step\n"
    "time. clearance: reports have clearances. surfaces: globs of objects that are not solid.\n"
    "tree_cache: a folder that keeps trees. threads: 0 is all. expected_steps: how many will be\n"
    "checked, for 'auto'. emulate: CUDA's kernels run on the CPU. Errors: 'usage' for options out\n"
    "of range, 'unavailable' for a backend that does not work here, 'resource'.";

constexpr const char* kReportDoc =
    "The answer for one step: nothing active is touched on [0, safe_until), which is proved.";

DetectorOptions detector_options_of(const std::string& backend, const std::string& contacts,
                                    double margin, double tolerance, bool clearance,
                                    const std::vector<std::string>& surfaces,
                                    const std::string& tree_cache, int threads,
                                    std::size_t expected_steps, bool emulate) {
  if (threads < 0)
    refuse(ErrorCode::kUsage, fmt::format("threads: expected 0 or more, got {}", threads));
  DetectorOptions out;
  out.backend = named<Backend>("backend", backend);
  out.contacts = named<Contacts>("contacts", contacts);
  out.margin = margin;
  out.tolerance = tolerance;
  out.clearance = clearance;
  out.surfaces = surfaces;
  out.tree_cache = tree_cache;
  out.threads = threads;
  out.expected_steps = expected_steps;
  out.experiments.emulate = emulate;
  return out;
}

Detector make_detector(const Environment& room, const std::string& backend,
                       const std::string& contacts, double margin, double tolerance, bool clearance,
                       const std::vector<std::string>& surfaces, const std::string& tree_cache,
                       int threads, std::size_t expected_steps, bool emulate) {
  const DetectorOptions options =
      detector_options_of(backend, contacts, margin, tolerance, clearance, surfaces, tree_cache,
                          threads, expected_steps, emulate);
  return interruptible(
      [&](const std::stop_token&) { return taken(Detector::make(room, options)); });
}

std::vector<StepAnswer> answers_of(std::vector<StepReport>&& reports,
                                   const std::vector<Step>& steps) {
  std::vector<StepAnswer> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    StepReport report = std::move(reports[i]).value();  // before steps[i]: their number may differ
    out.push_back({std::move(report), steps[i]});
  }
  return out;
}

py::array solid_of(const Detector& detector) {
  const Environment& room = detector.environment();
  const detect::SolidObjects solid(room, detector.options().surfaces);
  std::vector<std::uint8_t> out;
  for (std::uint32_t i = 0; i < room.objects().size(); ++i)
    out.push_back(solid.is_solid(i) ? 1 : 0);
  return moved(std::move(out)).attr("view")("bool");
}

py::dict depth_of(const Detector& detector, const Avatar& avatar, const Step& step, double time,
                  std::int32_t link, std::uint32_t object) {
  const Depth depth =
      without_gil([&] { return taken(detector.depth(avatar, step, time, link, object)); });
  py::dict out;
  out["depth"] = depth.depth;
  out["distance"] = depth.distance;
  out["triangle"] = depth.triangle;
  out["point"] = array_of(depth.point);
  out["inside"] = depth.inside;
  return out;
}

std::vector<StepAnswer> check_batch(const Detector& detector, const std::vector<Member>& members,
                                    const std::vector<Step>& steps, bool meet, int threads) {
  auto reports = interruptible([&](const std::stop_token& stop) {
    return detector.check_batch(members, steps, {.meet = meet, .threads = threads, .stop = stop});
  });
  return answers_of(std::move(reports), steps);
}

void bind_report(py::module_& m) {
  py::class_<StepAnswer>(m, "StepReport", kReportDoc)
      .def_property_readonly(
          "step", [](const StepAnswer& a) { return a.report.step; }, "Index of the step.")
      .def_property_readonly(
          "frames", [](const StepAnswer& a) { return a.report.frames; }, "First and last frame.")
      .def_property_readonly(
          "avatar", [](const StepAnswer& a) { return a.report.avatar; },
          "Index into the avatars that are checked together.")
      .def_property_readonly(
          "safe_until", [](const StepAnswer& a) { return a.report.safe_until; },
          "Local time, 0 to 1; 1: the whole step is free.")
      .def_property_readonly(
          "complete", [](const StepAnswer& a) { return a.report.complete; },
          "False: a budget was spent; everything that begins before checked_until is told.")
      .def_property_readonly(
          "checked_until", [](const StepAnswer& a) { return a.report.checked_until; },
          "Local time up to which the step is checked.")
      .def_property_readonly(
          "clearances", [](const StepAnswer& a) { return array_of(a.report.clearances); },
          "(links,): a proved lower bound of the least distance over the step to anything active,\n"
          "metres; 0 of a link in contact. Empty without Detector(clearance=True).")
      .def_property_readonly(
          "_contacts",
          [](const StepAnswer& a) {
            return contact_array(a.step, a.report.contacts, a.report.avatar);
          },
          "The contacts as a plain structured array.");
}

}  // namespace

StepBudget budget_of(const std::optional<std::uint64_t>& work,
                     const std::optional<double>& seconds) {
  StepBudget out;
  if (work) out.work = *work;
  if (seconds) {
    if (!(*seconds >= 0.0 && *seconds <= 1e6)) {
      refuse(ErrorCode::kUsage, "seconds: expected 0 to 1e6");
    }
    out.until = std::chrono::steady_clock::now() +
                std::chrono::nanoseconds(static_cast<std::int64_t>(*seconds * 1e9));
  }
  return out;
}

void bind_detector(py::module_& m) {
  register_contact_rows();
  register_near_rows();
  bind_report(m);
  py::class_<Detector> detector(m, "Detector", kDetectorDoc);
  detector
      .def(py::init(&make_detector), py::arg("environment"), py::kw_only(),
           py::arg("backend") = "auto", py::arg("contacts") = "pairs", py::arg("margin") = 0.0,
           py::arg("tolerance") = 1e-9, py::arg("clearance") = false,
           py::arg("surfaces") = py::make_tuple(), py::arg("tree_cache") = "",
           py::arg("threads") = 0, py::arg("expected_steps") = 0, py::arg("emulate") = false)
      .def(
          "with_options",
          [](const Detector& self, const std::string& contacts, double margin, double tolerance,
             bool clearance, const std::vector<std::string>& surfaces) {
            return taken(self.with_options(detector_options_of(
                "auto", contacts, margin, tolerance, clearance, surfaces, "", 0, 0, false)));
          },
          py::kw_only(), py::arg("contacts") = "pairs", py::arg("margin") = 0.0,
          py::arg("tolerance") = 1e-9, py::arg("clearance") = false,
          py::arg("surfaces") = py::make_tuple(),
          "This room with other options; the tree and the backend are shared.")
      .def(
          "with_environment",
          [](const Detector& self, const Environment& room) {
            return interruptible(
                [&](const std::stop_token&) { return taken(self.with_environment(room)); });
          },
          py::arg("environment"),
          "This detector for a new version of its room (Environment.with_vertices); its tree is\n"
          "fitted, not built.")
      .def(
          "check",
          [](const Detector& self, const Member& member, const Step& step) {
            auto report = without_gil([&] { return self.check(member, step).value(); });
            return StepAnswer{std::move(report), step};
          },
          py::arg("member"), py::arg("step"), "Checks one step: a StepReport.")
      .def(
          "check_within",
          [](const Detector& self, const Member& member, const Step& step,
             const std::optional<std::uint64_t>& work, const std::optional<double>& seconds) {
            const StepBudget budget = budget_of(work, seconds);
            auto report =
                without_gil([&] { return self.check_within(member, step, budget).value(); });
            return StepAnswer{std::move(report), step};
          },
          py::arg("member"), py::arg("step"), py::kw_only(), py::arg("work") = py::none(),
          py::arg("seconds") = py::none(),
          "Checks one step for as long as a budget lasts: units of work, or seconds.")
      .def("check_batch", &check_batch, py::arg("members"), py::arg("steps"), py::kw_only(),
           py::arg("meet") = false, py::arg("threads") = 0,
           "Checks steps[i] of members[i], all at the same time: a list of StepReport. meet: also\n"
           "the avatars against each other.")
      .def(
          "check_objects", &check_objects, py::kw_only(), py::arg("threads") = 0,
          "Of a scene's snapshot: all objects that move, against each other and all that stand: a\n"
          "list of (index of the object, StepReport). A contact's link is 0, link_feature is the\n"
          "object's own triangle.")
      .def(
          "nearest", &near_array, py::arg("member"), py::arg("step"), py::arg("time"),
          py::arg("within"),
          "All active pairs of a link and an object that are within `within` metres of each other\n"
          "at local time `time`, 0 to 1, of a step: a structured array, the nearest first.\n"
          "distance: metres, below 0: so deep. own, point (3,): on the link's surface, on the\n"
          "object's; world. link, object, triangle. inside: the link's axis begins in a solid.\n"
          "link_feature: of a link with a shape, or -1. Computed, not certified.")
      .def("depth", &depth_of, py::arg("avatar"), py::arg("step"), py::arg("time"), py::arg("link"),
           py::arg("object"),
           "How deep a link is in an object at local time `time`: a dict of depth (metres; below\n"
           "0: free by so much), distance of the axis, triangle, point (3,), inside. Computed,\n"
           "not certified.")
      .def_property_readonly("environment", &Detector::environment, "Its Environment.")
      .def_property_readonly("solid", &solid_of,
                             "(objects,) bool: which objects are solid: closed, and no surface.\n"
                             "Who is inside touches them. The others are surfaces.")
      .def_property_readonly("backend", &Detector::backend_name, "'cpu', 'gl' or 'cuda'.")
      .def_property_readonly("device", &Detector::device_name, "The device it runs on.")
      .def_property_readonly("backend_reason", &Detector::backend_reason,
                             "Why 'auto' took this backend.")
      .def_property_readonly("fallback", &Detector::fallback,
                             "Why a device did not answer; empty if all did.")
      .def_property_readonly(
          "warnings",
          [](const Detector& self) {
            return std::vector<std::string>(self.warnings().begin(), self.warnings().end());
          },
          "What was tolerated while the tree was built.");
}

}  // namespace tocsin::python
