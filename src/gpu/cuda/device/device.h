// A CUDA device, or its emulation on the CPU: memory, copies, and launches of kernel bodies.
// docs/cuda.md.
#pragma once

#include <tocsin_has_cuda.h>  // made by CMake

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/batch/up_to.h"
#include "gpu/cuda/device/device_options.h"
#include "gpu/cuda/device/device_work.h"
#include "gpu/cuda/device/failure.h"
#include "tocsin/devices.h"
#include "tocsin/result.h"

namespace tocsin::cuda {

/// Environment variables: the indices of the devices that are opened if none is named ("0,1"),
/// and DeviceOptions::fail_at for a whole program ("40", or "1:40" for device 1 alone).
inline constexpr const char* kDeviceVariable = "TOCSIN_CUDA_DEVICE";
inline constexpr const char* kFailAtVariable = "TOCSIN_CUDA_FAIL_AT";

/// Time and traffic of one stage of the work, for benches.
struct StageCost {
  double seconds = 0.0;         ///< all of it
  double upload_seconds = 0.0;  ///< of these, in upload() and download() (measured: they wait)
  double download_seconds = 0.0;
  std::uint64_t launches = 0;
  std::uint64_t primitives = 0;
  std::uint64_t waits = 0;     ///< of the CPU for the device, those left out that measure
  std::uint64_t uploaded = 0;  ///< bytes
  std::uint64_t downloaded = 0;
};

namespace detail {
/// Starts a kernel on the device: device_launch.cuh defines one for every body.
template <class Body>
void launch_on_device(DeviceWork& work, const Body& body, std::size_t n, const Where& where);
}  // namespace detail

/// One device, for one thread at a time; another one may allocate and release pinned memory
/// meanwhile. All functions but those marked throw Failure; once one has thrown one of kind
/// kDevice, all do.
class Device {
 public:
  /// Opens DeviceOptions::index. Errors: no CUDA in this build, no driver, no such device
  /// (kUnavailable: the message says what is missing and names --emulate); TOCSIN_CUDA_DEVICE or
  /// TOCSIN_CUDA_FAIL_AT make no sense (kUsage).
  static Result<std::shared_ptr<Device>> open(const DeviceOptions& options);
  /// Opens a device for each index, in this order. None: those that TOCSIN_CUDA_DEVICE names, else
  /// the first. DeviceOptions::index is not read, and emulated devices share
  /// DeviceOptions::threads. Errors: as open(); an index below 0 or named twice (kUsage).
  static Result<std::vector<std::shared_ptr<Device>>> open_all(const DeviceOptions& options,
                                                               std::span<const int> indices);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// "NVIDIA H100 80GB HBM3, CUDA 13.0", or "emulated on 2 threads". Never throws.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool emulated() const { return emulated_; }
  /// Which one, if it was named; and "the CUDA device", or "CUDA device 1", for messages.
  [[nodiscard]] std::optional<int> index() const { return index_; }
  [[nodiscard]] const std::string& title() const { return work_->title(); }
  /// To be held during several calls in a row, where several threads share the device. All
  /// Devices of one index share it.
  [[nodiscard]] std::mutex& in_use() const { return work_->memory().in_use(); }
  /// What all Devices of this index share.
  [[nodiscard]] DeviceMemory& memory() const { return work_->memory(); }
  /// Counts, as long as the result lives, what is allocated: see detail::Charge.
  [[nodiscard]] detail::Charge charge(std::size_t& account) { return {*work_, &account}; }
  /// Bytes that can still be allocated, those included that others keep (MemoryKeeper).
  [[nodiscard]] std::size_t free_memory(const Where& where = Where::current()) const;

  /// Memory of the device, not initialised; nullptr for 0 bytes. release() never throws.
  [[nodiscard]] void* allocate(std::size_t bytes, const Where& where = Where::current());
  void release(void* memory, std::size_t bytes) noexcept;
  /// Memory of the CPU that copies fast.
  [[nodiscard]] void* allocate_pinned(std::size_t bytes, const Where& where = Where::current());
  void release_pinned(void* memory, std::size_t bytes) noexcept;

  /// In order with launches. `from` may be used again when upload() returns (pageable memory) or
  /// after synchronize() (pinned); download() waits.
  void upload(void* to, const void* from, std::size_t bytes, const Where& where = Where::current());
  void download(void* to, const void* from, std::size_t bytes,
                const Where& where = Where::current());
  /// The same in order with another stream. download() to pinned memory, and it does not wait.
  void upload(Stream stream, void* to, const void* from, std::size_t bytes,
              const Where& where = Where::current());
  void download(Stream stream, void* to, const void* from, std::size_t bytes,
                const Where& where = Where::current());
  void copy(void* to, const void* from, std::size_t bytes, const Where& where = Where::current());
  /// Sets every byte.
  void fill(void* to, int value, std::size_t bytes, const Where& where = Where::current());
  /// Waits for all streams.
  void synchronize(const Where& where = Where::current());
  /// Whether the device goes on while the CPU does something else. Never throws.
  [[nodiscard]] bool works_beside() const { return work_->works_beside(); }

  /// For Event.
  [[nodiscard]] std::unique_ptr<detail::DeviceEvent> make_event(const Where& where);
  void record(detail::DeviceEvent& event, Stream stream, const Where& where);
  void wait(const detail::DeviceEvent& event, Stream stream, const Where& where);
  void wait(const detail::DeviceEvent& event, const Where& where);

  /// body(i) for all i below n, in any order and in parallel. Body: a struct of numbers and device
  /// pointers with `TOCSIN_HD void operator()(std::size_t i) const`, listed in a .cu file
  /// (device_launch.cuh). A launch sees what all before it have written.
  template <class Body>
  void launch(std::size_t n, const Body& body, const Where& where = Where::current());
  /// The same for all i below *count, which is the device's and at most `most`.
  template <class Body>
  void launch_up_to(const std::uint64_t* count, std::size_t most, const Body& body,
                    const Where& where = Where::current()) {
    launch(most, core::batch::UpTo<Body>{body, count}, where);
  }

  /// Primitives, in order with launches. Sorts are stable and ascending; other bits of the keys
  /// than `bits` are 0.
  void sort(std::uint64_t* keys, std::size_t n, KeyBits bits = {},
            const Where& where = Where::current());
  void sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits = {},
                  const Where& where = Where::current());
  /// to[i] = from[0] + ... + from[i - 1] for i <= n: to has n + 1 elements. Returns to[n].
  std::uint64_t exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                              const Where& where = Where::current());
  /// The indices i, ascending, with flags[i] != 0. Returns how many.
  std::size_t select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                     const Where& where = Where::current());
  /// The same without waiting: the total stays on the device, at to[n] or `count`.
  void sum_there(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                 const Where& where = Where::current());
  void select_there(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                    std::uint64_t* count, const Where& where = Where::current());
  /// How often the CPU has waited for Stream::kWork so far: what the stream was given before a wait
  /// is done after it.
  [[nodiscard]] std::uint64_t waits_for_work() const { return waits_for_work_; }

  /// Adds what follows, until the next call, to `to` (null: nothing measured, the default). With a
  /// cost to add to, the end of each stage waits for the device.
  void measure(StageCost* to, const Where& where = Where::current());

 private:
  /// `by`: what stands before the message if there is no such device.
  static Result<std::shared_ptr<Device>> open_one(const DeviceOptions& options,
                                                  std::string_view by);
  Device(std::unique_ptr<detail::DeviceWork> work, const DeviceOptions& options);
  /// Now, once all that was launched is done if this is measured.
  std::chrono::steady_clock::time_point start_of_copy(const Where& where);
  void before_launch(std::size_t n, const Where& where);
  void before_primitive(std::string_view name, std::size_t n, const Where& where);
  void waited();
  void launch_emulated(detail::RangeFunction run, const void* body, std::size_t body_bytes,
                       std::size_t n);

  std::unique_ptr<detail::DeviceWork> work_;
  std::string name_;
  std::optional<int> index_;
  bool emulated_;
  std::uint64_t waits_for_work_ = 0;
  StageCost* cost_ = nullptr;
  std::chrono::steady_clock::time_point since_;  ///< when cost_ was given
};

/// "NVIDIA H100 80GB HBM3, CUDA 13.0"; of several "0: NVIDIA H100...; 1: NVIDIA H100...".
[[nodiscard]] std::string names_of(std::span<const std::shared_ptr<Device>> devices);

template <class Body>
void Device::launch(std::size_t n, const Body& body, const Where& where) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body is copied to the device as it is");
  if (n == 0) return;
  before_launch(n, where);
  if (emulated_) {
    launch_emulated(
        [](const void* b, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) (*static_cast<const Body*>(b))(i);
        },
        &body, sizeof body, n);
    return;
  }
#if TOCSIN_HAS_CUDA
  detail::launch_on_device(*work_, body, n, where);
#endif
}

}  // namespace tocsin::cuda
