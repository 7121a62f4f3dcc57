#include "app/render/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/check/load_job.h"
#include "app/cli/file_kind.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/render/drawn_step.h"
#include "app/render/picture_words.h"
#include "app/render/render_sheet.h"
#include "app/render/trail.h"
#include "app/verify/load_recorded.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "base/quoted.h"
#include "gpu/gl/context/device_thread.h"
#include "io/report/report_reader.h"
#include "view/picture.h"
#include "view/png.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kRenderCommand = "tocsin render";

/// What a picture is drawn from.
struct Source {
  Job job;
  std::string report;  ///< its file; empty: takes were given
  std::string hash;    ///< the report's
};

Result<Source> load_report(const RenderOptions& options) {
  Source out;
  out.report = options.check.takes.front().motion;
  const auto report = io::read_report(out.report);
  if (!report) return report.error();
  if (!report->run.options.experiments.certify) {
    return {ErrorCode::kInput,
            fmt::format("{}: is one of image space (--no-certify); its contacts may be none, and "
                        "are not drawn",
                        out.report)};
  }
  auto job = load_recorded(*report, out.report, options.check.threads);
  if (!job) return job.error();
  if (job->scene) {
    return {ErrorCode::kInput,
            fmt::format("{}: its room changed while it was checked, which no picture shows yet",
                        out.report)};
  }
  std::vector<std::string> inputs{out.report};
  for (const io::InputRecord& input : job->inputs) inputs.push_back(input.file);
  if (auto kept = refuse_overwriting("--out", *options.check.out, inputs); !kept) {
    return kept.error();
  }
  job->detector.tree_cache = options.check.tree_cache;
  out.job = std::move(job).value();
  out.hash = report->hash;
  return out;
}

Result<Source> load_source(const RenderOptions& options) {
  if (options.report) return load_report(options);
  auto job = load_job(options.check);
  if (!job) return job.error();
  return Source{std::move(job).value(), {}, {}};
}

Status check_frame(const RenderOptions& options, const Job& job) {
  const bool empty = std::all_of(job.takes.begin(), job.takes.end(),
                                 [](const JobTake& take) { return take.steps.empty(); });
  if (empty) {
    return {ErrorCode::kUsage, "a single frame holds no step: there is nothing to draw"};
  }
  const std::int64_t last = job.several() ? static_cast<std::int64_t>(job.instants.size()) - 1
                                          : job.only().motion.frame_count() - 1;
  if (!options.frame || *options.frame < last) return Nothing{};
  return {ErrorCode::kUsage,
          fmt::format("--frame: a step begins at one of the {} 0 to {}, not at {}",
                      job.several() ? "instants" : "frames", last - 1, *options.frame)};
}

/// A report must say what the check says now; where it does not, the picture shows the check.
Result<Findings> find_in(const Source& source, const Detector& detector) {
  auto out = find_all(source.job, detector);
  if (out && !source.report.empty() && out->hash != source.hash) {
    print_warning(kRenderCommand,
                  fmt::format("{}: the hash of its contacts is {}, the check run again has {}; "
                              "what is drawn is the latter (tocsin verify says how they differ)",
                              source.report, base::printable(source.hash), out->hash));
  }
  return out;
}

/// Number `n` of a list, counted from 1.
template <class T>
Result<DrawnStep> numbered(const Source& source, const Detector& detector,
                           const std::vector<T>& list, std::int64_t n, const char* option,
                           const char* what) {
  if (n <= static_cast<std::int64_t>(list.size())) {
    return step_of(source.job, detector, list[static_cast<std::size_t>(n - 1)]);
  }
  return {ErrorCode::kUsage,
          fmt::format("{}: there {} {}, not {}", option, list.size() == 1 ? "is" : "are",
                      list.empty() ? fmt::format("no {}s", what)
                                   : count_of(static_cast<std::int64_t>(list.size()), what),
                      n)};
}

Result<DrawnStep> choose_step(const RenderOptions& options, const Source& source,
                              const Detector& detector) {
  const Job& job = source.job;
  if (options.frame) {
    return job.several() ? step_at(job, detector, *options.frame)
                         : step_from(job, detector, *options.frame, options.stride);
  }
  if (!options.contact && !options.episode && source.report.empty()) {
    return first_step(job, detector);
  }
  const auto findings = find_in(source, detector);
  if (!findings) return findings.error();
  if (options.contact) {
    return numbered(source, detector, findings->contacts, *options.contact, "--contact", "contact");
  }
  if (options.episode) {
    return numbered(source, detector, findings->episodes, *options.episode, "--episode", "episode");
  }
  return first_step(job, detector);
}

std::string point_text(const Vec3& p) {
  return fmt::format("{},{},{}", fixed(p.x, 2), fixed(p.y, 2), fixed(p.z, 2));
}

void tell_about_contacts(const Job& job, const DrawnStep& drawn) {
  constexpr std::size_t kMost = 10;  // tocsin check lists all
  const std::vector<std::string> lines = contact_texts(job, drawn);
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) {
    print_note(kRenderCommand, fmt::format("{}: {}", step_text(job, drawn.step()), lines[i]));
  }
  if (lines.size() > kMost) {
    print_note(kRenderCommand,
               fmt::format("{}: and {} more", step_text(job, drawn.step()), lines.size() - kMost));
  }
  if (!lines.empty()) return;
  print_note(kRenderCommand,
             fmt::format("{} {} to {}: nothing is touched{}", job.several() ? "instants" : "frames",
                         drawn.looked[0], drawn.looked[1],
                         job.options.spec.ignore.empty() ? "" : ", without ignored pairs"));
}

void tell_about_view(const Job& job, const view::View& view) {
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
  if (view.cuts_head) {
    print_note(kRenderCommand,
               "the picture's edge cuts a head; a greater --fov, or a --camera further away, has "
               "all of it");
  }
}

/// The last step of a range, or one that the motion's end cuts, joins frames less far apart.
void tell_about_length(const RenderOptions& options, const Job& job, const Step& step) {
  if (job.several()) return;  // instants are as far apart as they are
  const std::int64_t asked =
      options.frame ? options.stride : job.options.takes.front().frames.stride;
  const std::int64_t drawn = step.frames()[1] - step.frames()[0];
  if (drawn >= asked) return;
  print_note(kRenderCommand,
             fmt::format("{}: {} long, not {}, as the {} there", step_text(job, step),
                         count_of(drawn, "frame"), grouped(asked),
                         options.frame ? "motion ends" : "frames end"));
}

/// The line on standard output that other commands write about what they saved.
Status tell_about_file(const std::string& file, const view::Image& image,
                       const std::string& shows) {
  if (file == "-") return Nothing{};
  return base::write_to_standard_output(fmt::format(
      "{}: {} x {} pixels, {}\n", base::printable(file), image.width, image.height, shows));
}

Status save(const RenderOptions& options, const view::Image& image, const std::string& shows) {
  if (auto saved = view::save_png(image, *options.check.out); !saved) return saved;
  return tell_about_file(*options.check.out, image, shows);
}

Status render_step(const RenderOptions& options, const Source& source, const Detector& detector,
                   gl::DeviceThread& device) {
  const Job& job = source.job;
  auto drawn = choose_step(options, source, detector);
  if (!drawn) return drawn.error();
  if (options.trail) {
    if (auto added = add_trail(*drawn, job, *options.trail); !added) return added;
  }
  const view::StepScene scene(drawn->actors, job.environment, job.options.spec.margin, options.show,
                              drawn->about);
  std::optional<view::LegendText> legend;
  const bool with_scale = options.show.poses || options.show.sweep || options.trail;
  if (options.legend) legend = legend_of(job, *drawn, scene, with_scale);
  const auto picture =
      view::draw_step(device, scene, view::Sight(job.environment), options.camera, legend);
  if (!picture) return picture.error();
  tell_about_length(options, job, drawn->step());
  tell_about_contacts(job, *drawn);
  tell_about_view(job, picture->view);
  const view::Camera& camera = picture->view.camera;
  return save(
      options, picture->image,
      fmt::format("{}; --camera {} --look-at {} --fov {}", step_text(job, drawn->step()),
                  point_text(camera.eye), point_text(camera.target), brief(camera.fov_degrees)));
}

Status render_sheet(const RenderOptions& options, const Source& source, const Detector& detector,
                    gl::DeviceThread& device) {
  const auto findings = find_in(source, detector);
  if (!findings) return findings.error();
  const auto sheet = draw_sheet(options, source.job, detector, *findings, device);
  if (!sheet) return sheet.error();
  return save(options, sheet->image, sheet->shows);
}

Status render(const RenderOptions& options) {
  const auto source = load_source(options);
  if (!source) return source.error();
  const Job& job = source->job;
  print_warnings(kRenderCommand, job.warnings);
  if (auto fits = check_frame(options, job); !fits) return fits;
  gl::ContextOptions context;
  context.device = options.check.gl.device;
  auto device = gl::DeviceThread::start(context);
  if (!device) return device.error();
  DetectorOptions asked = job.detector;
  asked.clearance = false;  // a picture shows none, and that of a mesh takes time
  const auto detector = Detector::make(job.environment, asked);
  if (!detector) return detector.error();
  print_warnings(kRenderCommand, detector->warnings());
  return options.sheet ? render_sheet(options, *source, *detector, *device.value())
                       : render_step(options, *source, *detector, *device.value());
}

}  // namespace

ExitStatus run_render(const RenderOptions& options) {
  const Status done = render(options);
  return done ? kDone : report_failure(kRenderCommand, done.error());
}

}  // namespace tocsin::app
