// A `tocsin serve` of our own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tocsin::test {

class ServeProcess {
 public:
  /// Starts it on a free port of loopback, with these further arguments; `log`: where its standard
  /// error goes. Waits until it listens.
  ServeProcess(const std::vector<std::string>& arguments, const std::filesystem::path& log);
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;
  /// Kills what still runs.
  ~ServeProcess();

  /// "127.0.0.1:PORT"; empty: it did not come up.
  [[nodiscard]] const std::string& address() const { return address_; }
  /// Its first line on standard output, with the newline.
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] bool running() const;
  void send(int signal) const;
  /// Exit status, 128 + signal; -1: it still runs after `seconds`.
  int wait(double seconds);

  /// Of /proc.
  [[nodiscard]] double resident_mib() const;
  [[nodiscard]] std::size_t descriptors() const;
  [[nodiscard]] std::size_t threads() const;
  [[nodiscard]] std::string log() const;

 private:
  pid_t process_ = -1;
  int out_ = -1;
  std::string said_;
  std::string address_;
  std::filesystem::path log_;
};

}  // namespace tocsin::test
