// Who hears of which contacts, and what becomes of listeners that are too slow.
#include "service/events/event_hub.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "service/engine_fixture.h"
#include "service/events/contact_event.h"

namespace tocsin::test::event_hub_test {
namespace {

using nlohmann::json;
using service::EventAudience;
using service::EventHub;

std::string taken(EventHub::Listener& listener, std::size_t most = 1'000'000) {
  std::string out;
  EXPECT_EQ(listener.take(out, most), 0U);
  return out;
}

TEST(EventHub, TellsThoseWhoMaySee) {
  EventHub hub;
  EXPECT_FALSE(hub.is_heard());
  const auto never = [] {
    ADD_FAILURE() << "made for nobody";
    return std::string();
  };
  hub.publish({"ann", ""}, never);
  auto ann = hub.listen("ann", "group film");
  const auto bob = hub.listen("bob", "group film");
  const auto eve = hub.listen("eve", "principal eve");
  EXPECT_TRUE(hub.is_heard());
  hub.publish({"carl", ""}, never);
  hub.publish({"carl", "group other"}, never);
  hub.publish({"ann", ""}, [] { return std::string("1 "); });
  hub.publish({"carl", "group film"}, [] { return std::string("2 "); });
  hub.publish({"eve", "principal eve"}, [] { return std::string("3 "); });
  EXPECT_EQ(taken(*ann), "1 2 ");
  EXPECT_EQ(taken(*bob), "2 ");
  EXPECT_EQ(taken(*eve), "3 ");
  EXPECT_EQ(taken(*ann), "");
  ann.reset();
  hub.publish({"ann", ""}, never);
  EXPECT_EQ(hub.listeners(), 2U);
  EXPECT_EQ(hub.dropped(), 0U);
}

TEST(EventHub, GivesParts) {
  EventHub hub;
  const auto ann = hub.listen("ann", "");
  for (int i = 0; i < 5; ++i) hub.publish({"ann", ""}, [i] { return std::to_string(i) + "___"; });
  EXPECT_EQ(taken(*ann, 9), "0___1___");
  EXPECT_EQ(taken(*ann, 1), "2___") << "one at least";
  EXPECT_EQ(taken(*ann), "3___4___");
}

TEST(EventHub, CountsWhatASlowListenerMisses) {
  EventHub hub;
  const auto slow = hub.listen("ann", "");
  const auto quick = hub.listen("ann", "");
  const std::string text(EventHub::kMostWaiting / 4, 'x');
  std::string got;
  for (int i = 0; i < 7; ++i) {
    hub.publish({"ann", ""}, [&] { return text; });
    EXPECT_EQ(quick->take(got, text.size()), 0U);
  }
  EXPECT_EQ(got.size(), 7 * text.size());
  std::string out;
  EXPECT_EQ(slow->take(out, text.size()), 0U) << "what waits comes before what is missing";
  hub.publish({"ann", ""}, [] { return std::string("there is room for this, but not before"); });
  EXPECT_EQ(slow->take(out, EventHub::kMostWaiting), 4U);
  EXPECT_EQ(out.size(), 4 * text.size());
  hub.publish({"ann", ""}, [] { return std::string("again"); });
  EXPECT_EQ(taken(*slow), "again");
  EXPECT_EQ(hub.dropped(), 4U);
}

TEST(EventHub, BoundsListeners) {
  EventHub hub;
  std::vector<std::unique_ptr<EventHub::Listener>> all;
  for (std::size_t i = 0; i < EventHub::kMostOfOne; ++i) all.push_back(hub.listen("ann", ""));
  EXPECT_FALSE(hub.listen("ann", ""));
  for (std::size_t i = all.size(); i < EventHub::kMostListeners; ++i) {
    all.push_back(hub.listen("p" + std::to_string(i), ""));
    ASSERT_TRUE(all.back());
  }
  EXPECT_FALSE(hub.listen("one more", ""));
  EXPECT_EQ(hub.listeners(), EventHub::kMostListeners);
  all.pop_back();
  EXPECT_TRUE(hub.listen("one more", ""));
}

TEST(EventHub, TakesFromManyThreads) {
  EventHub hub;
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 2000; ++k) hub.publish({"ann", ""}, [] { return std::string("x"); });
    });
  }
  const auto listener = hub.listen("ann", "");
  std::thread others([&] {
    while (!over) hub.listen("ann", "");
  });
  std::string out;
  std::uint64_t dropped = 0;
  for (std::thread& thread : threads) thread.join();
  over = true;
  others.join();
  dropped += listener->take(out, 1'000'000);
  EXPECT_EQ(dropped, 0U);
  EXPECT_LE(out.size(), 6000U);
}

class EventsOfEngine : public EngineTest {
 protected:
  static std::vector<json> events_of(EventHub::Listener& listener) {
    const std::string text = taken(listener);
    std::vector<json> out;
    std::size_t at = 0;
    const std::string begin = "event: contacts\ndata: ";
    while (at < text.size()) {
      EXPECT_EQ(text.compare(at, begin.size(), begin), 0) << text.substr(at, 80);
      const std::size_t end = text.find("\n\n", at);
      EXPECT_NE(end, std::string::npos);
      const std::string data = text.substr(at + begin.size(), end - at - begin.size());
      EXPECT_EQ(data.find('\n'), std::string::npos) << "an event's data is one line";
      out.push_back(json::parse(data));
      at = end + 2;
    }
    return out;
  }
};

/// One event for each report that has contacts, with the reports' own numbers.
TEST_F(EventsOfEngine, AreTheReportsContacts) {
  service::EngineOptions engine_options;
  engine_options.threads = 2;
  engine_options.meet_rate = 0.0;
  Engine engine(std::move(engine_options), rooms_);
  const auto listener = engine.events().listen("anyone", "principal anyone");
  const auto other = engine.events().listen("other", "principal other");
  const auto outlet = std::make_shared<WaitingOutlet>();
  TrackOptions wanted = options();
  wanted.label = "a \"label\"";
  wanted.coalesce = true;
  const auto session = engine.open(anyone_, wanted, outlet, opened_, problem_);
  ASSERT_TRUE(session) << problem_.message;
  const auto reports = walk(*session, *outlet, take_[0], 59);
  const auto events = events_of(*listener);
  std::size_t seen = 0;
  std::size_t contacts = 0;
  for (const TrackReport& report : reports) {
    if (report.result.contacts.empty()) continue;
    ASSERT_LT(seen, events.size());
    const json& event = events[seen++];
    EXPECT_EQ(event["principal"], "anyone");
    EXPECT_EQ(event["label"], "a \"label\"");
    EXPECT_EQ(event["room"], "room0");
    EXPECT_EQ(event["frames"], json({report.from.id, report.to.id}));
    EXPECT_EQ(event["session"].get<std::string>().size(), 12U);
    EXPECT_EQ(opened_.session_id.find(event["session"].get<std::string>()), std::string::npos)
        << "nothing of the secret";
    const std::size_t all = report.result.contacts.size();
    EXPECT_EQ(event["contacts"].size() + event["more"].get<std::size_t>(), all);
    for (std::size_t i = 0; i < event["contacts"].size(); ++i) {
      const json& told = event["contacts"][i];
      const Contact& contact = report.result.contacts[i];
      EXPECT_EQ(told["link"], report.names[i].link);
      EXPECT_EQ(told["object"], report.names[i].object);
      EXPECT_EQ(told["point"], json({contact.point.x, contact.point.y, contact.point.z}));
      const double from = report.from.capture_time;
      const double step = report.to.capture_time - from;
      EXPECT_NEAR(told["seconds"][0].get<double>(), from + contact.toc[0] * step, 1e-12);
      EXPECT_NEAR(told["seconds"][1].get<double>(), from + contact.toc[1] * step, 1e-12);
    }
    contacts += all;
  }
  EXPECT_EQ(seen, events.size());
  EXPECT_GT(contacts, 10U);
  EXPECT_TRUE(events_of(*other).empty()) << "others' sessions are not theirs";
}

/// Of a step with very many contacts the event has the first ones, and says how many more.
TEST_F(EventsOfEngine, AreBounded) {
  const Room& room = *this->room("room0");
  const auto avatar = take_[0].avatar;
  const service::SessionIdentity identity{.id = "x",
                                          .room = this->room("room0"),
                                          .principal = anyone_,
                                          .avatar = avatar,
                                          .warnings = {},
                                          .label = "",
                                          .meets = false};
  TrackReport report;
  report.result.contacts.resize(1000);
  const json event = json::parse(service::contact_event(identity, report, {})
                                     .substr(std::string("event: contacts\ndata: ").size()));
  EXPECT_EQ(event["contacts"].size(), service::kMostEventContacts);
  EXPECT_EQ(event["more"], 1000 - service::kMostEventContacts);
  EXPECT_EQ(event["contacts"][0]["object"], room.environment.objects()[0].name);
}

TEST_F(EventsOfEngine, AreSharedByThoseWhoMeetInASharedRoom) {
  auto film = somebody("ann");
  film->shares = "film";
  auto room = std::make_shared<Room>("r", Environment{}, Detector::make(Environment{}).value());
  service::SessionIdentity identity{.id = "x",
                                    .room = room,
                                    .principal = film,
                                    .avatar = take_[0].avatar,
                                    .warnings = {},
                                    .label = "",
                                    .meets = false};
  const auto circle = [&] { return service::audience_of(identity).circle; };
  EXPECT_EQ(service::audience_of(identity).principal, "ann");
  EXPECT_EQ(circle(), "") << "it meets nobody";
  identity.meets = true;
  EXPECT_EQ(circle(), "group film") << "the operator's room";
  room->owner = "ann";
  EXPECT_EQ(circle(), "") << "a room that nobody else can enter";
  room->shares = "film";
  EXPECT_EQ(circle(), "group film");
  film->shares = "";
  EXPECT_EQ(circle(), "principal ann");
}

}  // namespace
}  // namespace tocsin::test::event_hub_test
