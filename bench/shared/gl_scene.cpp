#include "shared/gl_scene.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "shared/inputs.h"

namespace tocsin::bench {

namespace {

GlScene recorded_scene(const Inputs& inputs) {
  GlScene out;
  const Case& hard = inputs.cases.back();
  out.name = fmt::format("{}, {} triangles", inputs.room, inputs.environment.triangles().size());
  out.take = fmt::format("{} {}", inputs.motion, hard.what);
  out.avatar = inputs.avatar;
  out.environment = inputs.environment;
  out.steps = hard.steps;
  return out;
}

}  // namespace

Result<std::vector<GlScene>> gl_scenes(bool quick) {
  std::vector<GlScene> out;
  if (!quick) {
    const Result<Inputs> inputs = load_inputs(false);
    if (!inputs.ok()) return inputs.error();
    if (inputs->recorded) {
      out.push_back(recorded_scene(*inputs));
      if (const Status found = complete(out.back()); !found) return found.error();
    }
  }
  std::vector<std::uint64_t> sizes{156'000, 2'000'000};
  if (quick) sizes = {10'000};
  for (const std::uint64_t triangles : sizes) {
    Result<GlScene> scene = made_gl_scene(triangles, quick ? 3.0 : 8.0);
    if (!scene.ok()) return scene.error();
    out.push_back(std::move(scene).value());
  }
  return out;
}

}  // namespace tocsin::bench
