// The OpenGL half of a check: for many steps at once, which clusters of the room do their links not
// stay clear of? docs/gl.md, "The way of a step".
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cpu/tree_culler.h"
#include "detect/kept_clusters.h"
#include "detect/slab_requests.h"
#include "gpu/gl/device_thread.h"
#include "gpu/gl/visibility.h"
#include "scene/clusters.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// A room on a device. Immutable but for what it remembers of a failure; safe to share between
/// threads, which wait for each other at the device.
class GlStage {
 public:
  /// Opens the device and uploads the room. Errors: kUnavailable: there is no such device, or it
  /// cannot do what is needed; kResource: its memory. Throws std::bad_alloc.
  static Result<std::shared_ptr<const GlStage>> create(const Environment& environment,
                                                       std::shared_ptr<const cpu::TreeCuller> tree,
                                                       const DetectorOptions& options);
  /// The same room with other vertices, on the same device; clusters keep their triangles.
  [[nodiscard]] Result<std::shared_ptr<const GlStage>> moved(
      const Environment& environment, std::shared_ptr<const cpu::TreeCuller> tree) const;

  /// kept[i] for steps[i]: what certify has to look at. A step with a problem (step_problem.h) gets
  /// nothing. Errors: kResource: the device; kCancelled. Throws std::bad_alloc.
  Status cull(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
              const std::stop_token& stop, std::vector<KeptClusters>& kept) const;

  /// The image-space answer (paper 004, section 7.2): reports[i] of steps[i], its contacts grazes
  /// with toc[0] proved and toc[1] estimated. Errors and exceptions as cull().
  Status estimate(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
                  const std::stop_token& stop, std::span<StepReport> reports) const;

  [[nodiscard]] const scene::Clusters& clusters() const { return clusters_; }
  [[nodiscard]] const core::Box& bounds() const { return tree_->bounds(); }
  /// For tests: to let it fail.
  [[nodiscard]] gl::DeviceThread& device_thread() const { return *thread_; }
  [[nodiscard]] std::string device() const;

  /// The device failed: it is asked no more. The first reason is kept.
  void give_up(const Error& why) const;
  /// Why it was given up; none while it was not.
  [[nodiscard]] std::optional<Error> failure() const;

 private:
  /// Steps that are asked about at once, at most.
  [[nodiscard]] static std::size_t round_of(const Avatar& avatar, std::size_t slabs_a_link);
  Status cull_round(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
                    std::span<KeptClusters> kept) const;
  GlStage() = default;
  friend class ImageSearch;
  /// Asks the device: seen[i] of pair i.
  Status ask(const SlabRequests& requests, std::vector<gl::Seen>& seen) const;

  bool debug_ = false;  ///< what the driver complains about is an error
  Environment environment_;
  std::shared_ptr<const cpu::TreeCuller> tree_;
  DetectorOptions options_;
  std::shared_ptr<gl::DeviceThread> thread_;
  std::shared_ptr<gl::Visibility> visibility_;
  std::shared_ptr<const gl::DeviceRoom> room_;
  scene::Clusters clusters_;
  mutable std::mutex failure_mutex_;
  mutable std::optional<Error> failure_;
};

}  // namespace tocsin::detect
