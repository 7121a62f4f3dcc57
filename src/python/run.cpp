#include "python/run.h"

#include <pybind11/stl.h>

#include <utility>

#include "io/report/report.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/contact_rows.h"
#include "python/errors.h"
#include "python/without_gil.h"
#include "tocsin/time_line.h"

namespace tocsin::python {
namespace {

constexpr const char* kRunDoc =
    "All that a check of many steps found (run). tocsin.check wraps it as a Result.";

/// An episode: consecutive steps in which one pair stays in contact.
struct EpisodeRow {
  std::int64_t frames[2] = {0, 0};
  std::int64_t steps = 0;
  double first_touch[2] = {0.0, 0.0};
  double until = 0.0;
  std::int32_t avatar = 0;
  std::int32_t link = 0;
  std::int32_t object = -1;
  std::int32_t other_avatar = -1;
  std::int32_t other_link = -1;
  bool proved = false;
  std::uint8_t reserved[3] = {};
};

EpisodeRow episode_row(const io::Episode& episode) {
  EpisodeRow row;
  for (std::size_t i = 0; i < 2; ++i) {
    row.frames[i] = episode.frames[i];
    row.first_touch[i] = episode.first_touch[i];
  }
  row.steps = episode.steps;
  row.until = episode.until;
  row.avatar = episode.avatar;
  row.link = episode.first.link;
  if (const RoomTriangle* const room = episode.first.room()) {
    row.object = static_cast<std::int32_t>(room->object);
  }
  if (const OtherLink* const other = episode.first.other()) {
    row.other_avatar = other->avatar;
    row.other_link = other->link;
  }
  row.proved = episode.proved;
  return row;
}

std::vector<EpisodeRow> episodes_of(const Run& run) {
  io::EpisodeTracker tracker;
  for (std::size_t avatar = 0; avatar < run.members.size(); ++avatar) {
    auto next = run.found.begin();
    for (std::size_t k = 0; k < run.steps[avatar].size(); ++k) {
      StepReport report;
      report.avatar = static_cast<std::int32_t>(avatar);
      for (; next != run.found.end(); ++next) {
        if (next->avatar != report.avatar) continue;
        if (next->step != k) break;
        report.contacts.push_back(next->contact);
      }
      tracker.add(run.steps[avatar][k], report);
    }
  }
  std::vector<EpisodeRow> out;
  for (const io::Episode& episode : tracker.sorted()) out.push_back(episode_row(episode));
  return out;
}

py::array contacts_of(const Run& run) {
  std::vector<ContactRow> rows;
  rows.reserve(run.found.size());
  for (const FoundContact& one : run.found) {
    const Step& step = run.steps[static_cast<std::size_t>(one.avatar)][one.step];
    rows.push_back(row_of(step, one.contact, one.avatar));
  }
  return moved(std::move(rows));
}

/// (steps, links), without a copy.
py::array clearances_of(const py::object& self, std::size_t avatar) {
  const auto& run = self.cast<const Run&>();
  if (avatar >= run.members.size()) throw py::index_error();
  if (run.clearances.empty()) {
    refuse(ErrorCode::kUsage, "clearances: the check was not asked for them (clearance=True)");
  }
  const auto links = static_cast<py::ssize_t>(run.members[avatar].avatar.links().size());
  const auto steps = static_cast<py::ssize_t>(run.steps[avatar].size());
  return view(run.clearances[avatar].data(), {steps, links}, self);
}

Run run_from_python(const Detector& detector, std::vector<Member> members,
                    std::vector<StepList> steps, int threads) {
  return interruptible([&](const std::stop_token& stop) {
    return run_check(detector, std::move(members), std::move(steps), threads, stop);
  });
}

/// (motion, first, last, stride, start) of each take.
using Part = std::tuple<Motion, std::int64_t, std::int64_t, std::int64_t, double>;

std::pair<std::vector<double>, std::vector<StepList>> time_line(const std::vector<Part>& parts,
                                                                const std::string& in_between,
                                                                const std::string& absent) {
  const auto between = named<InBetween>("in_between", in_between);
  const auto absence = named<Absence>("absent", absent);
  return without_gil([&] {
    std::vector<TakePart> takes;
    for (const auto& [motion, first, last, stride, start] : parts) {
      takes.push_back({motion, {first, last, stride, between, false}, start});
    }
    TimeLine line = taken(on_one_time_line(takes, absence));
    return std::pair(std::move(line.instants), std::move(line.steps));
  });
}

}  // namespace

std::size_t Run::step_count() const {
  std::size_t out = 0;
  for (const StepList& list : steps) out += list.size();
  return out;
}

Run run_check(const Detector& detector, std::vector<Member> members, std::vector<StepList> steps,
              int threads, const std::stop_token& stop) {
  Run out{detector, std::move(members), std::move(steps)};
  if (detector.options().clearance) out.clearances.resize(out.members.size());
  std::vector<std::size_t> next(out.members.size(), 0);
  const auto sink = [&](const StepReport& report) {
    const auto avatar = static_cast<std::size_t>(report.avatar);
    const std::size_t step = next[avatar]++;
    for (const Contact& contact : report.contacts) {
      out.found.push_back({report.avatar, step, contact});
    }
    if (!out.clearances.empty()) {
      auto& all = out.clearances[avatar];
      all.insert(all.end(), report.clearances.begin(), report.clearances.end());
    }
    return true;
  };
  if (out.members.size() == 1 && out.steps.size() == 1) {
    done(detector.run(out.members.front(), out.steps.front(), {.threads = threads, .stop = stop},
                      sink));
  } else {
    done(detector.run(out.members, out.steps, {.meet = true, .threads = threads, .stop = stop},
                      sink));
  }
  return out;
}

std::string hash_of(const Run& run) {
  std::vector<std::vector<std::string>> links;
  for (const Member& member : run.members) links.push_back(io::link_names(member.avatar));
  const std::vector<std::string> objects = io::object_names(run.detector.environment());
  io::Fnv1a64 hash;
  for (const FoundContact& one : run.found) {
    const auto avatar = static_cast<std::size_t>(one.avatar);
    const auto* const room = one.contact.room();
    const auto* const other = one.contact.other();
    const std::string& touched =
        room != nullptr
            ? objects[room->object]
            : links[static_cast<std::size_t>(other->avatar)][static_cast<std::size_t>(other->link)];
    hash.update(io::contact_line(run.steps[avatar][one.step], one.contact, one.avatar,
                                 links[avatar][static_cast<std::size_t>(one.contact.link)],
                                 touched));
    hash.update("\n");
  }
  return hash.hex();
}

void bind_run(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(EpisodeRow, frames, steps, first_touch, until, avatar, link, object,
                       other_avatar, other_link, proved);
  py::class_<Run>(m, "Run", kRunDoc)
      .def_property_readonly("contacts", &contacts_of, "A plain structured array, a row a contact.")
      .def_property_readonly(
          "episodes", [](const Run& run) { return moved(episodes_of(run)); },
          "A structured array, a row an episode.")
      .def_property_readonly("hash", &hash_of, "The hash that `tocsin check` prints.")
      .def_property_readonly("step_count", &Run::step_count, "How many steps were checked.")
      .def_readonly("steps", &Run::steps, "Of each member its steps.")
      .def_readonly("detector", &Run::detector, "The Detector.")
      .def_readonly("members", &Run::members, "The members, a list.")
      .def("clearances", &clearances_of, py::arg("avatar") = 0,
           "(steps, links): StepReport.clearances of each step, metres.");
  m.def("run", &run_from_python, py::arg("detector"), py::arg("members"), py::arg("steps"),
        py::arg("threads") = 0,
        "Checks steps[i] of members[i], all in one room, in parallel: a Run. Several members are\n"
        "checked against each other, too; steps of one index are then of one time.");
  m.def("time_line", &time_line, py::arg("parts"), py::kw_only(), py::arg("in_between") = "screw",
        py::arg("absent") = "gone",
        "Puts takes on one time line: (instants in seconds, steps of each take). parts: for each\n"
        "take (motion, first frame, last frame or -1, stride, second at which its frame 0 is).\n"
        "absent: 'gone' or 'stays', outside its own time.");
}

}  // namespace tocsin::python
