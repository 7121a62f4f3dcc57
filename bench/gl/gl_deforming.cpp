// A room whose vertices are replaced every frame (gl_deforming.h). What CULLIDE is for: nothing
// about the room is prepared.
#include "gl/gl_deforming.h"

#include <string_view>
#include <utility>

#include "io/report/report.h"
#include "selftest/scenes/wave.h"
#include "tocsin/detector.h"

namespace tocsin::bench {

namespace {

/// A report whose lines only make a hash.
io::ReportWriter hashing(const GlScene& scene) {
  std::vector<std::string> links;
  for (const Link& link : scene.avatar.links()) links.push_back(link.name);
  std::vector<std::string> objects;
  for (const Object& object : scene.environment.objects()) objects.push_back(object.name);
  return {std::move(links), std::move(objects), [](std::string_view) { return true; }};
}

/// Processor time of this thread does not see other threads' work: the wall's clock.
template <class Work>
void add_time(Measured& to, const Work& work) {
  const double begin = now_us();
  work();
  to.us.push_back(now_us() - begin);
}

}  // namespace

Result<DeformingResult> run_deforming(const GlScene& scene, std::size_t frames) {
  DeformingResult out;
  out.triangles = scene.environment.triangles().size();
  auto cpu = Detector::make(scene.environment, {.backend = Backend::kCpu});
  if (!cpu) return cpu.error();
  auto gl = Detector::make(scene.environment, {.backend = Backend::kGl});
  if (!gl) return gl.error();
  io::ReportWriter built_lines = hashing(scene);
  io::ReportWriter cpu_lines = hashing(scene);
  io::ReportWriter gl_lines = hashing(scene);
  for (; out.frames < frames; ++out.frames) {
    const Step& step = scene.near[out.frames % scene.near.size()];
    std::vector<Vec3f> vertices = wave(scene.environment, out.frames);
    Result<Environment> room = Environment();
    add_time(out.replace, [&] { room = scene.environment.with_vertices(std::move(vertices)); });
    if (!room) return room.error();
    std::optional<Result<Detector>> built;
    add_time(out.cpu_built, [&] { built = Detector::make(*room, {.backend = Backend::kCpu}); });
    add_time(out.cpu_moved, [&] { cpu = cpu->with_environment(*room); });
    add_time(out.gl_moved, [&] { gl = gl->with_environment(*room); });
    for (const auto* made : {&*built, &cpu, &gl}) {
      if (!*made) return made->error();
    }
    StepReport by_cpu;
    StepReport by_gl;
    add_time(out.cpu_check, [&] { by_cpu = cpu->check(scene.avatar, step); });
    add_time(out.gl_check, [&] { by_gl = gl->check(scene.avatar, step); });
    const StepReport want = (*built)->check(scene.avatar, step);
    for (const auto* error :
         {&want.error, &std::as_const(by_cpu).error, &std::as_const(by_gl).error}) {
      if (*error) return **error;
    }
    out.contacts += want.contacts.size();
    built_lines.step(step, want);
    cpu_lines.step(step, by_cpu);
    gl_lines.step(step, by_gl);
  }
  out.built_hash = built_lines.hash();
  out.cpu_hash = cpu_lines.hash();
  out.gl_hash = gl_lines.hash();
  return out;
}

}  // namespace tocsin::bench
