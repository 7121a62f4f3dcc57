#include "selftest/measure/carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "make/make.h"
#include "selftest/scenes/standing_crowd.h"

namespace tocsin::selftest {

namespace {

/// Triangles: as many as the house that the aim is about.
constexpr std::uint64_t kHouseTriangles = 156'000;
/// Triangles of the room for OpenGL where a processor draws: a frame is then bearable.
constexpr std::uint64_t kSoftwareScene = 10'000;
constexpr std::size_t kRowPasses = 3;         // a median of three
constexpr std::size_t kStepsOfARow = 20'000;  // avatar-steps: enough for a steady figure
constexpr std::size_t kMostBatches = 20;

std::size_t batches_of(std::size_t avatars) {
  return std::clamp<std::size_t>(kStepsOfARow / avatars, 1, kMostBatches);
}

/// Tells whether another row fits, from what the rows so far have cost.
class Budget {
 public:
  explicit Budget(double seconds) : begin_(now_us()), seconds_(seconds) {}
  /// A row of so many avatar-steps. The first always fits.
  [[nodiscard]] bool fits(double steps) const {
    return per_step_ <= 0.0 || used() + steps * per_step_ <= seconds_;
  }
  void begin_row() { row_ = used(); }
  void end_row(double steps) { per_step_ = (used() - row_) / steps; }

 private:
  [[nodiscard]] double used() const { return 1e-6 * (now_us() - begin_); }
  double begin_;
  double seconds_;
  double row_ = 0.0;
  double per_step_ = 0.0;
};

Error stopped() { return {ErrorCode::kCancelled, "stopped"}; }

Result<StandingCrowd> crowd_in_the_house() { return StandingCrowd::make(kHouseTriangles); }

/// Calls row(avatars, batches) for every size that fits; the others are `no_time`.
template <class Row>
Status for_all_sizes(double seconds, const std::stop_token& stop, std::vector<std::size_t>& no_time,
                     const Row& row) {
  Budget budget(seconds);
  for (const std::size_t avatars : carried_sizes()) {
    if (stop.stop_requested()) return stopped();
    const std::size_t batches = batches_of(avatars);
    const auto steps = static_cast<double>(avatars * batches);
    if (!budget.fits(steps)) {
      no_time.push_back(avatars);
      continue;
    }
    budget.begin_row();
    if (const Status done = row(avatars, batches); !done) return done;
    budget.end_row(steps);
  }
  return Nothing{};
}

CudaBatches batches_in(const StandingCrowd& crowd, std::size_t avatars, std::size_t batches) {
  CudaBatches out;
  out.members.assign(avatars, Member{crowd.avatar(), {}, {}});
  for (std::size_t b = 0; b < batches; ++b) out.steps.push_back(crowd.frame(avatars, b));
  return out;
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
  const auto crowd = crowd_in_the_house();
  if (!crowd) return crowd.error();
  const auto detector = Detector::make(crowd->environment(), {.backend = Backend::kCpu});
  if (!detector) return detector.error();
  CarriedCpu out;
  const Status done =
      for_all_sizes(seconds, stop, out.no_time, [&](std::size_t avatars, std::size_t batches) {
        const CudaBatches asked = batches_in(*crowd, avatars, batches);
        keep(detector->check_batch(asked.members, asked.steps.front()));  // warm
        Samples samples(1, batches);
        for (std::size_t pass = 0; pass < kRowPasses; ++pass) {
          samples.next_pass();
          for (std::size_t b = 0; b < batches; ++b) {
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
                                  const std::stop_token& stop) {
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
      for_all_sizes(seconds, stop, out.no_time, [&](std::size_t avatars, std::size_t batches) {
        auto row = run_cuda(*room, batches_in(*crowd, avatars, batches), kRowPasses);
        if (!row) return Status(row.error());
        out.rows.push_back(std::move(row).value());
        return Status(Nothing{});
      });
  if (!done) return done.error();
  const CudaRow& last = out.rows.back();
  const auto evaluations = static_cast<double>(last.work.evaluations - last.work.candidates);
  auto work = count_work(crowd->environment(), batches_in(*crowd, last.avatars, 1),
                         evaluations / last.steps());
  if (!work) return work.error();
  out.work = std::move(work).value();
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
  const std::vector<GlWay> ways{{64, 64, GlMethod::kFlags}, {64, 64, GlMethod::kQuery}};
  auto table = run_table(*scene, device, ways, cell);
  if (!table) return table.error();
  out.table = std::move(table).value();
  if (stop.stop_requested()) return stopped();
  auto frames = run_frames(*scene, out.table, cell, cell);
  if (!frames) return frames.error();
  out.frames = std::move(frames).value();
  if (stop.stop_requested()) return stopped();
  const auto crowd = StandingCrowd::in(scene->environment);
  if (!crowd) return crowd.error();
  out.crowd_avatar = crowd->avatar();
  auto rows = run_crowd(*crowd, {1, 16, 64, 256, 1000}, cell, 2.0 * cell);
  if (!rows) return rows.error();
  out.crowd = std::move(rows).value();
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
