// What --osc-out says of predictions, and when: read from its datagrams.
#include "service/live/osc_out.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "mocap/osc.h"
#include "service/rpc/socket_address.h"
#include "service/session/session_fixture.h"

namespace tocsin::service::osc_out_test {
namespace {

using std::chrono::milliseconds;
using test::SessionTest;

/// A port of this machine, and what came to it.
class Receiver {
 public:
  Receiver() : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_.get(), at, size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), at, &size), 0);
    target_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  [[nodiscard]] const std::string& target() const { return target_; }

  struct Heard {
    std::string address;
    std::vector<std::string> texts;
    std::vector<double> numbers;
  };
  /// Loopback delivers before send() returns.
  std::vector<Heard> all() {
    std::vector<Heard> out;
    std::array<char, 2048> bytes{};
    while (true) {
      const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0) return out;
      const auto packet = mocap::read_osc({bytes.data(), static_cast<std::size_t>(got)});
      EXPECT_TRUE(packet.ok());
      for (const mocap::OscMessage& message : packet.value()) {
        Heard one{std::string(message.address), {}, {}};
        for (const mocap::OscValue& value : message.values) {
          if (value.is_text()) one.texts.emplace_back(value.text);
          if (value.is_number()) one.numbers.push_back(value.number);
        }
        out.push_back(std::move(one));
      }
    }
  }
  /// STATE of each message of this address, in order.
  std::vector<std::string> states(const std::string& address) {
    std::vector<std::string> out;
    for (const Heard& one : all()) {
      if (one.address == address) out.push_back(one.texts.at(0));
    }
    return out;
  }

 private:
  Descriptor socket_;
  std::string target_;
};

using Words = std::vector<std::string>;

class OscOutTest : public SessionTest {
 protected:
  OscOutTest() {
    near_.link = 1;
    near_.touched = RoomTriangle{2, 0};
    near_.toc = {0.25, 0.25};
    near_.point = {0.5, 1.0, -2.0};
  }
  void step(bool foreseen, bool touches, std::optional<MeetingTick> tick = {}) {
    TrackReport report;
    report.from = {frame_, 0.01 * static_cast<double>(frame_)};
    if (!tick) ++frame_;
    report.to = {frame_, 0.01 * static_cast<double>(frame_)};
    report.tick = tick;
    if (foreseen) report.ahead = TrackAhead{{{near_, {}, 0.0625}}, 0.25, false, {}};
    if (touches) report.result.contacts = {near_};
    out_->stepped_at(identity_, steps_.front(), report, {}, now_);
  }
  void wait(milliseconds time) { now_ += time; }
  SessionIdentity identity() {
    EXPECT_TRUE(open());
    return rig_.session->identity();
  }
  std::vector<std::string> ahead() { return receiver_.states("/tocsin/ahead"); }

  SessionIdentity identity_ = identity();
  Receiver receiver_;
  std::shared_ptr<OscOut> out_ = OscOut::to(receiver_.target()).value();
  StepList steps_ = take_.motion.steps({}).value();
  Contact near_;
  std::uint64_t frame_ = 0;
  OscOut::Time now_{std::chrono::hours(1)};
};

TEST_F(OscOutTest, TellsWhatIsPredicted) {
  step(true, false);
  const auto heard = receiver_.all();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].address, "/tocsin/ahead");
  EXPECT_EQ(heard[0].texts, (Words{"begin", identity_.shown(), "link2", "object2"}));
  EXPECT_EQ(heard[0].numbers, (std::vector<double>{0.0625, 0.5, 1.0, -2.0}));
}

TEST_F(OscOutTest, HoldsAreRare) {
  step(true, false);
  wait(milliseconds(10));
  step(true, false);
  EXPECT_EQ(ahead(), Words{"begin"});
  wait(milliseconds(24));
  step(true, false);
  EXPECT_EQ(ahead(), Words{"hold"});
}

/// Noise of a tracker is not heard; what does not come is.
TEST_F(OscOutTest, APredictionEndsOnceItIsMissingForAWhile) {
  step(true, false);
  wait(milliseconds(10));
  step(false, false);
  wait(milliseconds(10));
  step(true, false);
  wait(milliseconds(10));
  step(false, false);
  EXPECT_EQ(ahead(), Words{"begin"});
  wait(milliseconds(24));
  step(false, false);
  const auto heard = receiver_.all();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].texts[0], "end");
  EXPECT_EQ(heard[0].texts[2], "link2");
  EXPECT_EQ(heard[0].numbers, (std::vector<double>{0.0, 0.5, 1.0, -2.0}));
  step(false, false);
  EXPECT_TRUE(receiver_.all().empty());
}

/// The touch comes first, then the end of its warning: nothing is silent in between.
TEST_F(OscOutTest, TheTouchEndsItAtOnce) {
  step(true, false);
  (void)receiver_.all();
  wait(milliseconds(1));
  step(false, true);
  const auto heard = receiver_.all();
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].address, "/tocsin/contact");
  EXPECT_EQ(heard[0].texts[0], "begin");
  EXPECT_EQ(heard[1].address, "/tocsin/ahead");
  EXPECT_EQ(heard[1].texts[0], "end");
}

/// A report of a meeting's tick at which no frame came predicts nothing, and ends nothing.
TEST_F(OscOutTest, StandingStillAtATickEndsNothing) {
  step(true, false);
  wait(milliseconds(100));
  step(false, false, MeetingTick{1, 2, 2});
  EXPECT_EQ(ahead(), Words{"begin"});
  step(false, false);
  EXPECT_EQ(ahead(), Words{"end"});
}

TEST_F(OscOutTest, ASilentSessionEndsIt) {
  step(true, false);
  wait(milliseconds(900));
  out_->sweep(now_);
  EXPECT_EQ(ahead(), Words{"begin"});
  wait(milliseconds(200));
  out_->sweep(now_);
  EXPECT_EQ(ahead(), Words{"end"});
}

TEST_F(OscOutTest, TheServersEndEndsAll) {
  step(true, true);
  identity_.id = "another";
  step(false, true);
  (void)receiver_.all();
  out_->finish(now_);
  const auto heard = receiver_.all();
  ASSERT_EQ(heard.size(), 3U);
  int contacts = 0;
  for (const Receiver::Heard& one : heard) {
    EXPECT_EQ(one.texts[0], "end");
    contacts += one.address == "/tocsin/contact" ? 1 : 0;
  }
  EXPECT_EQ(contacts, 2);
  out_->finish(now_);
  EXPECT_TRUE(receiver_.all().empty());
}

/// However many are predicted, touches are told.
TEST_F(OscOutTest, PredictionsLeaveRoomForTouches) {
  constexpr std::uint64_t kMany = 4000;
  constexpr std::uint64_t kMost = 1500;  // three quarters of OscOut::kPerSecond
  std::uint64_t heard = 0;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    identity_.id = std::to_string(i);
    step(true, false);
    heard += ahead().size();
  }
  EXPECT_EQ(heard, kMost);
  EXPECT_EQ(out_->counts()->sent.value(), kMost);
  EXPECT_EQ(out_->counts()->left_out.value(), kMany - kMost);
  step(false, true);
  EXPECT_EQ(receiver_.states("/tocsin/contact"), Words{"begin"});
}

}  // namespace
}  // namespace tocsin::service::osc_out_test
