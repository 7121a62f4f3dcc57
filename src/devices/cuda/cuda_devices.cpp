#include "devices/cuda/cuda_devices.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/shared_library.h"
#include "gpu/cuda/device/build_needs.h"

namespace tocsin::devices {
namespace {

/// The driver's functions, as its documentation declares them; 0 is success.
struct CudaDriver {
  using Device = int;
  int (*init)(unsigned flags) = nullptr;
  int (*driver_get_version)(int* version) = nullptr;
  int (*device_get_count)(int* count) = nullptr;
  int (*device_get)(Device* device, int index) = nullptr;
  int (*device_get_name)(char* name, int size, Device device) = nullptr;
  int (*device_get_attribute)(int* value, int attribute, Device device) = nullptr;
  int (*get_error_string)(int error, const char** text) = nullptr;
};

constexpr base::LibraryFunction<CudaDriver> kCudaFunctions[] = {
    {"cuInit", base::kInto<&CudaDriver::init>},
    {"cuDriverGetVersion", base::kInto<&CudaDriver::driver_get_version>},
    {"cuDeviceGetCount", base::kInto<&CudaDriver::device_get_count>},
    {"cuDeviceGet", base::kInto<&CudaDriver::device_get>},
    {"cuDeviceGetName", base::kInto<&CudaDriver::device_get_name>},
    {"cuDeviceGetAttribute", base::kInto<&CudaDriver::device_get_attribute>},
    {"cuGetErrorString", base::kInto<&CudaDriver::get_error_string>},
};

/// CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;

/// `reason`: why it is not usable; empty: it is.
DeviceInfo device(int index, std::string reason) {
  DeviceInfo out;
  out.backend = Backend::kCuda;
  out.index = index;
  out.way = "CUDA driver";
  out.usable = reason.empty();
  out.reason = std::move(reason);
  return out;
}

constexpr std::string_view kNoKernels = "this Tocsin was built without CUDA";

std::vector<DeviceInfo> unreachable(const std::string& reason) {
  if (cuda::build_needs()) return {device(-1, reason)};
  return {device(-1, fmt::format("{}; {}", kNoKernels, reason))};
}

std::string error_text(const CudaDriver& cuda, int error) {
  const char* text = nullptr;
  if (cuda.get_error_string(error, &text) != 0 || text == nullptr) text = "unknown";
  return fmt::format("CUDA error {}: {}", error, text);
}

/// 0: it does not say.
int version_of(const CudaDriver& cuda) {
  int version = 0;
  return cuda.driver_get_version(&version) == 0 ? version : 0;
}

/// 12040 is 12.4.
std::string version_text(int version) {
  if (version <= 0) return {};
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

/// Why a device cannot run what this build has compiled; empty: it can.
std::string problem_of(const CudaDriver& cuda, int driver, int index) {
  const auto needs = cuda::build_needs();
  if (!needs) return std::string(kNoKernels);
  if (driver < needs->driver) {
    return fmt::format("this Tocsin needs a driver of {} or newer; {}", version_text(needs->driver),
                       cuda::kWhereDriversAre);
  }
  CudaDriver::Device handle = 0;
  int major = 0;
  int minor = 0;
  if (cuda.device_get(&handle, index) != 0 ||
      cuda.device_get_attribute(&major, kCapabilityMajor, handle) != 0 ||
      cuda.device_get_attribute(&minor, kCapabilityMinor, handle) != 0) {
    return "the CUDA driver does not say what the device can do";
  }
  if (10 * major + minor < needs->capability) {
    return fmt::format("its compute capability is {}.{}; this Tocsin was built for {}.{} or newer",
                       major, minor, needs->capability / 10, needs->capability % 10);
  }
  return {};
}

std::vector<DeviceInfo> devices_of(const CudaDriver& cuda) {
  const int driver = version_of(cuda);
  const std::string version = version_text(driver);
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
    out.push_back(device(i, problem_of(cuda, driver, i)));
    out.back().name = name_of(cuda, i);
    out.back().version = version;
  }
  return out;
}

}  // namespace

std::vector<DeviceInfo> list_cuda_devices() {
  base::SharedLibrary library("libcuda.so.1");
  if (!library.loaded()) {
    return unreachable(
        fmt::format("no CUDA driver (libcuda.so.1) was found; {}", cuda::kWhereDriversAre));
  }
  CudaDriver cuda;
  if (!base::find_all(library, kCudaFunctions, cuda)) {
    return unreachable(fmt::format("the CUDA driver is too old: {}; {}", library.problem(),
                                   cuda::kWhereDriversAre));
  }
  return devices_of(cuda);
}

}  // namespace tocsin::devices
