// A client that lives and dies.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

#include "soak/soak_session.h"
#include "soak/world.h"

namespace tocsin::test {

/// What the test tells its clients.
struct SoakOrders {
  std::string address;
  double session_ttl = 5.0;        ///< seconds
  std::atomic<bool> stay{false};   ///< nobody dies or ends any more
  std::atomic<bool> hurry{false};  ///< more frames than are usual
  std::atomic<bool> over{false};   ///< go
  std::atomic<int> streaming{0};   ///< clients that are, while `stay`
};

/// Options of client `index`'s sessions: all kinds are among them, somewhere in the room.
TrackOptions soak_options(const World& world, int index);

class SoakClient {
 public:
  SoakClient(World& world, SoakOrders& orders, int index);

  /// Until the order is over, or the server has said that it ends.
  void live();

 private:
  bool connect();
  void one_session();
  void stream_for(SoakSession& session, double seconds);
  bool come_back(SoakSession& session);
  bool wait_for_end(SoakSession& session);
  bool chance(double share) { return number() < share; }
  double number() { return std::uniform_real_distribution<double>()(random_); }
  void rest(double seconds);

  World& world_;
  SoakOrders& orders_;
  int index_;
  std::mt19937_64 random_;
  Connection connection_;
  std::uint64_t sessions_ = 0;
  bool told_ = false;  ///< that the server ends
};

}  // namespace tocsin::test
