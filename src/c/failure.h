// How functions of the C interface fail: inside by an exception, outside by a status and a text.
#pragma once

#include <string>

#include "tocsin/c/base.h"
#include "tocsin/result.h"

namespace tocsin::c {

/// Thrown inside; no function of the interface lets it out.
struct Failure {
  tocsin_status status;
  std::string text;
};

/// A mistake of the caller.
[[noreturn]] void refuse(std::string why);

tocsin_status status_of(ErrorCode code) noexcept;

/// To be called in a catch block: keeps the exception's text for tocsin_last_error(), and returns
/// its status.
tocsin_status keep_failure() noexcept;

/// body(), and what became of it.
template <class Body>
tocsin_status guarded(const Body& body) noexcept {
  try {
    body();
    return TOCSIN_OK;
  } catch (...) {
    return keep_failure();
  }
}

/// The same of a function that makes an object: `out` is NULL if it fails.
template <class Handle, class Body>
tocsin_status making(Handle* out, const Body& body) noexcept {
  return guarded([&] {
    if (out == nullptr) refuse("there is no place for the new handle: `out` is NULL");
    *out = nullptr;
    *out = body();
  });
}

}  // namespace tocsin::c
