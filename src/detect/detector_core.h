// What a Detector keeps between calls: the culler, and the exact step that it feeds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cpu/aabb_tree.h"
#include "detect/pair_contact.h"
#include "scene/swept_link.h"
#include "tocsin/detector.h"

namespace tocsin::detail {

/// Memory that one thread uses again from step to step.
struct Workspace {
  scene::StepMotion motion;
  std::vector<std::uint32_t> candidates;
};

/// Immutable after construction and safe to share between threads, each with its own Workspace.
class DetectorCore {
 public:
  DetectorCore(Environment environment, const DetectorOptions& options);

  /// Checks one step into `report`. Precondition: avatar and step belong together.
  void check(const Avatar& avatar, const Step& step, const ActivePairs& active, Workspace& work,
             StepReport& report) const;

  [[nodiscard]] const scene::Culler& culler() const { return tree_; }

 private:
  /// The link's candidates, in order.
  void cull(const scene::SweptLink& swept, Workspace& work) const;
  /// The candidates from `begin` on that belong to one object.
  std::span<const std::uint32_t> same_object(const Workspace& work, std::size_t begin,
                                             std::uint32_t object) const;
  void check_link(std::int32_t link, const ActivePairs& active, Workspace& work, StepReport& report,
                  double& first_hi) const;
  detect::PairContact check_pair(const core::LinkMotion& motion, const core::AxisState& at0,
                                 std::span<const std::uint32_t> triangles, std::uint32_t object,
                                 double stop_after, StepCounters& counters) const;
  Contact contact_of(std::int32_t link, std::uint32_t object, const core::LinkMotion& motion,
                     const detect::PairContact& pair) const;
  core::Triangle triangle_of(std::uint32_t triangle, const Vec3& ref) const;
  void add_clearances(const ActivePairs& active, Workspace& work, StepReport& report) const;
  /// The contact's pair, without pruning by other pairs.
  detect::PairContact ask_again(const Contact& contact, Workspace& work, StepReport& report) const;
  void keep_first(Workspace& work, StepReport& report) const;

  Environment environment_;
  DetectorOptions options_;
  cpu::AabbTree tree_;
};

}  // namespace tocsin::detail
