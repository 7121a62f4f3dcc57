// A TCP connection that breaks when a test says so.
#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tocsin::test {

/// Passes bytes between whoever connects to it and a server on this machine.
class CuttingProxy {
 public:
  /// `server`: "127.0.0.1:PORT".
  explicit CuttingProxy(const std::string& server);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  /// "127.0.0.1:PORT".
  [[nodiscard]] const std::string& address() const { return address_; }
  /// Resets all connections, as a lost network would; what was under way is lost. New ones are
  /// taken. Waits until that is done.
  void cut();

 private:
  void run();
  void take();
  void pass();
  void reset_all();

  int listener_ = -1;
  int server_port_ = 0;
  std::string address_;
  std::vector<std::pair<int, int>> pairs_;
  std::atomic<bool> cut_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace tocsin::test
