// A device emulated on the CPU: its memory is the heap's, and kernel bodies run on a team of
// threads. docs/cuda.md, "Devices, failures, emulation".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/cuda/device/device_options.h"
#include "gpu/cuda/device/device_work.h"
#include "gpu/cuda/device/thread_team.h"

namespace tocsin::cuda::detail {

/// With another DeviceOptions::pace than kAtOnce, what a stream is given waits until somebody waits
/// for it, or for a turn by chance. So what a real device may do later, it does, in an order that
/// only events decide.
class Emulation : public DeviceWork {
 public:
  explicit Emulation(const DeviceOptions& options);
  ~Emulation() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] void* allocate_pinned(std::size_t bytes, const Where& where) override;
  void release_pinned(void* memory, std::size_t bytes) noexcept override;
  [[nodiscard]] bool works_beside() const override { return pace_ != Pace::kAtOnce; }
  [[nodiscard]] std::unique_ptr<DeviceEvent> make_event(const Where& where) override;
  void record(DeviceEvent& event, Stream stream, const Where& where) override;
  void wait(const DeviceEvent& event, Stream stream, const Where& where) override;
  void wait(const DeviceEvent& event, const Where& where) override;
  void upload(Stream stream, void* to, const void* from, std::size_t bytes,
              const Where& where) override;
  void download(Stream stream, void* to, const void* from, std::size_t bytes,
                const Where& where) override;
  void download(void* to, const void* from, std::size_t bytes, const Where& where) override;
  void copy(void* to, const void* from, std::size_t bytes, const Where& where) override;
  void fill(void* to, int value, std::size_t bytes, const Where& where) override;
  void synchronize(const Where& where) override;
  void launch_emulated(RangeFunction run, const void* body, std::size_t body_bytes,
                       std::size_t n) override;
  void sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
            const Where& where) override;
  void exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                     const Where& where) override;
  void select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n, std::uint64_t* count,
              const Where& where) override;
  std::uint64_t result(const std::uint64_t* at, const Where& where) override;
  std::size_t select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                     const Where& where) override;

 private:
  [[nodiscard]] std::size_t device_free_memory(const Where& where) override;
  [[nodiscard]] void* device_allocate(std::size_t bytes, const Where& where) override;
  void device_release(void* memory, std::size_t bytes) noexcept override;
  std::uint64_t random();

  using Job = std::function<void()>;
  /// What a stream has been given and has not done yet.
  struct Queue {
    std::deque<Job> jobs;
    std::uint64_t given = 0;  ///< so far, those done included
    std::uint64_t turns = 0;  ///< kAnyTime: jobs for which it still rests, or does not
    bool rests = false;
  };
  class Point;
  [[nodiscard]] bool pinned(const void* memory) const;
  [[nodiscard]] Queue& queue(Stream stream) { return queues_[static_cast<std::size_t>(stream)]; }
  void give(Stream stream, Job job);
  /// Has the stream do all up to a point of its own; everything.
  void finish(Stream stream, std::uint64_t upto);
  void finish(Stream stream) { finish(stream, queue(stream).given); }
  void finish_all();
  void run(RangeFunction run, const void* body, std::size_t n, std::uint64_t random);

  std::mutex mutex_;  ///< of what follows, and of those who run jobs
  ThreadTeam team_;
  std::map<const unsigned char*, std::size_t> pinned_;  ///< where it begins: bytes
  std::array<Queue, kStreams> queues_;
  Pace pace_;
  bool shuffle_;
  bool poison_;
  std::uint64_t random_;
};

}  // namespace tocsin::cuda::detail
