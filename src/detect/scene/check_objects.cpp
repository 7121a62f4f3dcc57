// Objects that move, against all others of their scene.
#include <cstddef>
#include <new>
#include <vector>

#include "detect/backends/detector_core.h"
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
  std::vector<ObjectReport> out(movers.size());
  if (out.empty()) return out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i].object = movers[i].object;
  try {
    static_cast<void>(movers.behind(0));  // finds what all of them share
  } catch (const std::bad_alloc&) {
    for (ObjectReport& one : out) one.report.error = no_memory();
    return out;
  }
  detect::Threads threads(options.threads);
  threads.execute([&] {
    detect::for_each(options.threads != 1, movers.size(), [&](std::size_t i) {
      thread_local detect::OwnWorkspace own;
      detect::Known known;
      known.stop = &options.stop;
      known.asker = i;
      try {
        out[i].report =
            exact.check(movers[i].body, movers.step(i), {own.links, own.scratch}, known);
      } catch (const std::bad_alloc&) {  // of its step
        out[i].report.error = no_memory();
      }
    });
  });
  return out;
}

}  // namespace tocsin
