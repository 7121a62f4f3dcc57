// Errors are values: a Result<T> is a T, or an Error that says why there is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tocsin {

/// What kind of thing went wrong. The command line maps these to its exit status.
enum class ErrorCode : std::uint8_t {
  kUsage,        ///< a call or an option makes no sense (exit 2)
  kUnavailable,  ///< a backend that was asked for does not work here (exit 2)
  kInput,      ///< an input was refused: the message names file, line or frame, and cause (exit 3)
  kResource,   ///< could not finish: disk, memory, device (exit 4)
  kCancelled,  ///< the caller's stop token was triggered (exit 4)
};

/// An error: its kind, and a sentence for a person.
struct Error {
  ErrorCode code = ErrorCode::kInput;
  std::string message;
};

/// A value of class type T, or an Error.
///
/// Result<T> *is a* T, so that the common path reads like the code it is
/// (`motion.skeleton()` right after `load_motion`). In the error state the T is
/// default-constructed: empty, without joints, links or triangles. Nothing that takes an empty
/// avatar or skeleton succeeds with it, so an error that was not looked at can never turn into "no
/// contact".
template <class T>
class [[nodiscard]] Result : public T {
  static_assert(std::is_class_v<T> && std::is_default_constructible_v<T>);

 public:
  Result(T value) : T(std::move(value)) {}                // NOLINT(google-explicit-constructor)
  Result(Error error) : T(), error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  Result(ErrorCode code, std::string message) : T(), error_(Error{code, std::move(message)}) {}

  /// True if there is a value.
  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// The error. Only meaningful if !ok(); otherwise an empty one.
  [[nodiscard]] const Error& error() const {
    static const Error kNone{};
    return error_ ? *error_ : kNone;
  }

  /// The value itself, as a T.
  [[nodiscard]] const T& value() const& { return *this; }
  [[nodiscard]] T&& value() && { return static_cast<T&&>(*this); }

 private:
  std::optional<Error> error_;
};

/// Success, or an Error, for calls that return nothing else.
struct Nothing {};
using Status = Result<Nothing>;

}  // namespace tocsin
