#include "detect/cuda_devices.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/gl/shared_library.h"

namespace tocsin::detail {
namespace {

/// The driver's functions, as its documentation declares them; 0 is success.
struct CudaDriver {
  using Device = int;
  int (*init)(unsigned flags) = nullptr;
  int (*driver_get_version)(int* version) = nullptr;
  int (*device_get_count)(int* count) = nullptr;
  int (*device_get)(Device* device, int index) = nullptr;
  int (*device_get_name)(char* name, int size, Device device) = nullptr;
  int (*get_error_string)(int error, const char** text) = nullptr;
};

/// `more`: what else stands in the way; empty: nothing.
DeviceInfo device(int index, std::string_view more) {
  DeviceInfo out;
  out.backend = Backend::kCuda;
  out.index = index;
  out.way = "CUDA driver";
  out.reason = "this version of Tocsin has no CUDA backend yet";
  if (!more.empty()) out.reason += fmt::format("; {}", more);
  return out;
}

std::vector<DeviceInfo> unreachable(std::string_view reason) { return {device(-1, reason)}; }

std::string error_text(const CudaDriver& cuda, int error) {
  const char* text = nullptr;
  if (cuda.get_error_string(error, &text) != 0 || text == nullptr) text = "unknown";
  return fmt::format("CUDA error {}: {}", error, text);
}

/// 12040 is 12.4.
std::string version_text(const CudaDriver& cuda) {
  int version = 0;
  if (cuda.driver_get_version(&version) != 0 || version <= 0) return {};
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

std::string name_of(const CudaDriver& cuda, int index) {
  CudaDriver::Device handle = 0;
  std::array<char, 256> name{};
  if (cuda.device_get(&handle, index) != 0 ||
      cuda.device_get_name(name.data(), static_cast<int>(name.size()) - 1, handle) != 0) {
    return {};
  }
  return name.data();
}

std::vector<DeviceInfo> devices_of(const CudaDriver& cuda) {
  const std::string version = version_text(cuda);
  int count = 0;
  int error = cuda.init(0);
  if (error == 0) error = cuda.device_get_count(&count);
  if (error != 0) {
    auto out = unreachable("the CUDA driver does not start: " + error_text(cuda, error));
    out[0].version = version;
    return out;
  }
  if (count <= 0) return unreachable("the CUDA driver knows no device");
  std::vector<DeviceInfo> out;
  for (int i = 0; i < count; ++i) {
    out.push_back(device(i, {}));
    out.back().name = name_of(cuda, i);
    out.back().version = version;
  }
  return out;
}

}  // namespace

std::vector<DeviceInfo> list_cuda_devices() {
  gl::SharedLibrary library("libcuda.so.1");
  if (!library.loaded()) return unreachable("no CUDA driver (libcuda.so.1) was found");
  CudaDriver cuda;
  const bool complete = library.find(cuda.init, "cuInit") &&
                        library.find(cuda.driver_get_version, "cuDriverGetVersion") &&
                        library.find(cuda.device_get_count, "cuDeviceGetCount") &&
                        library.find(cuda.device_get, "cuDeviceGet") &&
                        library.find(cuda.device_get_name, "cuDeviceGetName") &&
                        library.find(cuda.get_error_string, "cuGetErrorString");
  if (!complete) {
    return unreachable(fmt::format("the CUDA driver is too old: {}", library.problem()));
  }
  return devices_of(cuda);
}

}  // namespace tocsin::detail
