// Who may change a room, with which verbs, and within which limits.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "service/rooms/rooms_fixture.h"

namespace tocsin::service::update_room_test {
namespace {

SceneEdit edit_of(SceneVerb verb, const std::string& object) {
  SceneEdit out;
  out.verb = verb;
  out.object = object;
  return out;
}

SceneEdit add_box(const std::string& name) {
  SceneEdit out = edit_of(SceneVerb::kAdd, name);
  out.shape = Shape::box({0.5, 0.5, 0.5}).value();
  return out;
}

/// Rooms "hall", which can be changed, and "still", of the principal; both have one object, "door".
class UpdateRoom : public Rooms {
 protected:
  UpdateRoom() {
    RoomRequest hall("hall", /*is_shared=*/true);
    hall.changeable = true;
    principal.shares = other.shares = "studio";
    EXPECT_TRUE(load(rooms, hall, {"door.obj"}));
    EXPECT_TRUE(load(rooms, "still", {"door.obj"}));
    EXPECT_TRUE(rooms.load("operators", std::vector{root() / "door.obj"}, {}, warnings));
  }

  std::optional<Problem> update(std::vector<SceneEdit> edits, const std::string& name = "hall",
                                std::optional<std::uint64_t> expected = std::nullopt) {
    change = {0, std::move(edits)};
    return rooms.update(principal, name, change, expected, memory, info);
  }
  Refusal refusal(std::vector<SceneEdit> edits, const std::string& message,
                  const std::string& name = "hall") {
    const auto problem = update(std::move(edits), name);
    EXPECT_TRUE(problem);
    if (!problem) return Refusal::kClosing;
    EXPECT_NE(problem->message.find(message), std::string::npos) << problem->message;
    return problem->refusal;
  }
  [[nodiscard]] EnvironmentInfo hall() {
    for (EnvironmentInfo& room : rooms.list(principal)) {
      if (room.name == "hall") return room;
    }
    return {};
  }

  Environments rooms{policy};
  SceneChange change;
  EnvironmentInfo info;
  MemoryBudget* memory = nullptr;
};

TEST_F(UpdateRoom, AChangeIsAVersionAndIsListed) {
  EXPECT_TRUE(hall().changeable);
  EXPECT_EQ(hall().version, 0U);
  ASSERT_FALSE(update({add_box("crate"), edit_of(SceneVerb::kRemove, "door")}));
  EXPECT_EQ(change.version, 1U);
  EXPECT_EQ(info.version, 1U);
  EXPECT_EQ(hall().objects, 1U);
  EXPECT_EQ(hall().triangles, 12U);
  EXPECT_EQ(hall().least, (Vec3{-0.5, -0.5, -0.5}));
  SceneEdit another = edit_of(SceneVerb::kAdd, "crate 2");
  another.like = "crate";
  ASSERT_FALSE(update({another}, "hall", 1));
  EXPECT_EQ(hall().objects, 2U);
  EXPECT_EQ(hall().triangles, 12U) << "a mesh counts once";
}

TEST_F(UpdateRoom, OnlyItsOwnerMayAndOnlyARoomThatIsToBeChanged) {
  const std::vector<SceneEdit> edits{add_box("crate")};
  EXPECT_EQ(refusal(edits, "not loaded to be changed", "still"), Refusal::kNotNow);
  EXPECT_EQ(refusal(edits, "the server's own", "operators"), Refusal::kForbidden);
  EXPECT_EQ(refusal(edits, "you have no room", "nowhere"), Refusal::kNotFound);
  std::swap(principal, other);
  EXPECT_EQ(refusal(edits, "only who loaded", "studio-a/hall"), Refusal::kForbidden);
  std::swap(principal, other);
  principal.limits.may_change = false;
  EXPECT_EQ(refusal(edits, "may_change"), Refusal::kForbidden);
  EXPECT_EQ(hall().version, 0U);
}

TEST_F(UpdateRoom, AllEditsOrNone) {
  ASSERT_FALSE(update({add_box("crate")}));
  SceneEdit moved = edit_of(SceneVerb::kMove, "crate");
  moved.at.translation = {3, 0, 0};
  SceneEdit parent = edit_of(SceneVerb::kAddSwitch, {});
  parent.parent = "lights";
  SceneEdit rule = edit_of(SceneVerb::kDeactivatePairs, {});
  rule.pattern = "*:crate";
  EXPECT_EQ(refusal({moved, edit_of(SceneVerb::kRemove, "door"), parent, rule,
                     edit_of(SceneVerb::kRemove, "nothing")},
                    "edit 4 (remove \"nothing\"): there is no object"),
            Refusal::kInvalid);
  EXPECT_EQ(hall().objects, 2U);
  EXPECT_EQ(hall().version, 1U);
  EXPECT_EQ(hall().most, (Vec3{1, 2, 0.5})) << "the crate is where it was, and the door is there";
  ASSERT_FALSE(update({moved, edit_of(SceneVerb::kRemove, "door"), parent}));
  EXPECT_EQ(hall().least, (Vec3{2.5, -0.5, -0.5}));
}

TEST_F(UpdateRoom, EachVerbSaysWhatItCannotDo) {
  SceneEdit empty = edit_of(SceneVerb::kAdd, "no mesh");
  EXPECT_EQ(refusal({empty}, "it needs one mesh"), Refusal::kInvalid);
  EXPECT_EQ(refusal({add_box("door")}, "there is an object of that name already"),
            Refusal::kInvalid);
  EXPECT_EQ(refusal({add_box("")}, "edit 0 (add): an object or a switch needs a name"),
            Refusal::kInvalid);
  EXPECT_EQ(refusal({add_box(std::string(257, 'a'))}, "256 are allowed"), Refusal::kInvalid);
  SceneEdit like = edit_of(SceneVerb::kReplace, "door");
  like.like = "window";
  EXPECT_EQ(refusal({like}, "there is no object \"window\""), Refusal::kInvalid);
  SceneEdit far = edit_of(SceneVerb::kPlace, "door");
  far.at.translation = {2e6, 0, 0};
  EXPECT_EQ(refusal({far}, "1e6 m"), Refusal::kInvalid);
  far.verb = SceneVerb::kMove;
  EXPECT_EQ(refusal({far}, "1e6 m"), Refusal::kInvalid);
  SceneEdit bent = edit_of(SceneVerb::kDeform, "door");
  bent.vertices = {{0, 0, 0}};
  EXPECT_EQ(refusal({bent}, "edit 0 (deform \"door\")"), Refusal::kInvalid);
  bent.vertices.clear();
  EXPECT_EQ(refusal({bent}, "edit 0 (deform \"door\")"), Refusal::kInvalid);
  bent.to = ShapePlacement{{}, {}, {-1, 1, 1}};
  EXPECT_EQ(refusal({bent}, "inside out"), Refusal::kInvalid);
  bent.to = ShapePlacement{{2e6, 0, 0}, {}, {1, 1, 1}};
  EXPECT_EQ(refusal({bent}, "1e6 m"), Refusal::kInvalid);
  SceneEdit choice = edit_of(SceneVerb::kChoose, "door");
  choice.parent = "lights";
  EXPECT_EQ(refusal({choice}, "there is no switch \"lights\""), Refusal::kInvalid);
  SceneEdit rule = edit_of(SceneVerb::kDeactivatePairs, {});
  rule.pattern = "no colon";
  EXPECT_EQ(refusal({rule}, "':'"), Refusal::kInvalid);
  SceneEdit pair = edit_of(SceneVerb::kActivatePair, "door");
  pair.other = "window";
  EXPECT_EQ(refusal({pair}, "there is no object \"window\""), Refusal::kInvalid);
  SceneEdit loaded = edit_of(SceneVerb::kAdd, "crate");
  loaded.loaded = "crates";
  EXPECT_EQ(refusal({loaded}, "there is no shape \"crates\""), Refusal::kNotFound);
  SceneEdit round = edit_of(SceneVerb::kAdd, "ball");
  round.shape = Shape::sphere({0, 0, 0}, 0.1).value();
  EXPECT_EQ(refusal({round}, "no rounding"), Refusal::kInvalid);
  EXPECT_EQ(hall().version, 0U);
}

TEST_F(UpdateRoom, LimitsAreNamed) {
  principal.limits.changes_per_second = 1e-4;  // one, and the next in three hours
  EXPECT_FALSE(update({add_box("a")}));
  EXPECT_EQ(refusal({add_box("c")}, "changes_per_second"), Refusal::kOverloaded);
  principal.limits.changes_per_second = 1e6;
  EXPECT_FALSE(update({add_box("b")}));
  std::vector<SceneEdit> many;
  for (int i = 0; i < 1025; ++i) {
    many.push_back(edit_of(SceneVerb::kAddSwitch, {}));
    many.back().parent = "switch " + std::to_string(i);
  }
  EXPECT_EQ(refusal(std::move(many), "more than 1024 switches"), Refusal::kOverloaded);
  MemoryBudget little(1);
  memory = &little;
  EXPECT_EQ(refusal({add_box("d")}, "--memory"), Refusal::kOverloaded);
  memory = nullptr;
  const auto stale = update({add_box("e")}, "hall", 1);
  ASSERT_TRUE(stale);
  EXPECT_EQ(stale->refusal, Refusal::kNotNow);
  EXPECT_NE(stale->message.find("version 2"), std::string::npos) << stale->message;
}

TEST_F(UpdateRoom, MeshesOfShapesThatAreLoaded) {
  RoomRequest request("crates");
  request.shape = true;
  ASSERT_TRUE(load(rooms, request, {"door.obj"}));
  SceneEdit edit = edit_of(SceneVerb::kAdd, "crate");
  edit.loaded = "crates";
  edit.at.translation = {0, 0, 5};
  ASSERT_FALSE(update({edit}));
  EXPECT_EQ(hall().triangles, 2U);
  EXPECT_EQ(hall().most, (Vec3{1, 2, 5}));
}

/// Each counts from where the one before has left it.
TEST_F(UpdateRoom, SeveralEditsOfOneObject) {
  ASSERT_FALSE(update({add_box("crate"), edit_of(SceneVerb::kRemove, "door")}));
  SceneEdit wide = edit_of(SceneVerb::kDeform, "crate");
  wide.to = ShapePlacement{{5, 0, 0}, {}, {2, 1, 1}};
  SceneEdit corners = edit_of(SceneVerb::kDeform, "crate");
  const Shape box = Shape::box({0.5, 0.25, 0.5}).value();
  for (const Vec3& p : box.corners()) {
    corners.vertices.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  ASSERT_FALSE(update({wide, corners}));
  EXPECT_EQ(hall().least, (Vec3{4, -0.25, -0.5}));
  EXPECT_EQ(hall().most, (Vec3{6, 0.25, 0.5}));
  SceneEdit moved = edit_of(SceneVerb::kMove, "crate");
  moved.at.translation = {0, 1, 0};
  wide.to->translation = {9, 0, 0};
  wide.to->scale = {4, 1, 1};
  ASSERT_FALSE(update({wide, moved}));
  EXPECT_EQ(hall().least, (Vec3{-2, 0.75, -0.5}));
  SceneEdit placed = edit_of(SceneVerb::kPlace, "crate");
  ASSERT_FALSE(update({wide, placed}));
  EXPECT_EQ(hall().most, (Vec3{0.5, 0.25, 0.5}));
  SceneEdit replaced = edit_of(SceneVerb::kReplace, "crate");
  replaced.shape = Shape::box({1, 1, 1}).value();
  ASSERT_FALSE(update({wide, replaced}));
  EXPECT_EQ(hall().least, (Vec3{5, -1, -1}));
  EXPECT_EQ(hall().most, (Vec3{13, 1, 1}));
}

TEST_F(UpdateRoom, ObjectsWithoutANameAreRefused) {
  const auto made = detect::SceneVersions::of(
      Environment::create({{"door", {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}},
                           {"", {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}}})
          .value(),
      {});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("object 1 of the room has no name"), std::string::npos)
      << made.error().message;
}

/// Those of a room are distinct; but a client can only name what is UTF-8.
TEST_F(UpdateRoom, ObjectsThatCannotBeToldApart) {
  const auto door = [](const std::string& name) {
    return ObjectMesh{name, {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}};
  };
  const auto made = detect::SceneVersions::of(
      Environment::create({door("door\xFE"), door("door\xFF")}).value(), {});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("of that name already"), std::string::npos)
      << made.error().message;
}

/// A change may come between the count of triangles, for which memory is taken, and the flat room.
TEST_F(UpdateRoom, AFlatRoomHasNoMoreTrianglesThanWereAskedFor) {
  const auto made = detect::SceneVersions::of(
      Environment::create({{"door", {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}}}).value(), {});
  ASSERT_TRUE(made);
  detect::SceneVersions& scene = **made;
  const std::uint64_t counted = scene.flat_triangles();
  EXPECT_EQ(counted, 1U);
  SceneEdit crate{.verb = SceneVerb::kAdd, .object = "crate"};
  crate.shape = Shape::box({1, 1, 1}).value();
  ASSERT_TRUE(scene.apply({crate}));
  const auto late = scene.flat(counted);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kResource);
  EXPECT_EQ(late.error().message, "the room has 13 triangles now, more than 1");
  const auto flat = scene.flat(scene.flat_triangles());
  ASSERT_TRUE(flat) << flat.error().message;
  EXPECT_EQ(flat->version, 1U);
  EXPECT_EQ(flat->numbers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(flat->room.triangles().size(), 13U);
  EXPECT_EQ(flat->room.objects()[1].name, "crate");
}

}  // namespace
}  // namespace tocsin::service::update_room_test
