// A TCP connection without any manners: for what hostile and broken clients do.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::test {

class RawSocket {
 public:
  /// Connects to "127.0.0.1:PORT". Nothing waits longer than a minute.
  explicit RawSocket(const std::string& address);
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;
  ~RawSocket();

  [[nodiscard]] bool connected() const { return descriptor_ >= 0; }
  /// False if the other end has hung up, or takes nothing for a minute.
  bool send(std::string_view bytes) const;
  /// What comes within `time` seconds, until the other end hangs up, or `enough` is part of it;
  /// at once nothing if it never was connected.
  std::string receive(double time, std::string_view enough = {});
  /// The first that comes within `time` seconds.
  std::string receive_some(double time);
  /// True once receive() found that the other end has hung up.
  [[nodiscard]] bool hung_up() const { return hung_up_; }
  /// Sends no more, but would go on reading.
  void half_close() const;
  /// Lets the connection vanish with a reset instead of an orderly end.
  void reset();

 private:
  int descriptor_ = -1;
  bool hung_up_ = false;
};

}  // namespace tocsin::test
