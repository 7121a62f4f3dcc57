#include "gpu/cuda/device/cuda_work.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "gpu/cuda/device/build_needs.h"

namespace tocsin::cuda::detail {
namespace {

/// "CUDA error 2 (cudaErrorMemoryAllocation): out of memory"
std::string text(cudaError_t status) {
  return fmt::format("CUDA error {} ({}): {}", static_cast<int>(status), cudaGetErrorName(status),
                     cudaGetErrorString(status));
}

/// 13000 is 13.0.
std::string version_text(int version) {
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

std::string runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version_text(version) : "CUDA";
}

/// Why no device can be asked for.
std::string why_none(cudaError_t status) {
  int driver = 0;
  (void)cudaDriverGetVersion(&driver);
  if (driver == 0) return fmt::format("no CUDA driver was found; {}", kWhereDriversAre);
  if (status == cudaErrorInsufficientDriver) {
    return fmt::format("the CUDA driver is too old: it knows {}, this Tocsin needs {}; {}",
                       version_text(driver), version_text(CudaWork::build_needs().driver),
                       kWhereDriversAre);
  }
  return "the CUDA driver has no device: " + text(status);
}

class CudaEvent final : public DeviceEvent {
 public:
  explicit CudaEvent(int device) : device_(device) {}
  ~CudaEvent() override {
    if (event == nullptr) return;
    (void)cudaSetDevice(device_);
    (void)cudaEventDestroy(event);
    (void)cudaGetLastError();
  }
  cudaEvent_t event = nullptr;

 private:
  int device_;
};

cudaEvent_t event_of(const DeviceEvent& event) {
  return static_cast<const CudaEvent&>(event).event;
}

}  // namespace

Result<std::unique_ptr<DeviceWork>> CudaWork::open(const DeviceOptions& options) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count <= 0) return {ErrorCode::kUnavailable, why_none(status)};
  const int index = options.index.value_or(0);
  if (index < 0 || index >= count) {
    return {
        ErrorCode::kUnavailable,
        fmt::format("there is no CUDA device {} (tocsin devices lists those there are)", index)};
  }
  std::unique_ptr<CudaWork> work(new CudaWork(options, index));
  try {
    work->start();
  } catch (const Failure& failure) {
    return {ErrorCode::kUnavailable, failure.what()};
  }
  return std::unique_ptr<DeviceWork>(std::move(work));
}

void CudaWork::start() {
  const Where here = Where::current();
  enter(here);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index_), {.name = "cudaGetDeviceProperties"}, here);
  name_ = fmt::format("{}, {}", static_cast<const char*>(properties.name), runtime_version());
  if (const cudaError_t status = find_kernel(); status != cudaSuccess) {
    fail(FailureKind::kDevice, {.name = "cudaFuncGetAttributes"}, here,
         fmt::format("{} has compute capability {}.{}, for which this Tocsin was not built: {}",
                     name_, properties.major, properties.minor, text(status)));
  }
  for (cudaStream_t& stream : streams_) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
          {.name = "cudaStreamCreateWithFlags"}, here);
  }
  void* result = nullptr;
  check(cudaMallocHost(&result, sizeof *result_),
        {.name = "cudaMallocHost", .size = sizeof *result_, .unit = "bytes"}, here);
  result_ = static_cast<std::uint64_t*>(result);
}

/// Errors here are dropped: a destructor has no caller to return them to.
CudaWork::~CudaWork() {
  (void)cudaSetDevice(index_);
  for (const cudaStream_t stream : streams_) {
    if (stream != nullptr) (void)cudaStreamSynchronize(stream);
  }
  end();
  if (result_ != nullptr) (void)cudaFreeHost(result_);
  for (const cudaStream_t stream : streams_) {
    if (stream != nullptr) (void)cudaStreamDestroy(stream);
  }
}

void CudaWork::check(cudaError_t status, const Call& call, const Where& where) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // the next launch would be blamed for it
  const bool memory = status == cudaErrorMemoryAllocation;
  fail(memory ? FailureKind::kMemory : FailureKind::kDevice, call, where, text(status));
}

void CudaWork::enter(const Where& where) {
  check(cudaSetDevice(index_), {.name = "cudaSetDevice"}, where);
}

void CudaWork::launched(std::size_t n, const Where& where) {
  check(cudaGetLastError(), {.name = "launch", .size = n, .unit = "elements"}, where);
}

void CudaWork::launch_emulated(RangeFunction /*run*/, const void* /*body*/,
                               std::size_t /*body_bytes*/, std::size_t /*n*/) {}

std::size_t CudaWork::device_free_memory(const Where& where) {
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all), {.name = "cudaMemGetInfo"}, where);
  return free;
}

void* CudaWork::device_allocate(std::size_t bytes, const Where& where) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), {.name = "cudaMalloc", .size = bytes, .unit = "bytes"}, where);
  return memory;
}

void CudaWork::device_release(void* memory, std::size_t /*bytes*/) noexcept {
  (void)cudaSetDevice(index_);
  (void)cudaFree(memory);  // after a failure it fails, and all memory is gone anyway
  (void)cudaGetLastError();
}

void* CudaWork::allocate_pinned(std::size_t bytes, const Where& where) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, bytes), {.name = "cudaMallocHost", .size = bytes, .unit = "bytes"},
        where);
  return memory;
}

void CudaWork::release_pinned(void* memory, std::size_t /*bytes*/) noexcept {
  (void)cudaSetDevice(index_);
  (void)cudaFreeHost(memory);
  (void)cudaGetLastError();
}

std::unique_ptr<DeviceEvent> CudaWork::make_event(const Where& where) {
  auto event = std::make_unique<CudaEvent>(index_);
  check(cudaEventCreateWithFlags(&event->event, cudaEventDisableTiming),
        {.name = "cudaEventCreateWithFlags"}, where);
  return event;
}

void CudaWork::record(DeviceEvent& event, Stream of, const Where& where) {
  check(cudaEventRecord(event_of(event), stream(of)), {.name = "cudaEventRecord"}, where);
}

void CudaWork::wait(const DeviceEvent& event, Stream in, const Where& where) {
  check(cudaStreamWaitEvent(stream(in), event_of(event), 0), {.name = "cudaStreamWaitEvent"},
        where);
}

void CudaWork::wait(const DeviceEvent& event, const Where& where) {
  check(cudaEventSynchronize(event_of(event)), {.name = "cudaEventSynchronize"}, where);
}

void CudaWork::upload(Stream by, void* to, const void* from, std::size_t bytes,
                      const Where& where) {
  const Call call{.name = "cudaMemcpyAsync to the device", .size = bytes, .unit = "bytes"};
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, from), {.name = "cudaPointerGetAttributes"}, where);
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream(by)), call, where);
  // A device that reads the CPU's pageable memory itself may not have done so yet.
  if (attributes.type != cudaMemoryTypeHost) check(cudaStreamSynchronize(stream(by)), call, where);
}

void CudaWork::download(Stream by, void* to, const void* from, std::size_t bytes,
                        const Where& where) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream(by)),
        {.name = "cudaMemcpyAsync from the device", .size = bytes, .unit = "bytes"}, where);
}

void CudaWork::download(void* to, const void* from, std::size_t bytes, const Where& where) {
  download(Stream::kWork, to, from, bytes, where);
  check(cudaStreamSynchronize(stream()), {.name = "cudaStreamSynchronize"}, where);
}

void CudaWork::copy(void* to, const void* from, std::size_t bytes, const Where& where) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()),
        {.name = "cudaMemcpyAsync on the device", .size = bytes, .unit = "bytes"}, where);
}

void CudaWork::fill(void* to, int value, std::size_t bytes, const Where& where) {
  check(cudaMemsetAsync(to, value, bytes, stream()),
        {.name = "cudaMemsetAsync", .size = bytes, .unit = "bytes"}, where);
}

void CudaWork::synchronize(const Where& where) {
  for (const cudaStream_t stream : streams_) {
    check(cudaStreamSynchronize(stream), {.name = "cudaStreamSynchronize"}, where);
  }
}

std::uint64_t CudaWork::result(const std::uint64_t* at, const Where& where) {
  download(result_, at, sizeof *at, where);
  return *result_;
}

}  // namespace tocsin::cuda::detail
