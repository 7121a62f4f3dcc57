// What a device does, behind cuda::Device: by CUDA, or emulated. Counts calls and memory, and knows
// whether the device has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "gpu/cuda/device/device_memory.h"
#include "gpu/cuda/device/device_options.h"
#include "gpu/cuda/device/device_stream.h"
#include "gpu/cuda/device/failure.h"
#include "gpu/cuda/device/key_bits.h"

namespace tocsin::cuda::detail {

/// Calls `body(i)` for begin <= i < end.
using RangeFunction = void (*)(const void* body, std::size_t begin, std::size_t end);

/// A call, as messages name it.
struct Call {
  std::string_view name;  ///< "launch", or CUDA's own "cudaMalloc"
  std::size_t size = 0;
  std::string_view unit = {};  ///< of `size`: "elements", "bytes"; empty: it has none
};

class DeviceWork;

/// As long as it lives, what a device allocates is added to a number of bytes, and what it releases
/// is subtracted. One within another has precedence.
class Charge {
 public:
  /// account: null: nothing is counted.
  Charge(DeviceWork& work, std::size_t* account) noexcept;
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge();

 private:
  DeviceWork& work_;
  std::size_t* before_;
};

/// Functions throw Failure, but for release functions. One of kind kDevice is remembered: every
/// later call throws its text again. For one thread at a time, but for pinned memory, which another
/// one may allocate and release meanwhile.
class DeviceWork {
 public:
  /// limit: bytes that may be allocated at once; 0: as many as there are. Throws std::bad_alloc.
  DeviceWork(const DeviceOptions& options, std::size_t limit);
  virtual ~DeviceWork();
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// "the CUDA device", or "CUDA device 1" where one was named.
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] DeviceMemory& memory() const { return *memory_; }

  /// Comes before everything that may fail.
  void before(const Call& call, const Where& where);
  [[noreturn]] void fail(FailureKind kind, const Call& call, const Where& where,
                         std::string_view reason);

  /// What keepers would give back counts as free.
  [[nodiscard]] std::size_t free_memory(const Where& where);
  /// Where memory is short, keepers give theirs back first.
  [[nodiscard]] void* allocate(std::size_t bytes, const Where& where);
  void release(void* memory, std::size_t bytes) noexcept;
  [[nodiscard]] virtual void* allocate_pinned(std::size_t bytes, const Where& where) = 0;
  virtual void release_pinned(void* memory, std::size_t bytes) noexcept = 0;

  /// Whether the device goes on while the CPU does something else.
  [[nodiscard]] virtual bool works_beside() const { return true; }
  [[nodiscard]] virtual std::unique_ptr<DeviceEvent> make_event(const Where& where) = 0;
  virtual void record(DeviceEvent& event, Stream stream, const Where& where) = 0;
  virtual void wait(const DeviceEvent& event, Stream stream, const Where& where) = 0;
  virtual void wait(const DeviceEvent& event, const Where& where) = 0;

  virtual void upload(Stream stream, void* to, const void* from, std::size_t bytes,
                      const Where& where) = 0;
  /// To pinned memory, which has the bytes once the stream is there.
  virtual void download(Stream stream, void* to, const void* from, std::size_t bytes,
                        const Where& where) = 0;
  /// Waits.
  virtual void download(void* to, const void* from, std::size_t bytes, const Where& where) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes, const Where& where) = 0;
  virtual void fill(void* to, int value, std::size_t bytes, const Where& where) = 0;
  /// Waits for all streams.
  virtual void synchronize(const Where& where) = 0;

  /// Only where the device is emulated.
  virtual void launch_emulated(RangeFunction run, const void* body, std::size_t body_bytes,
                               std::size_t n) = 0;

  /// n > 0; values may be null: there are none.
  virtual void sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
                    const Where& where) = 0;
  virtual void exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                             const Where& where) = 0;
  /// count: the device's.
  virtual void select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                      std::uint64_t* count, const Where& where) = 0;
  /// A number on the device. Waits for Stream::kWork.
  virtual std::uint64_t result(const std::uint64_t* at, const Where& where) = 0;
  virtual std::size_t select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                             const Where& where) = 0;

 protected:
  /// Device memory for one primitive, used again by the next; counted as all other memory.
  [[nodiscard]] void* scratch(std::size_t bytes, const Where& where);
  /// To be called by destructors of derived classes. Nothing is kept afterwards.
  void end() noexcept;

 private:
  /// The memory for primitives, which every Device keeps.
  class Scratch final : public MemoryKeeper {
   public:
    explicit Scratch(DeviceWork& work) : work_(work) {}
    [[nodiscard]] std::size_t kept() const override { return work_.scratch_bytes_; }
    void give_back() noexcept override { work_.release_scratch(); }

   private:
    DeviceWork& work_;
  };
  void release_scratch() noexcept;
  /// Allocates within the limit. Throws Failure.
  [[nodiscard]] void* take(const Call& call, const Where& where);
  /// Makes the device the calling thread's.
  virtual void enter(const Where& /*where*/) {}
  [[nodiscard]] virtual std::size_t device_free_memory(const Where& where) = 0;
  [[nodiscard]] virtual void* device_allocate(std::size_t bytes, const Where& where) = 0;
  virtual void device_release(void* memory, std::size_t bytes) noexcept = 0;

  friend class Charge;
  std::string title_;
  std::shared_ptr<DeviceMemory> memory_;
  std::size_t limit_;
  std::size_t* account_ = nullptr;
  std::uint64_t fail_at_;
  std::mutex mutex_;  ///< of what follows
  std::uint64_t calls_ = 0;
  std::string lost_;  ///< what(); empty: the device works
  Where lost_where_;
  void* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
  Scratch keeper_{*this};
};

}  // namespace tocsin::cuda::detail
