// A real device, by the CUDA runtime. Only where this build has CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/cuda/device/build_needs.h"
#include "gpu/cuda/device/device_options.h"
#include "gpu/cuda/device/device_work.h"

namespace tocsin::cuda::detail {

class CudaWork : public DeviceWork {
 public:
  /// Errors: no driver, no such device, one that this build has no kernels for.
  static Result<std::unique_ptr<DeviceWork>> open(const DeviceOptions& options);
  ~CudaWork() override;
  [[nodiscard]] static BuildNeeds build_needs();

  /// Of kWork.
  [[nodiscard]] cudaStream_t stream() const { return stream(Stream::kWork); }
  /// Comes after the launch of a kernel: was it accepted?
  void launched(std::size_t n, const Where& where);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] void* allocate_pinned(std::size_t bytes, const Where& where) override;
  void release_pinned(void* memory, std::size_t bytes) noexcept override;
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
  CudaWork(const DeviceOptions& options, int index)
      : DeviceWork(options, options.memory), index_(index) {}
  /// Whether the device can run what this build has compiled.
  static cudaError_t find_kernel();
  /// Streams, and memory for results. Throws Failure.
  void start();
  [[nodiscard]] cudaStream_t stream(Stream stream) const {
    return streams_[static_cast<std::size_t>(stream)];
  }
  void enter(const Where& where) override;
  [[nodiscard]] std::size_t device_free_memory(const Where& where) override;
  [[nodiscard]] void* device_allocate(std::size_t bytes, const Where& where) override;
  void device_release(void* memory, std::size_t bytes) noexcept override;
  /// Throws Failure unless `status` is cudaSuccess.
  void check(cudaError_t status, const Call& call, const Where& where);

  int index_;
  std::string name_;
  std::array<cudaStream_t, kStreams> streams_{};
  std::uint64_t* result_ = nullptr;  ///< pinned
};

}  // namespace tocsin::cuda::detail
