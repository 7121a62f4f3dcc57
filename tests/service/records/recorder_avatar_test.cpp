// Which avatar a record keeps: a model of ours, of the client's own, or one bound by shape.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "service/records/recorder_rig.h"

namespace tocsin::test::records::recorder_avatar_test {
namespace {

TEST(Recorder, AModelOfTheClientsOwn) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  AvatarModel model = load_avatar_model("humanoid_hands").value();
  EXPECT_FALSE(model.links.empty());
  model = load_avatar_model("humanoid16").value();
  model.name.clear();
  model.links.resize(12);
  model.links[2].radius = 0.081;
  model.links[3].a.offset = {0.01, -0.02, 1.0 / 3};
  options.model = model;
  record_evenly(folder.path() / "here", options, *room);
  EXPECT_EQ(names_in(folder.path() / "here"),
            (std::vector<std::string>{"walk.avatar.json", "walk.jsonl", "walk.poses"}));
  // The folder may be moved.
  fs::rename(folder.path() / "here", folder.path() / "there");
  const fs::path moved = folder.path() / "there";
  expect_confirmed(moved, {"--env", kRoom, "--avatar", (moved / "walk.avatar.json").string()});
}

TEST(Recorder, AModelThatNoFileCanHold) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  AvatarModel model = load_avatar_model("humanoid16").value();
  model.links[0].name = "a:b";
  options.model = model;
  const auto made =
      Recorder::create(folder.path(), "walk", options, bound(options, options.skeleton), *room);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kInput);
  EXPECT_NE(made.error().message.find("walk.avatar.json: links[0].name"), std::string::npos)
      << made.error().message;
  EXPECT_TRUE(folder.files().empty());
}

/// The take's options, its joints renamed so that no model knows them.
TrackOptions options_of_renamed(bool person) {
  std::vector<Joint> joints(take().skeleton().joints().begin(), take().skeleton().joints().end());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i].name = fmt::format("j{}", i);
    if (!person) joints[i].rest.translation = {0.0, 0.05, 0.0};
  }
  TrackOptions options = options_of(take());
  options.skeleton = Skeleton::create(joints).value();
  return options;
}

TEST(Recorder, ABodyThatIsBoundByItsShapeIsKept) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path(), options_of_renamed(/*person=*/true), *room);
  const Json run = run_of(folder.read("walk.jsonl"));
  EXPECT_EQ(run["options"]["avatar"], "walk.avatar.json");
  EXPECT_EQ(run["links"].size(), 16U);
  expect_confirmed(folder.path(),
                   {"--env", kRoom, "--avatar", (folder.path() / "walk.avatar.json").string()});
}

TEST(Recorder, OneLinkPerBone) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path(), options_of_renamed(/*person=*/false), *room);
  // The frames alone could be those of a person: the links are kept, so that none binds otherwise.
  const Json run = run_of(folder.read("walk.jsonl"));
  EXPECT_EQ(run["options"]["avatar"], "walk.avatar.json");
  EXPECT_GT(run["links"].size(), 30U);
  expect_confirmed(folder.path(),
                   {"--env", kRoom, "--avatar", (folder.path() / "walk.avatar.json").string()});
}

TEST(Recorder, OneLinkPerBoneWithNamesThatNoFileCanHold) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of_renamed(/*person=*/false);
  std::vector<Joint> joints(options.skeleton.joints().begin(), options.skeleton.joints().end());
  joints[3].name = std::string(200, 'x');
  joints[4].name = std::string(200, 'y');
  options.skeleton = Skeleton::create(joints).value();
  record_evenly(folder.path(), options, *room);
  EXPECT_EQ(run_of(folder.read("walk.jsonl"))["options"]["avatar"], "auto");
  const CommandResult verified = run_tocsin({"verify", folder.full("walk.jsonl")});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

}  // namespace
}  // namespace tocsin::test::records::recorder_avatar_test
