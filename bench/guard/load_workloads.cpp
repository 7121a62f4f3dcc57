// Reading files. They are small: what is counted is parsing, not the system.
#include "guard/workloads.h"
#include "shared/files.h"
#include "tocsin/tocsin.h"

namespace tocsin::bench::guard {

namespace {

Result<Work> take_work() {
  return Work([]() -> std::uint64_t {
    const Result<Motion> motion = load_motion(source_folder() / "motions/walk_and_reach.bvh");
    return motion.ok() ? static_cast<std::uint64_t>(motion->frame_count()) : 0;
  });
}

Result<Work> room_work() {
  return Work([]() -> std::uint64_t {
    const Result<Environment> room =
        load_environment(source_folder() / "environments/music_room.obj");
    return room.ok() ? room->triangles().size() : 0;
  });
}

}  // namespace

std::vector<Workload> load_workloads() {
  return {{"load_bvh", "load_motion: the demo's take", "frames", take_work},
          {"load_obj", "load_environment: the demo's room", "triangles", room_work}};
}

}  // namespace tocsin::bench::guard
