#include "c/failure.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "tocsin/version.h"

namespace tocsin::c {
namespace {

/// Plain memory, so that a thread that ends, or a library that is unloaded, has nothing to destroy.
thread_local std::array<char, 4096> last_error{};

/// Cuts a text that is too long between two characters, not within one.
std::size_t fitting(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  std::size_t length = most - 3;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  return length;
}

tocsin_status keep(tocsin_status status, std::string_view text) noexcept {
  const std::size_t most = last_error.size() - 1;
  const std::size_t length = fitting(text, most);
  std::memmove(last_error.data(), text.data(), length);
  if (length < text.size()) std::memcpy(last_error.data() + length, "...", 3);
  last_error.at(std::min(most, length + (length < text.size() ? 3 : 0))) = '\0';
  return status;
}

}  // namespace

void refuse(std::string why) { throw Failure{TOCSIN_ERROR_USAGE, std::move(why)}; }

tocsin_status status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kUsage:
      return TOCSIN_ERROR_USAGE;
    case ErrorCode::kUnavailable:
      return TOCSIN_ERROR_UNAVAILABLE;
    case ErrorCode::kInput:
      return TOCSIN_ERROR_INPUT;
    case ErrorCode::kResource:
      return TOCSIN_ERROR_RESOURCE;
    case ErrorCode::kCancelled:
      return TOCSIN_ERROR_CANCELLED;
  }
  return TOCSIN_ERROR_INTERNAL;
}

tocsin_status keep_failure() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return keep(failure.status, failure.text);
  } catch (const Exception& exception) {
    return keep(status_of(exception.error().code), exception.error().message);
  } catch (const std::bad_alloc&) {
    return keep(TOCSIN_ERROR_RESOURCE, "out of memory");
  } catch (const std::exception& exception) {
    return keep(TOCSIN_ERROR_INTERNAL, exception.what());
  } catch (...) {
    return keep(TOCSIN_ERROR_INTERNAL, "an unknown exception");
  }
}

}  // namespace tocsin::c

extern "C" {

uint32_t tocsin_c_version(void) { return TOCSIN_C_VERSION; }

const char* tocsin_version(void) { return tocsin::kVersion; }

const char* tocsin_status_name(tocsin_status status) {
  switch (status) {
    case TOCSIN_OK:
      return "TOCSIN_OK";
    case TOCSIN_ERROR_USAGE:
      return "TOCSIN_ERROR_USAGE";
    case TOCSIN_ERROR_UNAVAILABLE:
      return "TOCSIN_ERROR_UNAVAILABLE";
    case TOCSIN_ERROR_INPUT:
      return "TOCSIN_ERROR_INPUT";
    case TOCSIN_ERROR_RESOURCE:
      return "TOCSIN_ERROR_RESOURCE";
    case TOCSIN_ERROR_CANCELLED:
      return "TOCSIN_ERROR_CANCELLED";
    case TOCSIN_ERROR_HANDLE:
      return "TOCSIN_ERROR_HANDLE";
    case TOCSIN_ERROR_BUSY:
      return "TOCSIN_ERROR_BUSY";
    case TOCSIN_ERROR_BUFFER:
      return "TOCSIN_ERROR_BUFFER";
    case TOCSIN_ERROR_INTERNAL:
      return "TOCSIN_ERROR_INTERNAL";
    default:
      return "unknown status";
  }
}

const char* tocsin_last_error(void) { return tocsin::c::last_error.data(); }
}
