// Errors are values: a Result<T> holds a T, or an Error that says why there is none.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

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

/// What Result::value(), `*` and `->`, and StepReport::value(), throw where there is an error
/// instead of a value. No other call of the library throws it.
class Exception : public std::exception {
 public:
  explicit Exception(Error error) : error_(std::make_shared<const Error>(std::move(error))) {}

  [[nodiscard]] const Error& error() const noexcept { return *error_; }
  [[nodiscard]] const char* what() const noexcept override { return error_->message.c_str(); }

 private:
  // Shared, so that copying an exception cannot throw another.
  std::shared_ptr<const Error> error_;
};

/// A T, or an Error that says why there is none.
///
/// Ask ok() first, or take the value: value(), `*` and `->` are the same call, and all three throw
/// an Exception with the error where there is no value. So an error that was not looked at
/// cannot be taken for an empty motion, and then for "no contact".
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : outcome_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : outcome_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  Result(ErrorCode code, std::string message) : outcome_(Error{code, std::move(message)}) {}

  /// True if there is a value.
  [[nodiscard]] bool ok() const noexcept { return std::holds_alternative<T>(outcome_); }
  explicit operator bool() const noexcept { return ok(); }

  /// The error. Only meaningful if !ok(); otherwise an empty one.
  [[nodiscard]] const Error& error() const {
    static const Error kNone{};
    const Error* error = std::get_if<Error>(&outcome_);
    return error != nullptr ? *error : kNone;
  }

  /// The value; throws an Exception if there is none. Of a temporary result it is a value of its
  /// own, so that it outlives the result.
  [[nodiscard]] const T& value() const& {
    if (const T* value = std::get_if<T>(&outcome_)) return *value;
    throw Exception(error());
  }
  [[nodiscard]] T& value() & {
    if (T* value = std::get_if<T>(&outcome_)) return *value;
    throw Exception(error());
  }
  [[nodiscard]] T value() && { return std::move(value()); }

  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] T operator*() && { return std::move(value()); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  [[nodiscard]] T* operator->() { return &value(); }

 private:
  std::variant<T, Error> outcome_;
};

/// Success, or an Error, for calls that return nothing else.
struct Nothing {};
using Status = Result<Nothing>;

}  // namespace tocsin
