// What the folder of records may take, and what is deleted from it when.
#include "service/records/record_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "service/records/record_files.h"
#include "service/records/recorder_rig.h"
#include "service/session/session_id.h"

namespace tocsin::test::records::record_store_test {
namespace {

using service::RecordRules;
using service::RecordStore;
using std::chrono::hours;

/// A folder of records, and what is said of them.
class RecordStoreTest : public testing::Test {
 protected:
  RecordStore store(RecordRules rules) {
    return RecordStore(folder_.path(), rules, [this](const std::string& line) { said_ += line; });
  }
  void age(const std::string& name, hours by) const {
    fs::last_write_time(folder_.path() / name, fs::file_time_type::clock::now() - by);
  }
  /// A finished record of so many bytes.
  void record(const std::string& stem, hours by, std::size_t bytes) const {
    for (const char* const ending : {".poses", ".jsonl"}) {
      folder_.write(stem + ending, std::string(bytes / 2, 'x'));
      age(stem + ending, by);
    }
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return fs::exists(folder_.path() / name);
  }

  TemporaryFolder folder_;
  std::string said_;
};

constexpr const char* kOld = "20260101-120000-000001-5d0c7c";
constexpr const char* kMiddle = "20260102-120000-000002-5d0c7c";
constexpr const char* kYoung = "20260103-120000-000003-5d0c7c";

/// Another server may have taken the session over meanwhile.
TEST_F(RecordStoreTest, OnlyItsOwnEntryIsForgotten) {
  record(kOld, hours(0), 100);
  record(kMiddle, hours(0), 100);
  RecordStore before = store({});
  RecordStore next = store({});
  const std::string id = base::sha256_hex("id");
  ASSERT_TRUE(before.enter(id, kOld));
  ASSERT_TRUE(next.enter(id, kMiddle));
  before.forget(id, kOld);
  EXPECT_EQ(next.stem_of(id), kMiddle);
  before.forget(id, "");
  EXPECT_EQ(next.stem_of(id), kMiddle);
  next.forget(id, kMiddle);
  EXPECT_FALSE(next.stem_of(id));
}

TEST_F(RecordStoreTest, LargeWritesAskForAllOfTheirBytes) {
  record(kOld, hours(0), 1000);
  const RecordStore quota = store({.reserve = 0, .quota = 2000});
  EXPECT_TRUE(quota.may_write(1000));
  EXPECT_FALSE(quota.may_write(1001));
  const auto free = std::filesystem::space(folder_.path()).available;
  const RecordStore reserve = store({.reserve = free / 2});
  EXPECT_TRUE(reserve.may_write(free / 4));
  EXPECT_FALSE(reserve.may_write(free / 4 * 3));
  EXPECT_FALSE(reserve.may_write(std::uint64_t{1} << 62U)) << "more than there is";
}

TEST_F(RecordStoreTest, StemsOfRecordsAreKnown) {
  EXPECT_TRUE(service::is_record_stem(service::record_stem(1)));
  EXPECT_TRUE(service::is_record_stem(service::record_stem(123'456'789)));
  for (const char* const other :
       {"", "walk", "20260101-120000-000001-5d0c7", "20260101-120000-000001-5d0c7g",
        "20260101_120000-000001-5d0c7c", "2026010x-120000-000001-5d0c7c",
        "20260101-120000-00000a-5d0c7c"}) {
    EXPECT_FALSE(service::is_record_stem(other)) << other;
  }
}

TEST_F(RecordStoreTest, OldRecordsGoAndNothingElse) {
  record(kOld, hours(72), 2000);
  record(kYoung, hours(1), 2000);
  folder_.write("takes.poses", "somebody's");
  age("takes.poses", hours(1000));
  RecordStore here = store({.reserve = 0, .days = 2.0});
  EXPECT_EQ(here.bytes(), 4000U);
  here.tidy({});
  EXPECT_EQ(names_in(folder_.path()),
            (std::vector<std::string>{std::string(kYoung) + ".jsonl",
                                      std::string(kYoung) + ".poses", "takes.poses"}));
  EXPECT_EQ(here.bytes(), 2000U);
  EXPECT_EQ(here.counts().deleted_records.value(), 1U);
  EXPECT_EQ(here.counts().deleted_bytes.value(), 2000U);
  EXPECT_NE(said_.find("1 deleted"), std::string::npos) << said_;
}

/// What a killed server left of a report that it was writing goes with its record.
TEST_F(RecordStoreTest, PartsOfReportsGoWithTheirRecords) {
  record(kOld, hours(72), 2000);
  const std::string part = std::string(kOld) + ".jsonl.part-4711";
  folder_.write(part, "half");
  age(part, hours(72));
  RecordStore here = store({.reserve = 0, .days = 2.0});
  here.tidy({});
  EXPECT_TRUE(names_in(folder_.path()).empty());
  here.tidy({});
  EXPECT_EQ(here.counts().deleted_records.value(), 1U);
}

/// A folder that cannot be read neither ends the server nor what is tidied besides.
TEST_F(RecordStoreTest, FoldersThatCannotBeReadAreLeftOut) {
  record(kOld, hours(72), 2000);
  fs::create_directories(folder_.path() / "rooms");
  fs::create_symlink("nowhere", folder_.path() / "rooms" / "0123456789abcdef0123");
  folder_.write("rooms/4567456745674567ffff", "no folder");
  RecordStore here = store({.reserve = 0, .days = 2.0});
  here.tidy({});
  EXPECT_EQ(here.counts().deleted_records.value(), 1U);
}

TEST_F(RecordStoreTest, TheOldestGoUntilThereIsRoom) {
  record(kOld, hours(3), 2'000'000);
  record(kMiddle, hours(2), 2'000'000);
  record(kYoung, hours(1), 2'000'000);
  RecordStore roomy = store({.reserve = 0, .quota = 8U << 20U});
  roomy.tidy({});
  EXPECT_TRUE(has(std::string(kOld) + ".poses"));
  RecordStore here = store({.reserve = 0, .quota = 5U << 20U});
  EXPECT_FALSE(here.may_write().ok());
  here.tidy({});
  EXPECT_FALSE(has(std::string(kOld) + ".poses"));
  EXPECT_FALSE(has(std::string(kOld) + ".jsonl"));
  EXPECT_TRUE(has(std::string(kMiddle) + ".poses"));
  EXPECT_TRUE(has(std::string(kYoung) + ".poses"));
  EXPECT_EQ(here.bytes(), 4'000'000U);
}

/// A record that is being written, in a room of its own file.
Status live_record(const fs::path& folder, const std::string& stem, const Room& room,
                   std::unique_ptr<Recorder>& out, std::shared_ptr<RecordStore> store = nullptr) {
  const TrackOptions options = options_of(take());
  auto made = Recorder::create(folder, stem, options, bound(options, options.skeleton), room, {},
                               std::move(store));
  if (!made) return made.error();
  out = std::move(made).value();
  return out->pose({0, 0.0, pose_of(0)}, 0.0);
}

TEST_F(RecordStoreTest, WhatIsBeingWrittenStays) {
  const auto room = room_of({kRoom});
  std::unique_ptr<Recorder> live;
  ASSERT_TRUE(live_record(folder_.path(), kOld, *room, live).ok());
  for (const char* const ending : {".poses", ".lines"}) age(std::string(kOld) + ending, hours(99));
  RecordStore here = store({.reserve = 0, .quota = 1, .days = 1.0});
  here.tidy({});
  EXPECT_TRUE(has(std::string(kOld) + ".poses"));
  live.reset();
  here.tidy({});
  EXPECT_FALSE(has(std::string(kOld) + ".poses"));
  EXPECT_FALSE(has(std::string(kOld) + ".lines"));
}

TEST_F(RecordStoreTest, RoomsThatNoRecordNeedsGo) {
  const std::string wall = "o W\nv -9 0 6\nv 9 0 6\nv 0 3 6\nf 1 2 3\n";
  const auto keep = [&](const std::string& text) {
    const std::string hash = base::sha256_hex(text).substr(0, 20);
    fs::create_directories(folder_.path() / "rooms" / hash);
    const std::string name = "rooms/" + hash + "/wall.obj";
    folder_.write(name, text);
    age(name, hours(1));
    return name;
  };
  const std::string needed = keep(wall);
  const std::string idle = keep(wall + "# idle\n");
  const std::string loaded = keep(wall + "# loaded\n");
  const std::string young = keep(wall + "# young\n");
  // Somebody else's, below the same folder: not in a folder of a hash, or of another file's hash.
  const std::string foreign = "rooms/mine/house.obj";
  const std::string disguised = "rooms/0123456789abcdef0123/house.obj";
  for (const std::string& name : {foreign, disguised}) {
    fs::create_directories((folder_.path() / name).parent_path());
    folder_.write(name, wall);
    age(name, hours(1));
  }
  fs::last_write_time(folder_.path() / young, fs::file_time_type::clock::now());
  std::unique_ptr<Recorder> record;
  ASSERT_TRUE(live_record(folder_.path(), kOld, *room_of({folder_.full(needed)}), record).ok());
  ASSERT_TRUE(record->finish().ok());
  record.reset();
  RecordStore here = store({.reserve = 0, .days = 1.0});
  here.tidy({folder_.path() / loaded});
  EXPECT_TRUE(has(needed));
  EXPECT_FALSE(has(idle));
  EXPECT_FALSE(fs::exists((folder_.path() / idle).parent_path()));
  EXPECT_TRUE(has(loaded));
  EXPECT_TRUE(has(young));
  EXPECT_TRUE(has(foreign));
  EXPECT_TRUE(has(disguised));
  // Another server on the folder, which has not loaded it, leaves it alone as well.
  store({.reserve = 0}).tidy({});
  EXPECT_TRUE(has(loaded));
  EXPECT_EQ(here.counts().deleted_rooms.value(), 1U);
  // Once its record is gone, nobody needs it.
  for (const char* const ending : {".poses", ".jsonl"}) age(std::string(kOld) + ending, hours(99));
  here.tidy({folder_.path() / loaded});
  EXPECT_FALSE(has(needed));
  // A record that says nothing of its room may need any.
  folder_.write(std::string(kMiddle) + ".poses", "of before\n");
  const std::string other = keep(wall + "# other\n");
  here.tidy({});
  EXPECT_TRUE(has(other));
}

TEST_F(RecordStoreTest, TheReserveIsNeverTaken) {
  const auto room = room_of({kRoom});
  const auto full = std::make_shared<RecordStore>(
      folder_.path(), RecordRules{.reserve = std::uint64_t{1} << 60U}, nullptr);
  std::unique_ptr<Recorder> record;
  const Status begun = live_record(folder_.path(), kOld, *room, record, full);
  ASSERT_FALSE(begun.ok());
  EXPECT_EQ(begun.error().code, ErrorCode::kResource);
  EXPECT_NE(begun.error().message.find("MiB are free"), std::string::npos);
  EXPECT_TRUE(folder_.files().empty());
  const auto roomy =
      std::make_shared<RecordStore>(folder_.path(), RecordRules{.reserve = 1}, nullptr);
  EXPECT_TRUE(live_record(folder_.path(), kOld, *room, record, roomy).ok());
  EXPECT_GT(roomy->bytes(), 1000U);
}

TEST_F(RecordStoreTest, BeyondTheQuotaARecordEndsWhole) {
  const auto room = room_of({kRoom});
  const auto small = std::make_shared<RecordStore>(
      folder_.path(), RecordRules{.reserve = 0, .quota = 20'000}, nullptr);
  std::unique_ptr<Recorder> record;
  ASSERT_TRUE(live_record(folder_.path(), kOld, *room, record, small).ok());
  Status status = Nothing{};
  int k = 1;
  for (; status && k < 130; ++k) {
    status = record->pose({static_cast<std::uint64_t>(k), 0.0, pose_of(k)}, k);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the disk is looked at anew
  }
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("quota"), std::string::npos);
  EXPECT_FALSE(record->pose({1000, 0.0, pose_of(0)}, 1000).ok()) << "poses are missing";
  record.reset();
  const CommandResult checked =
      run_tocsin({"check", "--like", folder_.full(std::string(kOld) + ".poses")});
  EXPECT_EQ(checked.status, 0) << checked.err;
}

}  // namespace
}  // namespace tocsin::test::records::record_store_test
