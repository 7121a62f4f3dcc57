// Batches on a CUDA device, or emulated, beside the CPU backend.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_checker.h"
#include "selftest/measure/timing.h"
#include "tocsin/detector.h"

namespace tocsin::selftest {

/// What is asked of how many avatars: several batches, one step of every avatar each.
struct CudaBatches {
  std::vector<Member> members;
  std::vector<std::vector<Step>> steps;  ///< per batch
  bool meet = false;
};

/// Parts of the time of a batch, in their order. `pack`: laying the batch out on the CPU; `rest`:
/// what is no stage of the device, as the answers' lists.
enum CudaPart : std::size_t {
  kPack,
  kUploadPart,
  kBoundsPart,
  kTraversalPart,
  kCertifyPart,
  kLinkPairsPart,
  kDownloadPart,
  kRest,
  kCudaParts
};
inline constexpr std::array<const char*, kCudaParts> kCudaPartNames{
    "pack", "upload", "bounds", "traversal", "certify", "link pairs", "download", "rest"};

/// One number of avatars. Times are microseconds an avatar-step, by the clock on the wall but for
/// those of the processor, of all threads together.
struct CudaRow {
  std::uint64_t triangles = 0;  ///< of the room
  std::size_t avatars = 0;
  std::size_t batches = 0;
  Figures cuda_us;  ///< over the passes, copies included
  Figures cpu_us;   ///< Detector::check_batch on all threads
  Figures cuda_processor_us;
  Figures cpu_processor_us;
  std::array<double, kCudaParts> part_us{};  ///< in a pass that waits after every stage
  // Of all batches:
  std::uint64_t uploaded = 0;  ///< bytes
  std::uint64_t downloaded = 0;
  std::uint64_t launches = 0;
  std::uint64_t waits = 0;  ///< of the CPU for the device
  std::uint64_t joints = 0;
  std::uint64_t links = 0;
  StepCounters work;
  std::uint64_t contacts = 0;
  std::uint64_t meetings = 0;  ///< contacts between avatars
  std::string hash;            ///< of all contacts
  std::string cpu_hash;
  bool equal = false;                ///< contact by contact
  std::size_t differing_batch = 0;   ///< where it is not, of the first avatar that differs
  std::size_t differing_avatar = 0;  ///< the same

  [[nodiscard]] double steps() const { return static_cast<double>(avatars * batches); }
};

/// A room on a device and on the CPU.
struct CudaRoom {
  std::string name;  ///< "environments/small_house.obj"
  std::uint64_t triangles = 0;
  double upload_seconds = 0.0;  ///< copy, tree, and all
  double tree_megabytes = 0.0;  ///< the device's
  double cpu_seconds = 0.0;     ///< the CPU's tree
  std::shared_ptr<cuda::BatchChecker> checker;
  std::shared_ptr<const Detector> cpu;
};

/// Builds both trees. Of the options the experiments and k matter. Errors: the device's, the
/// detector's.
Result<CudaRoom> make_cuda_room(std::string name, const Environment& environment,
                                const std::shared_ptr<cuda::Device>& device,
                                const cuda::CheckerOptions& options);

/// Times every batch on both, in turns. Errors: the device's; a step that was not checked.
Result<CudaRow> run_cuda(const CudaRoom& room, const CudaBatches& batches, std::size_t passes);

}  // namespace tocsin::selftest
