#include "tocsin/c/files.h"

#include <cmath>
#include <string>
#include <string_view>

#include "c/convert.h"
#include "c/objects.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::c {
namespace {

UpAxis up_of(std::int32_t number) {
  switch (number) {
    case TOCSIN_UP_Y:
      return UpAxis::kY;
    case TOCSIN_UP_Z:
      return UpAxis::kZ;
    case TOCSIN_UP_X:
      return UpAxis::kX;
    default:
      refuse("`up` is " + std::to_string(number) + ", and no TOCSIN_UP_...");
  }
}

/// `from`: a Skeleton or a Motion.
template <class From>
Avatar bound(const std::string& model, const From& from) {
  if (model == "auto") return choose_bound_avatar(from).value().avatar;
  return bind_avatar(load_avatar_model(model).value(), from).value().avatar;
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_motion_load(const char* file, const tocsin_motion_file_options* options,
                                 tocsin_motion* out) {
  return making(out, [&] {
    const auto from = read_options(options, "options");
    MotionOptions asked;
    asked.up = up_of(from.up);
    if (from.unit_metres != 0.0) asked.unit_metres = from.unit_metres;
    if (from.rate != 0.0) asked.rate = from.rate;
    if (from.skeleton != nullptr) asked.skeleton = from.skeleton;
    asked.clip = text_or_none(from.clip);
    asked.skin = text_or_none(from.skin);
    return give_value<tocsin_motion>(load_motion(text(file, "file"), asked).value());
  });
}

tocsin_status tocsin_environment_load(const char* file,
                                      const tocsin_environment_file_options* options,
                                      tocsin_environment* out) {
  return making(out, [&] {
    const auto from = read_options(options, "options");
    EnvironmentOptions asked;
    asked.up = up_of(from.up);
    if (from.scale != 0.0) asked.scale = from.scale;
    return give_value<tocsin_environment>(load_environment(text(file, "file"), asked).value());
  });
}

tocsin_status tocsin_avatar_load(const char* model, tocsin_skeleton skeleton, tocsin_avatar* out) {
  return making(out, [&] {
    const auto from = borrow(skeleton);
    return give_value<tocsin_avatar>(bound(text(model, "model"), *from));
  });
}

tocsin_status tocsin_avatar_load_for(const char* model, tocsin_motion motion, tocsin_avatar* out) {
  return making(out, [&] {
    const auto from = borrow(motion);
    return give_value<tocsin_avatar>(bound(text(model, "model"), *from));
  });
}
}
