// What a machine carries: avatar-steps a second, stage by stage, as a share of what its device can
// do at most.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/cuda/device/device.h"
#include "gpu/gl/context/device_thread.h"
#include "selftest/compare/case.h"
#include "selftest/measure/cuda_ceilings.h"
#include "selftest/measure/cuda_run.h"
#include "selftest/measure/cuda_work.h"
#include "selftest/measure/gl_frames.h"
#include "selftest/measure/gl_kinematics.h"
#include "selftest/measure/gl_table.h"

namespace tocsin::selftest {

/// Avatars of 16 links all over a made room of 156,000 triangles, each alone and with poses and a
/// place of its own; 120 Hz. Rows in order of avatars.
struct CarriedCpu {
  struct Row {
    std::size_t avatars = 0;
    Figures us;  ///< an avatar-step, Detector::check_batch, all threads
  };
  std::vector<Row> rows;
  std::vector<std::size_t> no_time;  ///< numbers of avatars that were not reached
};

struct CarriedCuda {
  std::string device;
  bool emulated = false;
  CudaCeilings ceilings;
  std::vector<CudaRow> rows;
  std::vector<StageWork> work;  ///< of the last row; none where it is emulated
  std::vector<std::size_t> no_time;
  /// Why there are no more rows, or no work: the device failed, or it was stopped. The rows before
  /// that stand.
  std::optional<Error> ended;
};

using CudaRowDone = std::function<void(const CarriedCuda&)>;

/// OpenGL: Table 1 of paper 004, whole frames, and frames of many avatars.
struct CarriedGl {
  std::string device;
  Environment room;
  Avatar avatar;        ///< of table and frames
  Avatar crowd_avatar;  ///< everybody's
  KinematicRows kinematics;
  TableResult table;
  FrameResult frames;
  std::vector<CrowdRows> crowd;
  std::optional<Error> ended;  ///< why there are no frames, or no crowd: as of CarriedCuda
  /// True if everybody's contacts are the CPU's.
  [[nodiscard]] bool equal() const;
};

/// How many avatars are tried: 1 to 50,000.
const std::vector<std::size_t>& carried_sizes();

/// Each stays within `seconds`, but for what cannot be divided: the least row, or making the room.
/// Rows share the time: those of many avatars ask fewer batches, and fewer times. Between rows
/// `stop` is looked at. Errors: the device's; kCancelled: `stop`. On a device only those
/// before its first row, or its table, is there.
Result<CarriedCpu> carry_on_cpu(double seconds, const std::stop_token& stop);
/// `row`, if not empty: called after every row, with what is there.
Result<CarriedCuda> carry_on_cuda(const std::shared_ptr<cuda::Device>& device, double seconds,
                                  const std::stop_token& stop, const CudaRowDone& row = {});
Result<CarriedGl> carry_on_gl(const std::shared_ptr<gl::DeviceThread>& device, double seconds,
                              const std::stop_token& stop);

/// The first avatar of such a row whose contacts were not the CPU's, alone in that house.
/// Precondition: the row is not equal. Errors: making the house.
Result<Case> carried_case(const CudaRow& row);

/// Least time of a part at these ceilings divided by its time; the room in a cache. Of copies: both
/// ways. 0 where it is not known. Means nothing of an emulation: what its copies take from a cache
/// is faster than its ceiling.
double share_of_ceiling(const CarriedCuda& carried, CudaPart part);

}  // namespace tocsin::selftest
