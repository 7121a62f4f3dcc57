#include "c/objects.h"

#include <array>
#include <string>

namespace tocsin::c {
namespace {

/// By Kind::kKind.
constexpr std::array kNames{"nothing",     "cancel", "skeleton", "motion",   "step", "shape",
                            "environment", "avatar", "member",   "detector", "mesh", "reports",
                            "stream",      "crowd",  "scene",    "pair"};

std::string name_of(int kind) { return kNames.at(static_cast<std::size_t>(kind)); }

}  // namespace

std::shared_ptr<void> find_object(const void* handle, int kind) {
  Named named = find_handle(handle);
  if (named.kind == kind && named.object != nullptr) return std::move(named.object);
  std::string text = "a handle of kind `" + name_of(kind) + "` is needed; this one ";
  if (handle == nullptr) {
    text += "is NULL";
  } else if (named.object == nullptr) {
    text += "was destroyed or is none";
  } else {
    text += "is of kind `" + name_of(named.kind) + "`";
  }
  throw Failure{TOCSIN_ERROR_HANDLE, std::move(text)};
}

void refuse_busy(int kind) {
  throw Failure{TOCSIN_ERROR_BUSY,
                "another thread, or a call around this one, uses this `" + name_of(kind) + "`"};
}

}  // namespace tocsin::c

using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_destroy(void* handle) {
  return guarded([&] {
    if (handle == nullptr) return;
    // Its object ends here, or with the last call that uses it.
    if (remove_handle(handle).object == nullptr) {
      throw Failure{TOCSIN_ERROR_HANDLE, "the handle was destroyed before, or is none"};
    }
  });
}

size_t tocsin_handle_count(void) { return handle_count(); }

tocsin_status tocsin_cancel_create(tocsin_cancel* out) {
  return making(out, [] { return give<tocsin_cancel>(std::make_shared<Cancel>()); });
}

tocsin_status tocsin_cancel_request(tocsin_cancel cancel) {
  return guarded([&] { static_cast<void>(borrow(cancel)->source.request_stop()); });
}
}
