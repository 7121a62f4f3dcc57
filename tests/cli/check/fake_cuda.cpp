// A stand-in for the CUDA driver library with two devices, so that the list can be tested without
// one. TOCSIN_FAKE_CUDA=broken: it does not start; new: a driver of CUDA 13.0.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool said(const char* word) {
  const char* text = std::getenv("TOCSIN_FAKE_CUDA");
  return text != nullptr && std::strcmp(text, word) == 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) { return said("broken") ? 999 : 0; }
int cuDriverGetVersion(int* version) {
  *version = said("new") ? 13000 : 12040;
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
/// Compute capability 7.5 and 9.0.
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (attribute == 75) *value = device == 70 ? 7 : 9;
  if (attribute == 76) *value = device == 70 ? 5 : 0;
  return 0;
}
int cuGetErrorString(int error, const char** text) {
  *text = error == 999 ? "unknown error" : "no error";
  return 0;
}
}
