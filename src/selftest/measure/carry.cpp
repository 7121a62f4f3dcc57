#include "selftest/measure/carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "make/make.h"
#include "selftest/measure/budget.h"
#include "selftest/scenes/standing_crowd.h"

namespace tocsin::selftest {

namespace {

/// Triangles: as many as the house that the aim is about.
constexpr std::uint64_t kHouseTriangles = 156'000;
/// Triangles of the room for OpenGL where a processor draws: a frame is then bearable.
constexpr std::uint64_t kSoftwareScene = 10'000;

Error stopped() { return {ErrorCode::kCancelled, "stopped"}; }

Result<StandingCrowd> crowd_in_the_house() { return StandingCrowd::make(kHouseTriangles); }

/// Calls row(avatars, extent) for every size that fits; the others are `no_time`. `budget` began
/// before what the rows share was made.
template <class Row>
Status for_all_sizes(Budget budget, const std::stop_token& stop, std::vector<std::size_t>& no_time,
                     const Row& row) {
  const std::vector<std::size_t>& sizes = carried_sizes();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (stop.stop_requested()) return stopped();
    const std::optional<Extent> extent = budget.plan(sizes[i], sizes.size() - i);
    if (!extent) {
      no_time.push_back(sizes[i]);
      continue;
    }
    budget.begin_row();
    if (const Status done = row(sizes[i], *extent); !done) return done;
    budget.end_row(extent->steps(sizes[i]));
  }
  return Nothing{};
}

CudaBatches batches_in(const StandingCrowd& crowd, std::size_t avatars, std::size_t batches) {
  CudaBatches out;
  out.members.assign(avatars, Member{crowd.avatar(), {}, {}});
  for (std::size_t b = 0; b < batches; ++b) out.steps.push_back(crowd.frame(avatars, b));
  return out;
}

/// Whole frames: of one avatar, of many. `cell`: seconds of each. Errors: those of a device;
/// kCancelled.
Status add_frames(const GlScene& scene, double cell, const std::stop_token& stop, CarriedGl& out) {
  if (stop.stop_requested()) return stopped();
  auto frames = run_frames(scene, out.table, cell, cell);
  if (!frames) return frames.error();
  out.frames = std::move(frames).value();
  if (stop.stop_requested()) return stopped();
  const auto crowd = StandingCrowd::in(scene.environment);
  if (!crowd) return crowd.error();
  out.crowd_avatar = crowd->avatar();
  auto rows = run_crowd(*crowd, {1, 16, 64, 256, 1000}, cell, 2.0 * cell);
  if (!rows) return rows.error();
  out.crowd = std::move(rows).value();
  return Nothing{};
}

}  // namespace

const std::vector<std::size_t>& carried_sizes() {
  static const std::vector<std::size_t> sizes{1, 10, 100, 1'000, 10'000, 50'000};
  return sizes;
}

bool CarriedGl::equal() const {
  const auto frame = [](const FrameRows& row) { return row.equal && row.covered; };
  const auto many = [](const CrowdRows& row) { return row.equal && row.covered; };
  const auto way = [](const WayRows& row) { return row.same_as_other_method; };
  return std::ranges::all_of(frames.ways, frame) && std::ranges::all_of(crowd, many) &&
         std::ranges::all_of(table.ways, way);
}

Result<CarriedCpu> carry_on_cpu(double seconds, const std::stop_token& stop) {
  const Budget budget(seconds);
  const auto crowd = crowd_in_the_house();
  if (!crowd) return crowd.error();
  const auto detector = Detector::make(crowd->environment(), {.backend = Backend::kCpu});
  if (!detector) return detector.error();
  CarriedCpu out;
  const Status done =
      for_all_sizes(budget, stop, out.no_time, [&](std::size_t avatars, const Extent& extent) {
        const CudaBatches asked = batches_in(*crowd, avatars, extent.batches);
        keep(detector->check_batch(asked.members, asked.steps.front()));  // warm
        Samples samples(1, extent.batches);
        for (std::size_t pass = 0; pass < extent.passes; ++pass) {
          samples.next_pass();
          for (std::size_t b = 0; b < extent.batches; ++b) {
            const double begin = now_us();
            keep(detector->check_batch(asked.members, asked.steps[b]));
            samples.set(0, b, (now_us() - begin) / static_cast<double>(avatars));
          }
        }
        out.rows.push_back({avatars, samples.along_passes(0)});
        return Status(Nothing{});
      });
  if (!done) return done.error();
  return out;
}

Result<CarriedCuda> carry_on_cuda(const std::shared_ptr<cuda::Device>& device, double seconds,
                                  const std::stop_token& stop, const CudaRowDone& row_done) {
  const Budget budget(seconds);
  CarriedCuda out;
  out.device = device->name();
  out.emulated = device->emulated();
  auto ceilings = measure_ceilings(device, false);
  if (!ceilings) return ceilings.error();
  out.ceilings = *ceilings;
  const auto crowd = crowd_in_the_house();
  if (!crowd) return crowd.error();
  const auto room = make_cuda_room("a made house", crowd->environment(), device, {});
  if (!room) return room.error();
  const Status done =
      for_all_sizes(budget, stop, out.no_time, [&](std::size_t avatars, const Extent& extent) {
        auto row = run_cuda(*room, batches_in(*crowd, avatars, extent.batches), extent.passes);
        if (!row) return Status(row.error());
        out.rows.push_back(std::move(row).value());
        if (row_done) row_done(out);
        return Status(Nothing{});
      });
  if (!done && out.rows.empty()) return done.error();
  if (!done) out.ended = done.error();        // what the rows before it say is still true
  if (out.ended || out.emulated) return out;  // of an emulation there are no shares to tell
  const CudaRow& last = out.rows.back();
  const auto evaluations = static_cast<double>(last.work.evaluations - last.work.candidates);
  auto work = count_work(crowd->environment(), batches_in(*crowd, last.avatars, 1),
                         evaluations / last.steps());
  if (!work) {
    out.ended = work.error();
  } else {
    out.work = std::move(work).value();
  }
  return out;
}

Result<CarriedGl> carry_on_gl(const std::shared_ptr<gl::DeviceThread>& device, double seconds,
                              const std::stop_token& stop) {
  // Some twenty cells share the time.
  const double cell = seconds / 20.0;
  CarriedGl out;
  out.device = device->info().renderer;
  auto scene = made_gl_scene(device->info().software ? kSoftwareScene : kHouseTriangles, 3.0);
  if (!scene) return scene.error();
  out.room = scene->environment;
  out.avatar = scene->avatar;
  out.kinematics = time_kinematics(*scene);
  const std::vector<GlWay> ways{{64, 64, GlMethod::kFlags}, {64, 64, GlMethod::kQuery}};
  auto table = run_table(*scene, device, ways, cell);
  if (!table) return table.error();
  out.table = std::move(table).value();
  if (const Status done = add_frames(*scene, cell, stop, out); !done) out.ended = done.error();
  return out;
}

Result<Case> carried_case(const CudaRow& row) {
  const auto crowd = crowd_in_the_house();
  if (!crowd) return crowd.error();
  Case out;
  out.name = fmt::format("avatar {} of {} at once", row.differing_avatar, row.avatars);
  out.what = "differed while the machine was measured";
  out.rooms = {crowd->environment()};
  out.members = {Member(crowd->avatar())};
  out.instants = {{crowd->frame(row.avatars, row.differing_batch)[row.differing_avatar]}};
  return out;
}

double share_of_ceiling(const CarriedCuda& carried, CudaPart part) {
  const CudaRow& row = carried.rows.back();
  double least = 0.0;
  if (part == kUploadPart) {
    least = 1e6 * static_cast<double>(row.uploaded) / row.steps() / carried.ceilings.up;
  } else if (part == kDownloadPart) {
    least = 1e6 * static_cast<double>(row.downloaded) / row.steps() / carried.ceilings.down;
  } else {
    for (const StageWork& work : carried.work) {
      if (work.part == part) least += work.least_us(carried.ceilings, true);
    }
  }
  return row.part_us[part] > 0.0 ? least / row.part_us[part] : 0.0;
}

}  // namespace tocsin::selftest
