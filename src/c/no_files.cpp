// In place of files.cpp in a library without the component io: the same names, so that programs
// link with both.
#include "c/failure.h"
#include "tocsin/c/files.h"

namespace tocsin::c {
namespace {

template <class Handle>
tocsin_status without_files(Handle* out) {
  return making(out, []() -> Handle {
    throw Failure{TOCSIN_ERROR_UNAVAILABLE, "this library was built without files (TOCSIN_IO=OFF)"};
  });
}

}  // namespace
}  // namespace tocsin::c

extern "C" {

tocsin_status tocsin_motion_load(const char*, const tocsin_motion_file_options*,
                                 tocsin_motion* out) {
  return tocsin::c::without_files(out);
}

tocsin_status tocsin_environment_load(const char*, const tocsin_environment_file_options*,
                                      tocsin_environment* out) {
  return tocsin::c::without_files(out);
}

tocsin_status tocsin_avatar_load(const char*, tocsin_skeleton, tocsin_avatar* out) {
  return tocsin::c::without_files(out);
}

tocsin_status tocsin_avatar_load_for(const char*, tocsin_motion, tocsin_avatar* out) {
  return tocsin::c::without_files(out);
}
}
