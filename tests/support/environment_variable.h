// An environment variable, set or removed for as long as this lives; commands that a test starts
// meanwhile inherit it. For tests with one thread.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace tocsin::test {

class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::optional<std::string>& value)
      : name_(std::move(name)), before_(now(name_)) {
    set(value);
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  ~EnvironmentVariable() { set(before_); }

 private:
  static std::optional<std::string> now(const std::string& name) {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value == nullptr) return std::nullopt;
    return value;
  }
  void set(const std::optional<std::string>& value) const {
    if (value) {
      setenv(name_.c_str(), value->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    } else {
      unsetenv(name_.c_str());  // NOLINT(concurrency-mt-unsafe)
    }
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace tocsin::test
