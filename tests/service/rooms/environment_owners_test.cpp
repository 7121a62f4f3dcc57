// Whose a room is: who sees it, enters it, replaces it, and which one is meant.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "service/rooms/environments.h"
#include "service/rooms/rooms_fixture.h"
#include "support/contains.h"

namespace tocsin::service::environment_owners_test {
namespace {

using test::contains;

std::vector<std::string> names_of(const std::vector<EnvironmentInfo>& rooms) {
  std::vector<std::string> out;
  for (const EnvironmentInfo& room : rooms) out.push_back(room.name);
  return out;
}

TEST_F(Rooms, AClientsRoomIsItsOwn) {
  Environments rooms(policy);
  const fs::path file = root() / "door.obj";
  ASSERT_TRUE(rooms.load("hall", std::span(&file, 1), {}, warnings).ok());
  ASSERT_TRUE(load(rooms, "stage", {"door.obj"}).ok());
  std::string problem;
  EXPECT_EQ(names_of(rooms.list(principal)), (std::vector<std::string>{"hall", "stage"}));
  EXPECT_EQ(names_of(rooms.list(other)), std::vector<std::string>{"hall"});
  EXPECT_NE(rooms.find(principal, "stage", problem), nullptr);
  for (const std::string name : {"stage", "studio-a/stage"}) {
    EXPECT_EQ(rooms.find(other, name, problem), nullptr);
    EXPECT_EQ(problem, "there is no room \"" + name + "\"; there are hall");
  }
  // The other may have a room of that name, and each finds its own. The operator's name is taken.
  EXPECT_FALSE(rooms.is_taken(other, "stage"));
  const std::vector<std::string> shelf{"sub/shelf.obj"};
  ASSERT_TRUE(rooms.load_paths(other, "stage", shelf, {}, warnings).ok());
  EXPECT_EQ(objects_of(rooms, "stage"), std::vector<std::string>{"door"});
  EXPECT_EQ(rooms.find(other, "stage", problem)->environment.objects()[0].name, "shelf");
  EXPECT_FALSE(rooms.load_paths(other, "hall", shelf, {}, warnings).ok());
  EXPECT_TRUE(rooms.unload(other, "stage").ok());
  EXPECT_EQ(objects_of(rooms, "stage"), std::vector<std::string>{"door"});
}

TEST_F(Rooms, ASharedRoomIsForItsGroup) {
  Environments rooms(policy);
  const auto refused = load(rooms, RoomRequest("set", true), {"door.obj"});
  EXPECT_TRUE(contains(refused.error().message, "shares rooms with nobody"));
  principal.shares = other.shares = "film";
  Principal stranger;
  stranger.name = "stranger";
  ASSERT_TRUE(load(rooms, RoomRequest("set", true), {"door.obj"}).ok());
  ASSERT_TRUE(load(rooms, "secret", {"door.obj"}).ok());
  EXPECT_EQ(names_of(rooms.list(other)), std::vector<std::string>{"studio-a/set"});
  EXPECT_TRUE(rooms.list(stranger).empty());
  std::string problem;
  EXPECT_NE(rooms.find(other, "studio-a/set", problem), nullptr);
  EXPECT_EQ(rooms.find(other, "set", problem), nullptr) << "the name is free for its own";
  EXPECT_EQ(rooms.find(stranger, "studio-a/set", problem), nullptr);
  EXPECT_EQ(rooms.unload(other, "studio-a/set").error().code, ErrorCode::kInput);
  stranger.shares = "theatre";
  EXPECT_EQ(rooms.find(stranger, "studio-a/set", problem), nullptr);
}

/// There is no time without a room, and its sessions keep the old one.
TEST_F(Rooms, ARoomIsReplacedAtOnce) {
  principal.limits.environments = 2;
  Environments rooms(policy);
  ASSERT_TRUE(load(rooms, "stage", {"door.obj"}).ok());
  EXPECT_FALSE(load(rooms, "stage", {"sub/shelf.obj"}).ok());
  std::string problem;
  std::shared_ptr<const Room> before = rooms.find(principal, "stage", problem);
  ASSERT_TRUE(load(rooms, RoomRequest("stage", false, true), {"sub/shelf.obj"}).ok());
  EXPECT_EQ(objects_of(rooms, "stage"), std::vector<std::string>{"shelf"});
  EXPECT_EQ(before->environment.objects()[0].name, "door");
  EXPECT_EQ(principal.used->environments, 1U);
  // One that is refused replaces nothing. The old one counts while a session has it.
  write("rooms/broken.obj", "v 1 2 x\n");
  EXPECT_FALSE(load(rooms, RoomRequest("stage", false, true), {"broken.obj"}).ok());
  EXPECT_EQ(objects_of(rooms, "stage"), std::vector<std::string>{"shelf"});
  EXPECT_FALSE(load(rooms, "more", {"door.obj"}).ok());
  before.reset();
  EXPECT_TRUE(load(rooms, "more", {"door.obj"}).ok());
  EXPECT_TRUE(load(rooms, RoomRequest("stage", false, true), {"door.obj"}).ok()) << "at the limit";
  EXPECT_TRUE(load(rooms, RoomRequest("stage", false, true), {"door.obj"}).ok());
}

TEST_F(Rooms, WhichRoomIsMeantIsTheOperatorsChoice) {
  policy.standard = "second";
  Environments chosen(policy);
  RoomPolicy plain;
  plain.folder = root();
  Environments rooms(plain);
  const fs::path file = root() / "door.obj";
  std::string problem;
  ASSERT_TRUE(rooms.load("hall", std::span(&file, 1), {}, warnings).ok());
  ASSERT_TRUE(load(rooms, "stage", {"door.obj"}).ok());
  EXPECT_EQ(rooms.find(principal, "", problem)->name, "hall") << "whatever a client loads";
  for (const char* const name : {"first", "second"}) {
    ASSERT_TRUE(chosen.load(name, std::span(&file, 1), {}, warnings).ok());
    ASSERT_TRUE(rooms.load(name, std::span(&file, 1), {}, warnings).ok());
  }
  EXPECT_EQ(chosen.find(principal, "", problem)->name, "second");
  EXPECT_EQ(rooms.find(principal, "", problem), nullptr);
  EXPECT_EQ(problem, "which room? There are first, hall, second, stage");
}

TEST_F(Rooms, AShapeIsNotOneOfTheRoomsThatMayBeMeant) {
  Environments rooms(policy);
  RoomRequest shape("door");
  shape.shape = true;
  ASSERT_TRUE(load(rooms, shape, {"door.obj"}).ok());
  std::string problem;
  EXPECT_EQ(rooms.find(principal, "", problem), nullptr);
  ASSERT_TRUE(load(rooms, "stage", {"sub/shelf.obj"}).ok());
  const auto only = rooms.find(principal, "", problem);
  ASSERT_NE(only, nullptr) << problem;
  EXPECT_EQ(only->name, "stage");
}

}  // namespace
}  // namespace tocsin::service::environment_owners_test
