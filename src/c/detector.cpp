#include "tocsin/c/detector.h"

#include <string>
#include <utility>
#include <vector>

#include "c/answers.h"
#include "c/detector_options.h"

namespace tocsin::c {

DetectorOptions detector_options_of(const tocsin_detector_options* options) {
  const auto from = read_options(options, "options");
  DetectorOptions out;
  if (from.backend < TOCSIN_BACKEND_AUTO || from.backend > TOCSIN_BACKEND_CUDA) {
    refuse("there is no backend " + std::to_string(from.backend));
  }
  if (from.contacts != TOCSIN_CONTACTS_PAIRS && from.contacts != TOCSIN_CONTACTS_FIRST) {
    refuse("`contacts` is neither TOCSIN_CONTACTS_PAIRS nor TOCSIN_CONTACTS_FIRST");
  }
  if (from.threads < 0) refuse("there are no " + std::to_string(from.threads) + " threads");
  out.backend = static_cast<Backend>(from.backend);
  out.contacts = static_cast<Contacts>(from.contacts);
  out.clearance = from.clearance != 0;
  out.margin = from.margin;
  if (from.tolerance != 0.0) out.tolerance = from.tolerance;
  out.threads = from.threads;
  out.surfaces = texts(from.surfaces, from.surface_count, "surfaces");
  out.tree_cache = text_or_none(from.tree_cache);
  return out;
}

namespace {

static_assert(static_cast<int>(Backend::kCpu) == TOCSIN_BACKEND_CPU &&
              static_cast<int>(Backend::kGl) == TOCSIN_BACKEND_GL &&
              static_cast<int>(Backend::kCuda) == TOCSIN_BACKEND_CUDA &&
              static_cast<int>(Contacts::kFirst) == TOCSIN_CONTACTS_FIRST);

StepRange range_of(const tocsin_range* range) {
  const auto from = read_options(range, "range");
  if (from.end < 0) refuse("`end` is below 0");
  StepRange out;
  out.first = from.first;
  out.last = from.end - 1;  // 0: -1, the motion's last
  out.stride = from.stride == 0 ? 1 : from.stride;
  out.in_between = in_between_of(from.in_between);
  return out;
}

/// A handle that is there while a function runs.
class LentReports {
 public:
  explicit LentReports(std::shared_ptr<Reports> reports)
      : handle_(give<tocsin_reports>(std::move(reports))) {}
  ~LentReports() { static_cast<void>(remove_handle(handle_)); }
  LentReports(const LentReports&) = delete;
  LentReports& operator=(const LentReports&) = delete;
  LentReports(LentReports&&) = delete;
  LentReports& operator=(LentReports&&) = delete;

  [[nodiscard]] tocsin_reports handle() const { return handle_; }

 private:
  tocsin_reports handle_;
};

void run_steps(const Detector& detector, const Member& member, const StepList& steps,
               const RunOptions& options, tocsin_sink sink, void* user) {
  const auto reports = std::make_shared<Reports>();
  const LentReports lent(reports);
  bool stopped = false;
  const auto tell = [&](const StepReport& report) {
    if (report.error) return true;  // run() returns it
    reports->entries.clear();
    answer(*reports, report);
    stopped = sink(user, lent.handle()) == 0;
    return !stopped;
  };
  const Status status = detector.run(member, steps, options, tell);
  if (!stopped) static_cast<void>(status.value());
}

}  // namespace

Together together(const tocsin_member* members, const tocsin_step* steps, std::size_t count) {
  need_list(members, count, "members");
  need_list(steps, count, "steps");
  Together out;
  for (std::size_t i = 0; i < count; ++i) {
    out.members.push_back(*borrow(members[i]));
    out.steps.push_back(*borrow(steps[i]));
  }
  return out;
}

}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_detector_create(tocsin_environment environment,
                                     const tocsin_detector_options* options, tocsin_detector* out) {
  return making(out, [&] {
    const auto room = borrow(environment);
    return give_value<tocsin_detector>(Detector::make(*room, detector_options_of(options)).value());
  });
}

tocsin_status tocsin_detector_with_options(tocsin_detector detector,
                                           const tocsin_detector_options* options,
                                           tocsin_detector* out) {
  return making(out, [&] {
    const auto from = borrow(detector);
    return give_value<tocsin_detector>(from->with_options(detector_options_of(options)).value());
  });
}

tocsin_status tocsin_detector_with_environment(tocsin_detector detector,
                                               tocsin_environment environment,
                                               tocsin_detector* out) {
  return making(out, [&] {
    const auto from = borrow(detector);
    return give_value<tocsin_detector>(from->with_environment(*borrow(environment)).value());
  });
}

tocsin_status tocsin_detector_environment(tocsin_detector detector, tocsin_environment* out) {
  return making(out,
                [&] { return give_value<tocsin_environment>(borrow(detector)->environment()); });
}

tocsin_status tocsin_detector_warnings(tocsin_detector detector, char* buffer, size_t capacity,
                                       size_t* length) {
  return guarded([&] {
    const auto from = borrow(detector);
    hand_out_text(lines(from->warnings()), buffer, capacity, length);
  });
}

tocsin_status tocsin_detector_check(tocsin_detector detector, tocsin_member member,
                                    tocsin_step step, const tocsin_check_options* options,
                                    tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const auto from = borrow(detector);
    const auto who = borrow(member);
    const auto way = borrow(step);
    const Asked asked = asked_of(options);
    const bool plain = !asked.limited && !asked.budget.stop.stop_possible();
    answer(out, plain ? from->check(*who, *way) : from->check_within(*who, *way, asked.budget));
  });
}

tocsin_status tocsin_detector_check_batch(tocsin_detector detector, const tocsin_member* members,
                                          const tocsin_step* steps, size_t count,
                                          const tocsin_check_options* options,
                                          tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const auto from = borrow(detector);
    const Together all = together(members, steps, count);
    answer(out, from->check_batch(all.members, all.steps, asked_of(options).run));
  });
}

tocsin_status tocsin_detector_check_scene(tocsin_detector detector, const tocsin_member* members,
                                          const tocsin_step* steps, size_t count,
                                          const tocsin_check_options* options,
                                          tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const auto from = borrow(detector);
    const Together all = together(members, steps, count);
    SceneReport found = check_scene(*from, all.members, all.steps, asked_of(options).run);
    answer(out, std::move(found.members));
    for (ObjectReport& object : found.objects) {
      out.entries.push_back({std::move(object.report), static_cast<std::int32_t>(object.object)});
    }
  });
}

tocsin_status tocsin_detector_run(tocsin_detector detector, tocsin_member member,
                                  tocsin_motion motion, const tocsin_range* range,
                                  const tocsin_check_options* options, tocsin_sink sink,
                                  void* user) {
  return guarded([&] {
    const auto from = borrow(detector);
    const auto who = borrow(member);
    const auto steps = borrow(motion)->steps(range_of(range)).value();
    const Asked asked = asked_of(options);
    if (sink == nullptr) refuse("`sink` is NULL");
    if (asked.limited || asked.run.meet) refuse("a run has neither `meet` nor a budget");
    run_steps(*from, *who, steps, asked.run, sink, user);
  });
}

tocsin_status tocsin_detector_depth(tocsin_detector detector, tocsin_avatar avatar,
                                    tocsin_step step, double time, int32_t link, uint32_t object,
                                    tocsin_depth* out) {
  return guarded([&] {
    const auto from = borrow(detector);
    const auto who = borrow(avatar);
    const Depth depth = from->depth(*who, *borrow(step), time, link, object).value();
    tocsin_depth filled{};
    filled.inside = depth.inside ? 1 : 0;
    filled.depth = depth.depth;
    filled.distance = depth.distance;
    filled.triangle = depth.triangle;
    filled.point = same_bytes<tocsin_vec3>(depth.point);
    fill(out, filled, "out");
  });
}
}
