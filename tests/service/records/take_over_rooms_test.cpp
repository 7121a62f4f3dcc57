// A server goes on with sessions in rooms that were loaded while it ran: for whom, and when not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "service/records/take_over_rig.h"

namespace tocsin::test::take_over_rooms_test {
namespace {

TEST_F(TakeOverTest, AnUploadedRoomIsReadAgain) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  Engine first(engine_options(folder), rooms);
  std::vector<TrackReport> reports = begin_in(first, anyone_, "own", 20);
  const fs::path left = crashed(folder);
  Engine second(engine_options(left), rooms_of(left));
  auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = resume(second, reports.size(), outlet);
  ASSERT_TRUE(session) << problem_.message;
  EXPECT_EQ(opened_.environment.name, "own");
  append(reports, go_on(*session, *outlet, opened_.covered->id));
  expect_whole(reports);
}

TEST_F(TakeOverTest, ARoomIsLoadedAgainForItsOwnerOnly) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  const auto owner = member_of("studio", "owner");
  const auto guest = member_of("studio", "guest");
  upload(*rooms, *owner, {"hall", true});
  Engine first(engine_options(folder), rooms);
  const std::size_t told_owner = begin_in(first, owner, "hall", 10).size();
  const std::string of_owner = id_;
  const auto held = session_;
  const std::size_t told_guest = begin_in(first, guest, "owner/hall", 10).size();
  const std::string of_guest = id_;
  const fs::path left = crashed(folder);
  Engine second(engine_options(left), rooms_of(left));
  auto outlet = std::make_shared<WaitingOutlet>();
  EXPECT_FALSE(second.resume(guest, of_guest, told_guest, outlet, opened_, problem_));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
  EXPECT_NE(problem_.message.find("only who loaded it"), std::string::npos) << problem_.message;
  EXPECT_TRUE(second.rooms().list().empty()) << "the guest has another's room";
  auto other = std::make_shared<WaitingOutlet>();
  ASSERT_TRUE(second.resume(owner, of_owner, told_owner, other, opened_, problem_))
      << problem_.message;
  EXPECT_TRUE(second.rooms().list(*member_of("", "stranger")).empty());
  // It is shared as before, so the guest finds it.
  EXPECT_TRUE(second.resume(guest, of_guest, told_guest, outlet, opened_, problem_))
      << problem_.message;
}

TEST_F(TakeOverTest, ClientsLearnNoPathOfARoomThatIsGone) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  Engine first(engine_options(folder), rooms);
  const std::size_t told = begin_in(first, anyone_, "own", 10).size();
  for (const std::string damage : {"gone", "changed", "no room"}) {
    SCOPED_TRACE(damage);
    const fs::path left = crashed(folder);
    for (const auto& entry : fs::recursive_directory_iterator(left / "rooms")) {
      if (!entry.is_regular_file()) continue;
      const fs::path file = entry.path();
      if (damage == "changed") std::ofstream(file, std::ios::app) << "# more\n";
      if (damage == "no room") std::ofstream(file) << "f 1 2 3\n";
      if (damage == "gone") fs::remove(file);
      break;
    }
    std::string log;
    service::EngineOptions wanted = engine_options(left);
    wanted.log = [&log](const std::string& line) { log += line + "\n"; };
    Engine second(wanted, rooms_of(left));
    auto outlet = std::make_shared<WaitingOutlet>();
    EXPECT_FALSE(resume(second, told, outlet));
    EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
    EXPECT_EQ(problem_.message.find('/'), std::string::npos) << problem_.message;
    EXPECT_NE(log.find(damage == "changed" ? "own" : "house.obj"), std::string::npos) << log;
    EXPECT_TRUE(second.rooms().list().empty());
  }
}

TEST_F(TakeOverTest, LimitsHoldBeforeARoomIsLoadedAgain) {
  const fs::path folder = records("one");
  const auto rooms = rooms_of(folder);
  upload(*rooms, *anyone_, "own");
  Engine first(engine_options(folder), rooms);
  const std::size_t told = begin_in(first, anyone_, "own", 10).size();
  const fs::path left = crashed(folder);
  Engine second(engine_options(left), rooms_of(left));
  auto outlet = std::make_shared<WaitingOutlet>();
  auto limited = somebody("anyone");
  limited->limits.sessions = 0;
  EXPECT_FALSE(second.resume(limited, id_, told, outlet, opened_, problem_));
  EXPECT_EQ(problem_.refusal, Refusal::kOverloaded) << problem_.message;
  service::MemoryBudget little(1);
  EXPECT_FALSE(second.resume(anyone_, id_, told, outlet, opened_, problem_, &little));
  EXPECT_EQ(problem_.refusal, Refusal::kOverloaded) << problem_.message;
  EXPECT_EQ(little.refused(), 1U);
  EXPECT_TRUE(second.rooms().list().empty());
  service::MemoryBudget enough(std::uint64_t{1} << 40U);
  EXPECT_TRUE(second.resume(anyone_, id_, told, outlet, opened_, problem_, &enough))
      << problem_.message;
}

}  // namespace
}  // namespace tocsin::test::take_over_rooms_test
