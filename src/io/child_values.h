// Values on their way from a child process to this one: plain bytes, lists with their count first.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/limited_process.h"

namespace tocsin::io {

template <class T>
void send(ChildOutput& output, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  output.write({reinterpret_cast<const char*>(&value), sizeof(T)});
}

template <class T>
void send(ChildOutput& output, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  send(output, static_cast<std::uint64_t>(values.size()));
  output.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

inline void send(ChildOutput& output, const std::string& text) {
  send(output, static_cast<std::uint64_t>(text.size()));
  output.write(text);
}

inline void send(ChildOutput& output, const std::vector<std::string>& texts) {
  send(output, static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) send(output, text);
}

/// Several, one after the other.
template <class... Values>
void send_all(ChildOutput& output, const Values&... values) {
  (send(output, values), ...);
}

/// Takes the values in the order in which they were sent. A child that met with a broken file may
/// send anything: nothing is read beyond the bytes, and what is asked for after that is empty.
class ChildReader {
 public:
  explicit ChildReader(std::string_view bytes) : bytes_(bytes) {}

  /// False once more was asked for than there is.
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

}  // namespace tocsin::io
