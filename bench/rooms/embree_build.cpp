#include "rooms/embree_build.h"

#if defined(TOCSIN_BENCH_EMBREE)
#include <embree3/rtcore.h>

#include <cstring>
#include <memory>
#include <string>
#endif

namespace tocsin::bench {

#if defined(TOCSIN_BENCH_EMBREE)

namespace {

template <class T>
void set_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format,
                std::span<const T> from) {
  void* const to = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), from.size());
  std::memcpy(to, from.data(), from.size_bytes());
}

}  // namespace

std::optional<double> embree_seconds(const Environment& environment, int threads,
                                     double (*clock)()) {
  // A device of its own for every build: the number of threads is one for the whole process.
  const std::string config = "threads=" + std::to_string(threads);
  const std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device(
      rtcNewDevice(config.c_str()), rtcReleaseDevice);
  const std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene(rtcNewScene(device.get()),
                                                                      rtcReleaseScene);
  const std::unique_ptr<RTCGeometryTy, decltype(&rtcReleaseGeometry)> geometry(
      rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE), rtcReleaseGeometry);
  rtcSetSceneBuildQuality(scene.get(), RTC_BUILD_QUALITY_MEDIUM);
  rtcSetGeometryBuildQuality(geometry.get(), RTC_BUILD_QUALITY_MEDIUM);
  set_buffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, environment.vertices());
  set_buffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, environment.triangles());
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometry(scene.get(), geometry.get());
  const double begin = clock();
  rtcCommitScene(scene.get());
  const double seconds = 1e-6 * (clock() - begin);
  if (rtcGetDeviceError(device.get()) != RTC_ERROR_NONE) return std::nullopt;
  return seconds;
}

const char* embree_version() { return RTC_VERSION_STRING; }

#else

std::optional<double> embree_seconds(const Environment& /*environment*/, int /*threads*/,
                                     double (* /*clock*/)()) {
  return std::nullopt;
}

const char* embree_version() { return ""; }

#endif

}  // namespace tocsin::bench
