// A device emulated on the CPU: its memory is the heap's, and kernel bodies run on a team of
// threads. docs/cuda.md, "Devices, failures, emulation".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/cuda/device/device_options.h"
#include "gpu/cuda/device/device_work.h"
#include "gpu/cuda/device/thread_team.h"

namespace tocsin::cuda::detail {

/// With DeviceOptions::poison, uploads from pinned memory take place as late as a device may take
/// them: at the next call that is in order with them. What rewrites a buffer too early then shows.
class Emulation : public DeviceWork {
 public:
  explicit Emulation(const DeviceOptions& options);
  ~Emulation() override;

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] void* allocate_pinned(std::size_t bytes, const Where& where) override;
  void release_pinned(void* memory, std::size_t bytes) noexcept override;
  void upload(void* to, const void* from, std::size_t bytes, const Where& where) override;
  void download(void* to, const void* from, std::size_t bytes, const Where& where) override;
  void copy(void* to, const void* from, std::size_t bytes, const Where& where) override;
  void fill(void* to, int value, std::size_t bytes, const Where& where) override;
  void synchronize(const Where& where) override;
  void launch_emulated(RangeFunction run, const void* body, std::size_t n) override;
  void sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
            const Where& where) override;
  std::uint64_t exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                              const Where& where) override;
  std::size_t select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                     const Where& where) override;

 private:
  [[nodiscard]] std::size_t device_free_memory(const Where& where) override;
  [[nodiscard]] void* device_allocate(std::size_t bytes, const Where& where) override;
  void device_release(void* memory, std::size_t bytes) noexcept override;
  std::uint64_t random();

  /// An upload that has not taken place yet.
  struct Upload {
    void* to = nullptr;
    const void* from = nullptr;  ///< pinned; null: `copy` of what was pageable
    std::size_t bytes = 0;
    std::vector<unsigned char> copy = {};
  };
  [[nodiscard]] bool pinned(const void* memory) const;
  /// Comes before all that is in order with uploads, and before memory is released.
  void finish_uploads() noexcept;

  ThreadTeam team_;
  std::map<const unsigned char*, std::size_t> pinned_;  ///< where it begins: bytes
  std::vector<Upload> uploads_;                         ///< in order
  bool shuffle_;
  bool poison_;
  std::uint64_t random_;
};

}  // namespace tocsin::cuda::detail
