// An honest client beside hostile ones: at the end it must not have noticed them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "service/rpc/live_server.h"

namespace tocsin::test {

/// Streams a walk at 90 Hz from construction to finish(), or more slowly where this machine, busy
/// with other tests, does not keep up: so that nothing is skipped unless the server is at fault.
class Bystander {
 public:
  explicit Bystander(const LiveServer& server);
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  /// finish(), if that was not called.
  ~Bystander();

  /// Ends the session and looks at it: no hole, nothing skipped, the Detector's contacts. Prints
  /// the server's times.
  void finish();
  /// Reports that have come.
  [[nodiscard]] std::int64_t answered() const { return answered_; }

 private:
  void send();
  void read();

  const LiveServer& server_;
  Walk walk_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
  std::unique_ptr<Stream> stream_;
  std::atomic<bool> enough_{false};
  std::atomic<std::int64_t> sent_{0};
  std::atomic<std::int64_t> answered_{0};
  std::vector<v1::StepReport> reports_;
  std::thread sender_;
  std::thread reader_;
};

}  // namespace tocsin::test
