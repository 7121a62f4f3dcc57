// Objects that move or deform, against all others of their scene.
#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/scene/check_deforming.h"
#include "detect/step/exact_step.h"
#include "detect/step/threads.h"
#include "tocsin/detector.h"

namespace tocsin {
namespace {

Error no_memory() { return {ErrorCode::kResource, "out of memory while objects were checked"}; }

}  // namespace

std::vector<ObjectReport> Detector::check_objects(const RunOptions& options) const {
  const detect::ExactStep& exact = core_->exact();
  const detect::SceneView* const scene = exact.scene();
  if (scene == nullptr) return {};
  const detect::Movers& movers = scene->movers();
  std::vector<ObjectReport> out(scene->in_motion());
  if (out.empty()) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool moves = i < movers.size();
    out[i].object = moves ? movers[i].object : scene->deformers()[i - movers.size()].object;
  }
  try {
    if (movers.size() > 0) static_cast<void>(movers.behind(0));  // finds what all of them share
  } catch (const std::bad_alloc&) {
    for (ObjectReport& one : out) one.report.error = no_memory();
    return out;
  }
  const auto check_mover = [&](std::size_t i) {
    thread_local detect::OwnWorkspace own;
    detect::Known known;
    known.stop = &options.stop;
    known.asker = i;
    try {
      out[i].report = exact.check(movers[i].body, movers.step(i), {own.links, own.scratch}, known);
    } catch (const std::bad_alloc&) {  // of its step
      out[i].report.error = no_memory();
    }
  };
  detect::Threads threads(options.threads);
  threads.execute([&] {
    detect::for_each(options.threads != 1, out.size(), [&](std::size_t i) {
      if (i < movers.size()) {
        check_mover(i);
      } else {
        out[i].report = detect::check_deforming(exact, i - movers.size(), options.stop);
      }
    });
  });
  std::sort(out.begin(), out.end(),
            [](const auto& p, const auto& q) { return p.object < q.object; });
  return out;
}

}  // namespace tocsin
