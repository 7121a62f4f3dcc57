// A stand-in for the CUDA driver library with two devices, so that the list can be tested without
// one. TOCSIN_FAKE_CUDA=broken: it does not start.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {

int cuInit(unsigned /*flags*/) { return std::getenv("TOCSIN_FAKE_CUDA") != nullptr ? 999 : 0; }
int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
int cuDeviceGet(int* device, int index) {
  *device = 70 + index;
  return 0;
}
int cuDeviceGetName(char* name, int size, int device) {
  std::snprintf(name, static_cast<std::size_t>(size), "Imaginary %d", device);
  return 0;
}
int cuGetErrorString(int error, const char** text) {
  *text = error == 999 ? "unknown error" : "no error";
  return 0;
}
}
