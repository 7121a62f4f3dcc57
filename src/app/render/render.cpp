#include "app/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "app/check/load_job.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "base/quoted.h"
#include "gpu/gl/context/device_thread.h"
#include "view/legend.h"
#include "view/picture.h"
#include "view/png.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kRenderCommand = "tocsin render";

/// The step that is drawn.
struct Chosen {
  Step step;
  StepReport report;
  std::array<std::int64_t, 2> looked{};  ///< frames among which contacts were looked for
};

std::string frames_text(const Step& step) {
  return fmt::format("frames {} to {}", step.frames()[0], step.frames()[1]);
}

Result<Chosen> checked(const Detector& detector, const Job& job, const Step& step) {
  Chosen out{step, detector.check(job.only().member, step), step.frames()};
  if (out.report.error) return *out.report.error;
  return out;
}

Status check_frame(const RenderOptions& options, const Job& job) {
  if (job.only().steps.empty()) {
    return {ErrorCode::kUsage, "a single frame holds no step: there is nothing to draw"};
  }
  const std::int64_t last = job.only().motion.frame_count() - 1;
  if (!options.frame || *options.frame < last) return Nothing{};
  return {ErrorCode::kUsage,
          fmt::format("--frame: a step begins at one of the frames 0 to {}, not at {}", last - 1,
                      *options.frame)};
}

/// The step that begins at a frame, or what is left of it at the motion's end.
Result<Chosen> step_at(const Detector& detector, const Job& job, std::int64_t frame,
                       std::int64_t stride) {
  const std::int64_t last = job.only().motion.frame_count() - 1;
  const std::int64_t end = frame + std::min(stride, last - frame);
  const auto steps =
      job.only().motion.steps({frame, end, end - frame, job.options.spec.in_between, false});
  if (!steps) return steps.error();
  return checked(detector, job, steps->front());
}

/// The first step of the job's in which anything is touched, else its first.
Result<Chosen> first_contact(const Detector& detector, const Job& job) {
  std::optional<StepReport> found;
  const auto sink = [&found](const StepReport& report) {
    if (report.contacts.empty()) return true;
    found = report;
    return false;
  };
  const Status ran =
      detector.run(job.only().member, job.only().steps, {.threads = job.options.threads}, sink);
  if (!found && !ran) return ran.error();
  if (!found) {
    auto out = checked(detector, job, job.only().steps.front());
    if (!out) return out;
    out->looked = {job.only().steps.front().frames()[0], job.only().steps.back().frames()[1]};
    return out;
  }
  for (const Step& step : job.only().steps) {
    if (step.index() == found->step) return Chosen{step, *found, step.frames()};
  }
  return {ErrorCode::kResource, "the step that was found is gone"};
}

Result<Chosen> choose_step(const RenderOptions& options, const Job& job) {
  const auto detector = Detector::make(job.environment, job.detector);
  if (!detector) return detector.error();
  for (const std::string& warning : detector->warnings()) print_warning(kRenderCommand, warning);
  return options.frame ? step_at(*detector, job, *options.frame, options.stride)
                       : first_contact(*detector, job);
}

struct Trail {
  std::vector<view::TrailPose> poses;
};

Result<Trail> trail_of(const RenderOptions& options, const Job& job) {
  Trail out;
  if (!options.trail) return out;
  const FrameRange& range = *options.trail;
  const std::int64_t end = job.only().motion.frame_count() - 1;
  const std::int64_t last = range.last < 0 ? end : range.last;
  if (last > end || range.first > end) {
    return {ErrorCode::kUsage, fmt::format("--trail: the motion has frames 0 to {}", end)};
  }
  if (range.first > last) {
    return {ErrorCode::kUsage,
            fmt::format("--trail: frame {} comes after frame {}", range.first, last)};
  }
  constexpr std::int64_t kMostPoses = 1000;  // a megabyte each
  if ((last - range.first) / range.stride >= kMostPoses) {
    return {ErrorCode::kUsage,
            fmt::format("--trail: more than {} bodies; a larger N has fewer", kMostPoses)};
  }
  for (std::int64_t f = range.first; f <= last; f += std::min(range.stride, last - f + 1)) {
    out.poses.push_back({f, view::pose_of_frame(job.only().member.avatar, job.only().motion, f,
                                                job.options.spec.margin)});
  }
  return out;
}

/// "right_forearm touches MusicStand at 3.5079 s".
std::string contact_text(const Job& job, const Step& step, const Contact& contact) {
  const std::string link =
      base::escaped(job.only().member.avatar.links()[static_cast<std::size_t>(contact.link)].name);
  const std::string object = base::escaped(job.environment.objects()[contact.room()->object].name);
  if (contact.status == ContactStatus::kOverlap) {
    return fmt::format("{} is in {} from the start", link, object);
  }
  const bool graze = contact.status == ContactStatus::kGraze;
  return fmt::format("{} {} {} at {}", link, graze ? "may touch" : "touches", object,
                     moment({step.seconds(contact.toc[0]), step.seconds(contact.toc[1])}));
}

std::vector<std::string> contact_texts(const Job& job, const Chosen& chosen) {
  std::vector<Contact> contacts = chosen.report.contacts;
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const Contact& p, const Contact& q) { return p.toc < q.toc; });
  std::vector<std::string> out;
  out.reserve(contacts.size());
  for (const Contact& contact : contacts) out.push_back(contact_text(job, chosen.step, contact));
  return out;
}

std::string state_text(const Job& job, const Chosen& chosen) {
  const double free = chosen.report.safe_until;
  if (chosen.report.contacts.empty()) {
    return job.options.spec.ignore.empty() ? "Proved: nothing is touched"
                                           : "Proved: nothing is touched, but for ignored pairs";
  }
  if (free == 0.0) return "Touching from the start";
  return fmt::format("Proved free until {} s ({} of the step)", fixed(chosen.step.seconds(free), 4),
                     fixed(free, 3));
}

view::LegendText legend_of(const RenderOptions& options, const Job& job, const Chosen& chosen,
                           const view::StepScene& scene) {
  view::LegendText out;
  const auto seconds = [&job](std::int64_t frame) {
    return fixed(job.only().motion.seconds(frame), 3) + " s";
  };
  const auto frames = chosen.step.frames();
  out.title = fmt::format("Frames {} to {}, {} to {}", frames[0], frames[1], seconds(frames[0]),
                          seconds(frames[1]));
  out.state = state_text(job, chosen);
  if (options.show.contacts) out.contacts = contact_texts(job, chosen);
  if (options.show.poses || options.show.sweep || options.trail) {
    const auto scale = scene.time_scale();
    out.scale = {seconds(scale[0]), seconds(scale[1])};
    if (options.show.stop) out.mark = scene.scaled_time(scene.stop_time());
  }
  return out;
}

std::string point_text(const Vec3& p) {
  return fmt::format("{},{},{}", fixed(p.x, 2), fixed(p.y, 2), fixed(p.z, 2));
}

void tell_about_view(const Job& job, const Chosen& chosen, const view::View& view) {
  constexpr std::size_t kMost = 10;  // tocsin check lists all
  const std::vector<std::string> lines = contact_texts(job, chosen);
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) {
    print_note(kRenderCommand, fmt::format("{}: {}", frames_text(chosen.step), lines[i]));
  }
  if (lines.size() > kMost) {
    print_note(kRenderCommand, fmt::format("... and {} more contacts", lines.size() - kMost));
  }
  if (chosen.report.contacts.empty()) {
    print_note(
        kRenderCommand,
        fmt::format("frames {} to {}: nothing is touched{}", chosen.looked[0], chosen.looked[1],
                    job.options.spec.ignore.empty() ? "" : ", without ignored pairs"));
  }
  std::vector<std::string> opened;
  for (const std::uint32_t object : view.cut) {
    opened.push_back(base::escaped(job.environment.objects()[object].name));
  }
  if (!opened.empty()) {
    print_note(kRenderCommand,
               fmt::format("opened, as it stands in front: {} (--uncut keeps it)", listed(opened)));
  }
  constexpr double kHardlySeen = 0.25;
  if (view.focus_seen < kHardlySeen) {
    print_note(kRenderCommand, "the contact is hidden from this camera; its mark shows through");
  }
}

/// The last step of a range, or one that the motion's end cuts, joins frames less far apart.
void tell_about_length(const RenderOptions& options, const Job& job, const Step& step) {
  const std::int64_t asked =
      options.frame ? options.stride : job.options.takes.front().frames.stride;
  const std::int64_t drawn = step.frames()[1] - step.frames()[0];
  if (drawn >= asked) return;
  print_note(kRenderCommand, fmt::format("{}: {} long, not {}, as the {} there", frames_text(step),
                                         count_of(drawn, "frame"), grouped(asked),
                                         options.frame ? "motion ends" : "frames end"));
}

/// The line on standard output that other commands write about what they saved.
Status tell_about_file(const std::string& file, const view::Picture& picture, const Step& step) {
  if (file == "-") return Nothing{};
  const view::Camera& camera = picture.view.camera;
  return base::write_to_standard_output(fmt::format(
      "{}: {} x {} pixels, {}; --camera {} --look-at {} --fov {}\n", base::printable(file),
      picture.image.width, picture.image.height, frames_text(step), point_text(camera.eye),
      point_text(camera.target), brief(camera.fov_degrees)));
}

Status render(const RenderOptions& options) {
  const auto job = load_job(options.check);
  if (!job) return job.error();
  for (const std::string& warning : job->warnings) print_warning(kRenderCommand, warning);
  if (auto fits = check_frame(options, *job); !fits) return fits;
  const auto trail = trail_of(options, *job);
  if (!trail) return trail.error();
  gl::ContextOptions context;
  context.device = options.check.gl.device;
  auto device = gl::DeviceThread::start(context);
  if (!device) return device.error();
  const auto chosen = choose_step(options, *job);
  if (!chosen) return chosen.error();

  const view::StepScene scene(job->only().member.avatar, job->environment, chosen->step,
                              chosen->report, job->options.spec.margin, options.show, trail->poses);
  std::optional<view::LegendText> legend;
  if (options.legend) legend = legend_of(options, *job, *chosen, scene);
  const auto picture = view::draw_step(*device.value(), scene, options.camera, legend);
  if (!picture) return picture.error();
  tell_about_length(options, *job, chosen->step);
  tell_about_view(*job, *chosen, picture->view);
  if (auto saved = view::save_png(picture->image, *options.check.out); !saved) return saved;
  return tell_about_file(*options.check.out, *picture, chosen->step);
}

}  // namespace

ExitStatus run_render(const RenderOptions& options) {
  const Status done = render(options);
  return done ? kDone : report_failure(kRenderCommand, done.error());
}

}  // namespace tocsin::app
