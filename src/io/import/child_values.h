// Values sent from a child process: plain bytes, lists with their count first.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/limited_process.h"
#include "io/input_files.h"

namespace tocsin::io {

template <class T>
void send(base::ChildOutput& output, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  output.write({reinterpret_cast<const char*>(&value), sizeof(T)});
}

template <class T>
void send(base::ChildOutput& output, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  send(output, static_cast<std::uint64_t>(values.size()));
  output.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

inline void send(base::ChildOutput& output, const std::string& text) {
  send(output, static_cast<std::uint64_t>(text.size()));
  output.write(text);
}

inline void send(base::ChildOutput& output, const std::vector<std::string>& texts) {
  send(output, static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) send(output, text);
}

/// Several, one after the other.
template <class... Values>
void send_all(base::ChildOutput& output, const Values&... values) {
  (send(output, values), ...);
}

/// Takes the values in the order in which they were sent. A child may send anything after a broken
/// file: nothing is read beyond the bytes, and later values are empty.
class ChildReader {
 public:
  explicit ChildReader(std::string_view bytes) : bytes_(bytes) {}

  /// False once a value was beyond the end.
  [[nodiscard]] bool ok() const { return ok_; }

  template <class T>
  void take(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (claim(1, sizeof(T))) copy(&value, sizeof(T));
  }

  template <class T>
  void take(std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t count = take_count(sizeof(T));
    values.resize(count);
    if (count > 0) copy(values.data(), count * sizeof(T));
  }

  void take(std::string& text) {
    text.resize(take_count(1));
    copy(text.data(), text.size());
  }

  void take(std::vector<std::string>& texts) {
    texts.resize(take_count(sizeof(std::uint64_t)));
    for (std::string& text : texts) take(text);
  }

  /// The count of a list whose entries take at least `least_bytes` each; 0 if that cannot be.
  std::uint64_t take_count(std::uint64_t least_bytes) {
    std::uint64_t count = 0;
    take(count);
    return claim(count, least_bytes) ? count : 0;
  }

 private:
  bool claim(std::uint64_t count, std::uint64_t size) {
    if (!ok_ || count > bytes_.size() / size) ok_ = false;
    return ok_;
  }
  void copy(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool ok_ = true;
};

/// The files that a child read.
inline void send_log(base::ChildOutput& output, const InputLog& read) {
  send(output, static_cast<std::uint64_t>(read.size()));
  for (const InputRecord& input : read) send_all(output, input.role, input.file, input.sha256);
}

/// Appends them to a log, unless it is null.
inline void take_log(ChildReader& reader, InputLog* log) {
  for (std::uint64_t left = reader.take_count(3 * sizeof(std::uint64_t)); left > 0; --left) {
    InputRecord input;
    reader.take(input.role);
    reader.take(input.file);
    reader.take(input.sha256);
    if (log != nullptr) log->push_back(std::move(input));
  }
}

}  // namespace tocsin::io
