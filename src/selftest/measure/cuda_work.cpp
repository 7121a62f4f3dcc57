#include "selftest/measure/cuda_work.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "core/batch/certify.h"
#include "core/batch/motions.h"
#include "core/batch/tree_ask.h"
#include "gpu/cuda/stages/batch_data.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/kdop_bvh.h"
#include "gpu/cuda/stages/motion_stage.h"
#include "gpu/cuda/stages/tree_arrays.h"
#include "selftest/measure/cuda_counted.h"

namespace tocsin::selftest {
namespace {

namespace batch = core::batch;

/// Avatar-steps that are counted, at most: enough for a mean.
constexpr std::size_t kSample = 400;

/// The stages' arrays for one batch, on an emulated device, whose memory is the CPU's.
class Sample {
 public:
  Sample(const Environment& environment, const CudaBatches& batches)
      : device_(open()),
        room_(device_, environment),
        tree_(device_),
        bvh_(cuda::KdopBvh::build(device_, room_.view(), 6)),
        motion_(device_),
        near_(device_),
        swept_(device_),
        at0_(device_),
        offsets_(device_),
        candidates_(device_),
        tallies_(device_) {
    tree_.build(room_.view());
    std::vector<cuda::BatchItem> items;
    const std::size_t steps = std::min(kSample, batches.members.size());
    for (std::size_t i = 0; i < steps; ++i) {
      const Member& m = batches.members[i];
      items.push_back({&m.avatar, &batches.steps.front()[i], &m.active, &m.self, 0});
    }
    data_.set(items, 1, environment.objects().size(), 0.0);
    motion_.upload(data_);
    const core::Box& bounds = room_.view().bounds;
    motion_.move(bounds);
    cuda::Array<std::uint8_t> flags(device_);
    bvh_->flag_near(motion_.boxes(), view().link_count, flags);
    near_.resize(view().link_count);
    near_.resize(device_->select(flags.data(), near_.data(), view().link_count));
    motion_.sweep(near_.data(), near_.size(), bounds, swept_, at0_);
    tallies_.resize(steps);
    tallies_.fill(0);
    const std::uint64_t candidates = bvh_->count_candidates(
        view(), near_.data(), swept_.data(), near_.size(), offsets_, tallies_.data());
    bvh_->find_candidates(swept_.data(), 0, near_.size(), offsets_, candidates, candidates_);
  }

  [[nodiscard]] std::vector<StageWork> work(double certify_evaluations) {
    const batch::RoomView& room = room_.view();
    const batch::TreeView<6> tree = tree_.view();
    const CountedBodies counted = count_bodies(
        {&view(), &room, &room.bounds, &tree, view().joint_count, view().link_count, near_.data(),
         near_.size(), swept_.data(), at0_.data(), candidates_.data(), candidates_.size(), 1e-9});
    const auto joints = static_cast<double>(view().joint_count);
    const auto links = static_cast<double>(view().link_count);
    const auto near = static_cast<double>(near_.size());
    const auto candidates = static_cast<double>(candidates_.size());
    const auto survivors = static_cast<double>(counted.survivors);
    const double poses = 2.0 * sizeof(Transform) * joints;
    const double motions = sizeof(core::JointMotion) * joints;
    constexpr double kBox = sizeof(core::Box);
    constexpr double kIndex = sizeof(std::uint32_t);
    constexpr double kSwept = sizeof(core::SweptLink);
    constexpr double kTriangle = kIndex + 3.0 * (kIndex + sizeof(Vec3f));
    constexpr double kKey = sizeof(std::uint64_t);

    const Walks walks = count_walks();
    // How often certify is asked for a state depends on what it has found before: not here.
    const double less = counted.evaluations == 0
                            ? 0.0
                            : certify_evaluations * static_cast<double>(view().step_count) /
                                  static_cast<double>(counted.evaluations);
    std::vector<StageWork> out;
    const auto steps = static_cast<double>(view().step_count);
    const auto add = [&](CudaPart part, const char* what, double bytes, double room_bytes,
                         const Operations& done) {
      out.push_back(
          {part, what, bytes / steps, room_bytes / steps, static_cast<double>(done.simple) / steps,
           static_cast<double>(done.divisions) / steps, static_cast<double>(done.roots) / steps});
    };
    add(kBoundsPart, "motions of joints", poses + motions + kIndex * joints, 0.0, counted.motions);
    add(kBoundsPart, "boxes of links", poses + motions + (kIndex + kBox) * links, 0.0,
        counted.boxes);
    add(kTraversalPart, "which links are near", (kBox + 1.0) * links,
        walks.near_nodes * kNode + walks.near_triangles * kTriangle, {});
    add(kBoundsPart, "swept links",
        poses + motions + (kIndex + kSwept + sizeof(core::AxisState)) * near, 0.0, counted.swept);
    const Operations twice{2 * counted.traversal.simple, 2 * counted.traversal.divisions,
                           2 * counted.traversal.roots};
    add(kTraversalPart, "candidates, counted and written",
        2.0 * (kSwept + kKey) * near + sizeof(batch::Candidate) * candidates,
        2.0 * (walks.nodes * kNode + walks.triangles * kTriangle), twice);
    add(kCertifyPart, "early-out",
        (sizeof(batch::Candidate) + 1.0 + sizeof(double)) * candidates +
            (sizeof(core::LinkMotion) + sizeof(core::AxisState)) * near + motions,
        kTriangle * candidates, counted.early_out);
    add(kCertifyPart, "certify",
        (kKey + sizeof(core::Certificate)) * survivors + kSwept * near + motions,
        kTriangle * survivors, counted.certify);
    out.back().simple *= less;
    out.back().divisions *= less;
    out.back().roots *= less;
    return out;
  }

 private:
  static constexpr double kNode = sizeof(batch::TreeNode<6>);

  static std::shared_ptr<cuda::Device> open() {
    auto device = cuda::Device::open({.emulate = true});
    if (!device) throw cuda::Failure(cuda::FailureKind::kDevice, device.error().message);
    return std::move(device).value();
  }
  [[nodiscard]] const batch::View& view() const { return motion_.view(); }

  /// What is read of the tree and the room.
  struct Walks {
    double near_nodes = 0.0;      ///< visited in the search for near links
    double near_triangles = 0.0;  ///< read there
    double nodes = 0.0;           ///< visited in the search for candidates
    double triangles = 0.0;       ///< read there
  };
  [[nodiscard]] Walks count_walks() const {
    Walks out;
    for (std::size_t i = 0; i < view().link_count; ++i) {
      const core::Box box = motion_.boxes()[i];
      out.near_nodes += static_cast<double>(batch::walk(
          tree_.view(),
          [&](const core::Kdop<6>& volume) { return core::overlap(box, core::box_of(volume)); },
          [&](std::uint32_t triangle) {
            const batch::Corners v = batch::corners_of(room_.view(), triangle);
            out.near_triangles += 1.0;
            return !core::meets(box, v.a, v.b, v.c);
          }));
    }
    for (const batch::StepTally& t : tallies_.download()) {
      out.nodes += 0.5 * static_cast<double>(t.volume_tests);
      out.triangles += static_cast<double>(t.primitive_tests);
    }
    return out;
  }

  std::shared_ptr<cuda::Device> device_;
  cuda::DeviceRoom room_;
  cuda::TreeArrays<6> tree_;
  std::unique_ptr<cuda::KdopBvh> bvh_;
  cuda::BatchData data_;
  cuda::MotionStage motion_;
  cuda::Array<std::uint32_t> near_;
  cuda::Array<core::SweptLink> swept_;
  cuda::Array<core::AxisState> at0_;
  cuda::Array<std::uint64_t> offsets_;
  cuda::Array<batch::Candidate> candidates_;
  cuda::Array<batch::StepTally> tallies_;
};

}  // namespace

double StageWork::least_us(const CudaCeilings& ceilings, bool cached) const {
  const double moved = cached ? bytes : bytes + room_bytes;
  return 1e6 * std::max(moved / ceilings.bytes, operations() / ceilings.operations);
}

Result<std::vector<StageWork>> count_work(const Environment& environment,
                                          const CudaBatches& batches, double certify_evaluations) {
  try {
    return Sample(environment, batches).work(certify_evaluations);
  } catch (const cuda::Failure& failure) {
    return failure.error();
  }
}

}  // namespace tocsin::selftest
