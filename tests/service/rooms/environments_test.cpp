#include "service/rooms/environments.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "detect/cache/tree_cache.h"
#include "service/rooms/rooms_fixture.h"
#include "support/contains.h"

namespace tocsin::service::environments_test {
namespace {

using test::contains;

TEST_F(Rooms, TheOperatorsComeFromAnywhere) {
  Environments rooms(RoomPolicy{});
  const std::vector<fs::path> files{folder.path() / "secret.obj", root() / "door.obj"};
  const auto info = rooms.load("hall", files, {2.0, UpAxis::kY}, warnings);
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info->name, "hall");
  EXPECT_EQ(info->revision, 1U);
  EXPECT_EQ(info->objects, 2U);
  EXPECT_EQ(info->triangles, 2U);
  EXPECT_EQ(info->least, (Vec3{0, 0, 0}));
  EXPECT_EQ(info->most, (Vec3{2, 4, 0}));
  EXPECT_EQ(info->files, (std::vector<std::string>{"secret.obj", "door.obj"}));
  std::string problem;
  const auto room = rooms.find(principal, "", problem);
  ASSERT_NE(room, nullptr) << problem;
  EXPECT_EQ(room->name, "hall");
  EXPECT_EQ(room->owner, "");
  EXPECT_EQ(room->options.scale, 2.0);
  EXPECT_EQ(room->detector.backend_name(), "cpu");
  ASSERT_EQ(room->files.size(), 2U);
  EXPECT_EQ(room->files[1].stored, root() / "door.obj");
  EXPECT_EQ(room->files[1].sha256, kDoorHash);
  const auto gone = rooms.unload(principal, "hall");
  EXPECT_EQ(gone.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(gone.error().message, "the server's own")) << gone.error().message;
}

TEST_F(Rooms, ClientsLoadFromTheFolder) {
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"./door.obj", "sub//shelf.obj"});
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info->files, (std::vector<std::string>{"door.obj", "sub/shelf.obj"}));
  EXPECT_EQ(objects_of(rooms, "house"), (std::vector<std::string>{"door", "shelf"}));
  std::string problem;
  const auto room = rooms.find(principal, "house", problem);
  EXPECT_EQ(room->owner, "studio-a");
  EXPECT_EQ(room->files[0].sha256, kDoorHash);
  EXPECT_EQ(room->files[1].stored, fs::canonical(root()) / "sub/shelf.obj");
  EXPECT_EQ(principal.used->environments, 1U);
  EXPECT_EQ(rooms.list().size(), 1U);
}

TEST_F(Rooms, OneNameThatComesTwiceIsKeptApartWithAWarning) {
  write("rooms/door2.obj", obj("door"));
  Environments rooms(policy);
  ASSERT_TRUE(load(rooms, "house", {"door.obj", "door2.obj"}).ok());
  EXPECT_EQ(objects_of(rooms, "house"), (std::vector<std::string>{"door", "door@2"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], "door@2")) << warnings[0];
}

TEST_F(Rooms, ALinkWithinTheFolderIsFollowed) {
  fs::create_symlink("sub/shelf.obj", root() / "link.obj");
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"link.obj"});
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info->files, std::vector<std::string>{"link.obj"});
}

TEST_F(Rooms, ADeviceSharesTheCpusTree) {
  policy.batches = DetectorOptions{.backend = Backend::kCuda, .experiments = {.emulate = true}};
  Environments rooms(policy);
  const std::uint64_t before = detect::trees_built();
  ASSERT_TRUE(load(rooms, "house", {"door.obj", "sub/shelf.obj"}).ok());
  EXPECT_EQ(detect::trees_built(), before + 1);
  std::string problem;
  const auto room = rooms.find(principal, "house", problem);
  ASSERT_NE(room, nullptr) << problem;
  ASSERT_NE(room->device, nullptr);
  EXPECT_EQ(room->device->backend(), "cuda");
  EXPECT_TRUE(room->device->works());
  EXPECT_EQ(room->detector.backend_name(), "cpu");
}

TEST_F(Rooms, AutoMeasuresTheOperatorsRoomsAndNoClients) {
  policy.batches = DetectorOptions{.backend = Backend::kAuto, .experiments = {.emulate = true}};
  Environments rooms(policy);
  const std::vector<fs::path> files{root() / "door.obj"};
  ASSERT_TRUE(rooms.load("measured", files, {}, warnings).ok());
  // An emulated device is measured like any other, and is slower than the CPU.
  EXPECT_TRUE(contains(rooms.choice("measured"), "cuda (emulated")) << rooms.choice("measured");
  EXPECT_TRUE(contains(rooms.choice("measured"), "asked at once")) << rooms.choice("measured");
  std::string problem;
  const auto measured = rooms.find(principal, "measured", problem);
  ASSERT_NE(measured, nullptr) << problem;
  if (measured->device) {  // the machine was busy: then it says so
    EXPECT_EQ(measured->info().backend, "cuda");
  } else {
    EXPECT_EQ(measured->info().backend, "cpu");
  }
  ASSERT_TRUE(load(rooms, "house", {"door.obj"}).ok());
  const auto house = rooms.find(principal, "house", problem);
  ASSERT_NE(house, nullptr) << problem;
  EXPECT_EQ(house->device, nullptr);
  EXPECT_EQ(rooms.choice("house"), "");
  EXPECT_EQ(rooms.choice("nowhere"), "");
}

TEST_F(Rooms, WhatAutoMeasuredIsRememberedBesideTheTree) {
  policy.alone.tree_cache = (folder.path() / "trees").string();
  policy.batches = policy.alone;
  policy.batches->backend = Backend::kAuto;
  policy.batches->experiments.emulate = true;
  const std::vector<fs::path> files{root() / "door.obj"};
  std::vector<std::string> choices;
  for (int i = 0; i < 2; ++i) {
    Environments rooms(policy);
    ASSERT_TRUE(rooms.load("door", files, {}, warnings).ok());
    choices.push_back(rooms.choice("door"));
  }
  EXPECT_EQ(choices[0], choices[1]);  // the same times: it was not measured twice
  EXPECT_TRUE(contains(choices[0], "asked at once")) << choices[0];
  EXPECT_TRUE(warnings.empty());
}

struct BadPath {
  std::string path;
  ErrorCode code;
  std::string part;
};

TEST_F(Rooms, NothingLeadsOutOfTheFolder) {
  fs::create_symlink("../secret.obj", root() / "out.obj");
  fs::create_symlink(folder.path(), root() / "up");
  fs::create_symlink("up/secret.obj", root() / "twice.obj");
  fs::create_symlink("loop.obj", root() / "loop.obj");
  fs::create_symlink("../nowhere.obj", root() / "dangling.obj");
  fs::create_directories(folder.path() / "rooms-beside");  // its name begins like the folder's
  write("rooms-beside/x.obj", obj("beside"));
  fs::create_symlink("../rooms-beside/x.obj", root() / "beside.obj");
  ASSERT_EQ(::mkfifo((root() / "pipe.obj").c_str(), 0600), 0);
  const std::vector<BadPath> cases{
      {"", ErrorCode::kUsage, "empty"},
      {(folder.path() / "secret.obj").string(), ErrorCode::kUsage, "relative"},
      {(root() / "door.obj").string(), ErrorCode::kUsage, "relative"},
      {"..", ErrorCode::kUsage, "leads out"},
      {"../secret.obj", ErrorCode::kUsage, "leads out"},
      {"sub/../../secret.obj", ErrorCode::kUsage, "leads out"},
      {"sub/../door.obj", ErrorCode::kUsage, "\"..\""},
      {"out.obj", ErrorCode::kUsage, "leads out"},
      {"up/secret.obj", ErrorCode::kUsage, "leads out"},
      {"up/rooms/door.obj/../../../secret.obj", ErrorCode::kUsage, "leads out"},
      {"up/nothing.obj", ErrorCode::kUsage, "leads out"},
      {"twice.obj", ErrorCode::kUsage, "leads out"},
      {"beside.obj", ErrorCode::kUsage, "leads out"},
      {"dangling.obj", ErrorCode::kInput, "no such file"},
      {"loop.obj", ErrorCode::kInput, "cannot be looked up"},
      {"none.obj", ErrorCode::kInput, "no such file"},
      {"sub", ErrorCode::kInput, "not a regular file"},
      {".", ErrorCode::kInput, "not a regular file"},
      {"pipe.obj", ErrorCode::kInput, "not a regular file"},
      {"door.obj/x", ErrorCode::kInput, "no such file"},
      {std::string("door.obj\0.txt", 13), ErrorCode::kUsage, "control characters"},
      {"a\nb.obj", ErrorCode::kUsage, "control characters"},
      {"a\xff.obj", ErrorCode::kUsage, "UTF-8"},
      {std::string(2000, 'a'), ErrorCode::kUsage, "1024 bytes"},
      {std::string(300, 'a') + ".obj", ErrorCode::kInput, "cannot be looked up"},
  };
  Environments rooms(policy);
  for (const BadPath& bad : cases) {
    const auto info = load(rooms, "house", {"door.obj", bad.path});
    EXPECT_FALSE(info.ok()) << bad.path;
    EXPECT_EQ(info.error().code, bad.code) << bad.path << ": " << info.error().message;
    EXPECT_TRUE(contains(info.error().message, bad.part))
        << bad.part << " in: " << info.error().message;
    if (bad.path.empty() || bad.path[0] != '/') expect_discreet(info.error().message);
  }
  EXPECT_TRUE(rooms.list().empty());
  EXPECT_EQ(principal.used->environments, 0U);
}

TEST_F(Rooms, TheFolderItselfMayBeALink) {
  fs::create_directory_symlink("rooms", folder.path() / "link");
  policy.folder = folder.path() / "link";
  Environments rooms(policy);
  EXPECT_TRUE(load(rooms, "house", {"door.obj"}).ok());
}

TEST_F(Rooms, BadFilesAreNamedRelativeToTheFolder) {
  write("rooms/sub/bad.obj", "o x\nv 1 2\n");
  write("rooms/sub/bad.stl", "solid x\nfacet nothing\n");
  write("rooms/sub/bad.glb", "glTF but not really");
  write("rooms/sub/bad.ply", "ply\nformat none\n");
  write("rooms/sub/text.txt", "text");
  Environments rooms(policy);
  for (const std::string file :
       {"sub/bad.obj", "sub/bad.stl", "sub/bad.glb", "sub/bad.ply", "sub/text.txt"}) {
    const auto info = load(rooms, "house", {file});
    EXPECT_EQ(info.error().code, ErrorCode::kInput);
    EXPECT_EQ(info.error().message.find(file), 0U) << info.error().message;
    expect_discreet(info.error().message);
  }
  EXPECT_TRUE(contains(load(rooms, "house", {"sub/bad.obj"}).error().message, "sub/bad.obj:2: "));
}

TEST_F(Rooms, WhatAFileRefersToMustLieInTheFolderToo) {
  write("rooms/sub/inside.bin", gltf_buffer());
  fs::create_symlink("../../secret.bin", root() / "sub/link.bin");
  fs::create_symlink("../..", root() / "sub/up");
  Environments rooms(policy);
  write("rooms/sub/good.gltf", gltf("inside.bin"));
  const auto good = load(rooms, "good", {"sub/good.gltf"});
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ(good->files, std::vector<std::string>{"sub/good.gltf"});
  std::string problem;
  const auto room = rooms.find(principal, "good", problem);
  ASSERT_EQ(room->files.size(), 2U);
  EXPECT_EQ(room->files[1].shown, "sub/inside.bin");
  EXPECT_TRUE(room->files[1].referenced);
  for (const std::string uri :
       {"../../secret.bin", "%2e%2e/../secret.bin", "link.bin", "up/secret.bin",
        "../../rooms/../secret.bin", "../../nowhere.bin"}) {
    write("rooms/sub/bad.gltf", gltf(uri));
    const auto bad = load(rooms, "bad", {"sub/bad.gltf"});
    EXPECT_FALSE(bad.ok()) << uri;
    EXPECT_EQ(bad.error().code, ErrorCode::kUsage) << uri << ": " << bad.error().message;
    EXPECT_TRUE(contains(bad.error().message, "sub/bad.gltf: refers to ")) << bad.error().message;
    expect_discreet(bad.error().message);
  }
  // What is absolute assimp looks for beside the file.
  for (const std::string& uri :
       {(folder.path() / "secret.bin").string(), std::string("/dev/zero")}) {
    write("rooms/sub/bad.gltf", gltf(uri));
    EXPECT_FALSE(load(rooms, "bad", {"sub/bad.gltf"}).ok()) << uri;
  }
}

TEST_F(Rooms, InlinedScenesDoNotLeadOut) {
  write("rooms/inside.x3d", x3d(""));
  Environments rooms(policy);
  for (const std::string& url :
       {std::string("../secret.x3d"), (folder.path() / "secret.x3d").string()}) {
    write("rooms/bad.x3d", x3d(url));
    const auto bad = load(rooms, "bad", {"bad.x3d"});
    EXPECT_FALSE(bad.ok()) << url;
    EXPECT_TRUE(contains(bad.error().message, "bad.x3d: ")) << bad.error().message;
  }
  write("rooms/bad.x3d", x3d("../secret.x3d"));
  EXPECT_EQ(load(rooms, "bad", {"bad.x3d"}).error().code, ErrorCode::kUsage);
  write("rooms/good.x3d", x3d("inside.x3d"));
  const auto good = load(rooms, "good", {"good.x3d"});
  ASSERT_TRUE(good.ok()) << good.error().message;
  EXPECT_EQ(good->triangles, 2U);
  const auto whole = upload(rooms, "whole", "whole.x3d", x3d(""));
  EXPECT_TRUE(whole.ok()) << whole.error().message;
  const auto part = upload(rooms, "part", "part.x3d", x3d("inside.x3d"));
  EXPECT_FALSE(part.ok());
  expect_discreet(part.error().message);
}

TEST_F(Rooms, WithoutAFolderNoPathsAreTaken) {
  policy.folder.clear();
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"door.obj"});
  EXPECT_EQ(info.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(info.error().message, "upload")) << info.error().message;
}

TEST_F(Rooms, AMissingFolderIsTheServersProblem) {
  policy.folder = folder.path() / "gone";
  Environments rooms(policy);
  const auto info = load(rooms, "house", {"door.obj"});
  EXPECT_EQ(info.error().code, ErrorCode::kResource);
  expect_discreet(info.error().message);
}

TEST_F(Rooms, NamesAreChecked) {
  Environments rooms(policy);
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".hidden"), std::string("a b"),
        std::string("a/b"), std::string("ä"), std::string(129, 'a'), std::string("a\n")}) {
    const auto info = load(rooms, bad, {"door.obj"});
    EXPECT_EQ(info.error().code, ErrorCode::kUsage) << bad;
    EXPECT_TRUE(contains(info.error().message, "a room's name")) << info.error().message;
  }
  EXPECT_TRUE(load(rooms, std::string(128, 'a'), {"door.obj"}).ok());
  EXPECT_TRUE(load(rooms, "A-z_0.9", {"door.obj"}).ok());
}

TEST_F(Rooms, LimitsOfAPrincipal) {
  Environments rooms(policy);
  principal.limits.triangles = 1;
  const auto large = load(rooms, "large", {"door.obj", "sub/shelf.obj"});
  EXPECT_EQ(large.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(large.error().message, "2 triangles")) << large.error().message;
  EXPECT_EQ(principal.used->environments, 0U) << "a room that is refused does not count";
  EXPECT_TRUE(load(rooms, "small", {"door.obj"}).ok());
  principal.limits.environments = 1;
  const auto more = load(rooms, "more", {"door.obj"});
  EXPECT_EQ(more.error().code, ErrorCode::kResource);
  EXPECT_TRUE(contains(more.error().message, "\"studio-a\" may have 1 rooms"))
      << more.error().message;
  other.limits.may_load = false;
  std::vector<std::string> none;
  const auto never =
      rooms.load_paths(other, "more", std::vector<std::string>{"door.obj"}, {}, none);
  EXPECT_EQ(never.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(never.error().message, "may not load")) << never.error().message;
}

TEST_F(Rooms, LimitOfTheServer) {
  policy.most_rooms = 2;
  Environments rooms(policy);
  const fs::path file = root() / "door.obj";
  ASSERT_TRUE(rooms.load("own", std::span(&file, 1), {}, warnings).ok());
  ASSERT_TRUE(load(rooms, "a", {"door.obj"}).ok());
  EXPECT_EQ(load(rooms, "b", {"door.obj"}).error().code, ErrorCode::kResource);
  EXPECT_TRUE(rooms.load("operator", std::span(&file, 1), {}, warnings).ok());
}

TEST_F(Rooms, UnloadedRoomsStayWithTheirSessions) {
  principal.limits.environments = 1;
  Environments rooms(policy);
  ASSERT_TRUE(load(rooms, "house", {"door.obj"}).ok());
  std::string problem;
  std::shared_ptr<const Room> session = rooms.find(principal, "house", problem);
  session->sessions = 3;
  EXPECT_EQ(rooms.list()[0].sessions, 3U);

  EXPECT_EQ(rooms.unload(other, "house").error().code, ErrorCode::kInput);
  EXPECT_EQ(rooms.unload(principal, "cave").error().code, ErrorCode::kInput);
  const auto gone = rooms.unload(principal, "house");
  ASSERT_TRUE(gone.ok()) << gone.error().message;
  EXPECT_EQ(gone->sessions, 3U);
  EXPECT_EQ(principal.used->environments, 0U);
  EXPECT_EQ(rooms.find(principal, "house", problem), nullptr);
  EXPECT_EQ(session->environment.triangles().size(), 1U);

  // As long as somebody walks in it, it takes memory, and counts.
  EXPECT_EQ(load(rooms, "house", {"door.obj"}).error().code, ErrorCode::kResource);
  session.reset();
  const auto again = load(rooms, "house", {"door.obj"});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->revision, 2U);
}

TEST_F(Rooms, WhichRoomIsMeant) {
  Environments rooms(policy);
  std::string problem;
  EXPECT_EQ(rooms.find(principal, "", problem), nullptr);
  EXPECT_TRUE(contains(problem, "no room")) << problem;
  ASSERT_TRUE(load(rooms, "a", {"door.obj"}).ok());
  ASSERT_NE(rooms.find(principal, "", problem), nullptr);
  ASSERT_TRUE(load(rooms, "b", {"door.obj"}).ok());
  EXPECT_EQ(rooms.find(principal, "", problem), nullptr);
  EXPECT_TRUE(contains(problem, "a, b")) << problem;
  EXPECT_EQ(rooms.find(principal, "c\n", problem), nullptr);
  EXPECT_TRUE(contains(problem, "\"c\\n\"") && contains(problem, "a, b")) << problem;
  EXPECT_TRUE(rooms.is_taken(principal, "a"));
  EXPECT_FALSE(rooms.is_taken(principal, "c"));
  const auto taken = load(rooms, "a", {"door.obj"});
  EXPECT_EQ(taken.error().code, ErrorCode::kUsage);
  EXPECT_TRUE(contains(taken.error().message, "taken")) << taken.error().message;
}

TEST_F(Rooms, OfManyLoadsOfOneNameOneWins) {
  Environments rooms(policy);
  for (int round = 0; round < 20; ++round) {
    const std::string name = "room" + std::to_string(round);
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    for (Principal* who : {&principal, &other, &principal, &other}) {
      threads.emplace_back([&, who] {
        std::vector<std::string> none;
        const auto info =
            rooms.load_paths(*who, name, std::vector<std::string>{"door.obj"}, {}, none);
        won += info.ok() ? 1 : 0;
        EXPECT_TRUE(info.ok() || contains(info.error().message, "taken")) << info.error().message;
        (void)rooms.list();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(won, 2);  // one of each principal's
    EXPECT_EQ(principal.used->environments, 1U);
    EXPECT_EQ(other.used->environments, 1U);
    EXPECT_TRUE(rooms.unload(principal, name).ok() && rooms.unload(other, name).ok());
  }
}

}  // namespace
}  // namespace tocsin::service::environments_test
