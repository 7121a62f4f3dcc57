// Whole pictures on an OpenGL device: what they must show, pixel by pixel where that can be said.
#include "view/picture.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/vector/vec.h"
#include "gpu/gl/gl_test.h"
#include "tocsin/detector.h"
#include "view/colours.h"
#include "view/renderer.h"
#include "view/rooms.h"

namespace tocsin::view::picture_test {
namespace {

using test::box;
using test::room_of;

/// An upright pole of one link that moves along +x from 0 to `reach` in one step.
struct Pole {
  Motion motion;
  Avatar avatar;
  Step step;

  explicit Pole(double reach) {
    auto skeleton = Skeleton::create({{"Root", -1, {}}});
    const std::vector<Transform> poses{{{}, {0, 0.3, 0}}, {{}, {reach, 0.3, 0}}};
    motion = Motion::create(*skeleton, 0.1, poses).value();
    avatar = Avatar::create("pole", *skeleton, {{"pole", 0, {0, 0, 0}, {0, 1, 0}, 0.1}}).value();
    step = motion.steps().value().front();
  }
  [[nodiscard]] Actor actor(const StepReport& report) const { return {avatar, step, report, {}}; }
};

/// A floor well below, a screen at x = 1 and something that stands apart.
Environment room() {
  return room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3}),
                  box("Screen", {1, 0.2F, -0.5F}, {1.05F, 1.5F, 0.5F}),
                  box("Crate", {-1.5F, 0, -1.5F}, {-1, 0.6F, -1})});
}

CameraWish wish(int width, int height) {
  CameraWish out;
  out.width = width;
  out.height = height;
  return out;
}

// A link that is proved to touch is not painted as one that may.
TEST(StepScenes, PaintLinksInTheColourOfTheirKind) {
  const Pole pole(1.0);
  const Environment place = room();
  const auto colours = [&](std::initializer_list<ContactStatus> statuses) {
    StepReport report;
    for (const ContactStatus status : statuses) {
      Contact contact;
      contact.status = status;
      contact.touched = RoomTriangle{1, 0};
      report.contacts.push_back(contact);
    }
    const Actor actor = pole.actor(report);
    const Mesh bodies = StepScene({&actor, 1}, place, 0.0, {false, false, true, true}).bodies();
    std::set<std::uint32_t> out;
    for (const Vertex& vertex : bodies.vertices) out.insert(vertex.colour);
    return out;
  };
  using Colours = std::set<std::uint32_t>;
  constexpr auto kHit = ContactStatus::kHit;
  constexpr auto kGraze = ContactStatus::kGraze;
  EXPECT_EQ(colours({}), Colours{packed(avatar_colour(0))});
  EXPECT_EQ(colours({kHit}), Colours{packed(kind_colour(kHit))});
  EXPECT_EQ(colours({kGraze}), Colours{packed(kind_colour(kGraze))});
  EXPECT_EQ(colours({kHit, kGraze}), Colours{packed(kind_colour(kHit))});
  EXPECT_EQ(colours({kGraze, kHit}), Colours{packed(kind_colour(kHit))});
}

class PictureTest : public test::GlTest {
 protected:
  /// Draws a step of the pole; `out` is left empty if that fails.
  Picture drawn(const Pole& pole, const Environment& place, const Show& show,
                const CameraWish& camera) {
    report_ = Detector::make(place)->check(pole.avatar, pole.step);
    EXPECT_FALSE(report_.error.has_value());
    const Actor actor = pole.actor(report_);
    const StepScene scene({&actor, 1}, place, 0.0, show);
    auto picture = draw_step(*device(), scene, Sight(place), camera, std::nullopt);
    EXPECT_TRUE(picture.ok()) << picture.error().message;
    return picture.value();
  }
  [[nodiscard]] const StepReport& report() const { return report_; }

 private:
  StepReport report_;
};

std::array<int, 3> pixel_at(const Picture& picture, const Vec3& point) {
  const auto seen = picture.view.camera.project(point);
  if (!seen || seen->x < 0 || seen->y < 0 || seen->x >= picture.image.width ||
      seen->y >= picture.image.height) {
    ADD_FAILURE() << "the point is not in the picture";
    return {};
  }
  const std::size_t at = picture.image.offset(static_cast<int>(seen->x), static_cast<int>(seen->y));
  return {picture.image.rgb[at], picture.image.rgb[at + 1], picture.image.rgb[at + 2]};
}

std::array<int, 3> bytes_of(const Colour& c) {
  const auto byte = [](float v) { return static_cast<int>(v * 255.0F + 0.5F); };
  return {byte(c.r), byte(c.g), byte(c.b)};
}

bool alike(const std::array<int, 3>& p, const std::array<int, 3>& q, int tolerance = 3) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(p.at(i) - q.at(i)) > tolerance) return false;
  }
  return true;
}

int pixels_like(const Image& image, const Colour& colour) {
  int found = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    found += alike({image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]}, bytes_of(colour)) ? 1 : 0;
  }
  return found;
}

std::size_t colours_in(const Image& image) {
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    const std::uint32_t green = image.rgb[i + 1];
    const std::uint32_t blue = image.rgb[i + 2];
    seen.insert(image.rgb[i] | green << 8U | blue << 16U);
  }
  return seen.size();
}

TEST_F(PictureTest, TheContactIsInThePictureAndMarked) {
  const Pole pole(1.8);
  const Picture picture = drawn(pole, room(), {}, wish(240, 160));
  ASSERT_EQ(report().contacts.size(), 1U);
  EXPECT_EQ(picture.image.width, 240);
  EXPECT_EQ(picture.image.height, 160);
  const Vec3 contact = report().contacts[0].point;
  EXPECT_NEAR(contact.x, 1.0, 1e-6);
  EXPECT_TRUE(alike(pixel_at(picture, contact), bytes_of(kContactColour)));
  EXPECT_GT(picture.view.focus_seen, 0.4);
  EXPECT_GT(colours_in(picture.image), 500U);
}

TEST_F(PictureTest, WithoutMarksThereIsNoneOfTheirColour) {
  const Pole pole(1.8);
  const Show unmarked{true, true, true, false};
  const Picture picture = drawn(pole, room(), unmarked, wish(240, 160));
  EXPECT_EQ(pixels_like(picture.image, kContactColour), 0);
  EXPECT_FALSE(
      alike(pixel_at(picture, report().contacts.at(0).point), bytes_of(kContactColour), 40));
}

TEST_F(PictureTest, AStepWithoutContactShowsTheAvatar) {
  const Pole pole(0.5);
  const Picture picture = drawn(pole, room(), {}, wish(240, 160));
  EXPECT_TRUE(report().contacts.empty());
  EXPECT_EQ(pixels_like(picture.image, kContactColour), 0);
  // The avatar stands at the end of its free way, in its own colour: more red than blue by far.
  const auto seen = pixel_at(picture, {0.5, 0.8, 0});
  EXPECT_GT(seen[0], seen[2] + 60);
}

TEST_F(PictureTest, SweptSurfacesHaveTheColourOfTheirTime) {
  const Pole pole(0.9);
  CameraWish across = wish(320, 200);
  across.eye = Vec3{0.45, 0.8, 4.0};
  across.target = Vec3{0.45, 0.8, 0.0};
  const Picture picture = drawn(pole, room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3})}),
                                {true, true, false, false}, across);
  const auto early = pixel_at(picture, {0.02, 0.8, 0.1});
  const auto late = pixel_at(picture, {0.88, 0.8, 0.1});
  EXPECT_GT(early[2], early[1]);     // violet
  EXPECT_GT(late[1], late[2] + 40);  // yellow
  EXPECT_GT(late[0], early[0] + 30);
}

TEST_F(PictureTest, TheStoppedBodyIsNotVeiledByItsSweep) {
  const Pole pole(1.8);
  CameraWish across = wish(640, 400);
  across.eye = Vec3{0.9, 0.8, 4.0};
  across.target = Vec3{0.9, 0.8, 0.0};
  const Picture picture = drawn(pole, room(), {}, across);
  ASSERT_EQ(report().contacts.size(), 1U);
  // The pole stops at x = 0.9, tangent to its sweep along the line that faces the eye: about there
  // it has the colour of links that touch, next to that line as on it.
  std::array<int, 2> reds{255, 0};
  for (int i = -6; i <= 6; ++i) {
    const auto seen = pixel_at(picture, {0.9 + 0.01 * i, 0.8, 0.08});
    EXPECT_GT(seen[0], seen[2] + 60) << i;
    reds = {std::min(reds[0], seen[0]), std::max(reds[1], seen[0])};
  }
  EXPECT_LT(reds[1] - reds[0], 60);
}

TEST_F(PictureTest, TheRoomAlone) {
  const Pole pole(0.5);
  const Show nothing{false, false, false, false};
  CameraWish camera = wish(200, 150);
  camera.eye = Vec3{0, 3, 5};
  camera.target = Vec3{0, 0, 0};
  const Picture empty = drawn(pole, room(), nothing, camera);
  EXPECT_GT(colours_in(empty.image), 50U);
  const Picture peopled = drawn(pole, room(), {}, camera);
  EXPECT_NE(empty.image.rgb, peopled.image.rgb);
  // The sky is as light as the paper of legends; the floor, in the middle, is not.
  EXPECT_FALSE(alike(pixel_at(empty, {0, 0, 0.8}), bytes_of(kPaperColour), 4));
}

TEST_F(PictureTest, GroundIsDrawnWhereThereIsNoFloor) {
  const Pole pole(0.5);
  CameraWish camera = wish(200, 150);
  camera.eye = Vec3{0, 1.5, 5};
  camera.target = Vec3{0, 0.5, 0};
  const Environment far_away = room_of({box("Crate", {-40, 0, -40}, {-39, 1, -39})});
  const Picture picture = drawn(pole, far_away, {}, camera);
  const auto ground = pixel_at(picture, {1.2, 0.0, 1.2});
  const auto sky = pixel_at(picture, {1.2, 1.9, 0.0});
  EXPECT_LT(ground[0] + ground[1] + ground[2] + 60, sky[0] + sky[1] + sky[2]);
}

TEST_F(PictureTest, WhatStandsInFrontIsOpened) {
  const Pole pole(0.5);
  CameraWish camera = wish(160, 120);
  camera.eye = Vec3{0, 1, 5};
  camera.target = Vec3{0, 0.8, 0};
  const Environment hidden =
      room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3}), box("Wall", {-3, 0, 1.9F}, {3, 2.5F, 2}),
               box("Crate", {-1.5F, 0, -1.5F}, {-1, 0.6F, -1})});
  const Picture open = drawn(pole, hidden, {}, camera);
  EXPECT_EQ(open.view.cut, std::vector<std::uint32_t>{1});
  const auto seen = pixel_at(open, {0.5, 0.8, 0});
  EXPECT_GT(seen[0], seen[2] + 60);
  camera.cut = false;  // nor does the body shine through
  const auto shut = pixel_at(drawn(pole, hidden, {}, camera), {0.5, 0.8, 0});
  EXPECT_LT(shut[0], shut[2] + 40);
}

/// More red than blue, as the avatar is and the room is not.
int redness(const std::array<int, 3>& pixel) { return pixel[0] - pixel[2]; }

TEST_F(PictureTest, ABodyInsideFurnitureShinesThrough) {
  // The pole stands at x = 0 in a box; the camera sees the box from outside.
  const Pole pole(0.0);
  const Environment furniture = room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3}),
                                         box("Sofa", {-0.3F, 0, -0.3F}, {0.3F, 1, 0.3F}),
                                         box("Crate", {-1.5F, 0, -1.5F}, {-1, 0.6F, -1})});
  CameraWish camera = wish(320, 240);
  camera.eye = Vec3{0, 0.9, 4};
  camera.target = Vec3{0, 0.8, 0};
  const Show marked{true, true, true, false};
  // The box is too near to the body to be opened.
  const Picture inside = drawn(pole, furniture, marked, camera);
  camera.cut = false;
  const Picture opaque = drawn(pole, furniture, marked, camera);
  // In the box, half-way up: tinted, but less than the body itself above the box. Beside the body
  // the box has its own colour in both.
  const Vec3 hidden{0, 0.6, 0};
  const Vec3 visible{0, 1.2, 0};
  const Vec3 beside{0.2, 0.6, 0};
  EXPECT_GT(redness(pixel_at(inside, hidden)), redness(pixel_at(opaque, hidden)) + 20);
  EXPECT_LT(redness(pixel_at(inside, hidden)), redness(pixel_at(inside, visible)));
  EXPECT_TRUE(alike(pixel_at(inside, beside), pixel_at(opaque, beside)));
  EXPECT_TRUE(alike(pixel_at(inside, visible), pixel_at(opaque, visible)));
  // Its rim, 0.1 m from the axis, is stronger than its middle.
  int rim = 0;
  for (int i = 0; i < 10; ++i) {
    rim = std::max(rim, redness(pixel_at(inside, {0.088 + 0.002 * i, 0.6, 0})));
  }
  EXPECT_GT(rim, redness(pixel_at(inside, hidden)) + 15);
}

TEST_F(PictureTest, OfALargeTriangleOnlyTheTouchedPartIsTinted) {
  // The pole's lower end sinks into the floor at x = 0.5: two triangles of 18 m^2.
  auto skeleton = Skeleton::create({{"Root", -1, {}}});
  Pole pole(0.0);
  const std::vector<Transform> poses{{{}, {0.5, 0.3, 0}}, {{}, {0.5, 0.05, 0}}};
  pole.step = Motion::create(*skeleton, 0.1, poses).value().steps().value().front();
  CameraWish camera = wish(320, 240);
  camera.eye = Vec3{0.5, 2.5, 3};
  camera.target = Vec3{0.5, 0, 0};
  camera.cut = false;
  const Picture marked = drawn(pole, room(), {false, false, true, true}, camera);
  ASSERT_EQ(report().contacts.size(), 1U);
  const Picture plain = drawn(pole, room(), {false, false, true, false}, camera);
  const Vec3 point = report().contacts[0].point;
  EXPECT_NEAR(point.x, 0.5, 1e-6);
  const auto near = pixel_at(marked, point + Vec3{0.06, 0, 0.06});
  EXPECT_TRUE(alike(near, bytes_of(kTouchedColour), 30)) << near[0] << ' ' << near[1];
  for (const Vec3& far : {Vec3{0.3, 0, 0}, Vec3{-0.3, 0, 0}, Vec3{0, 0, 0.3}, Vec3{0.8, 0, 0.5}}) {
    EXPECT_TRUE(alike(pixel_at(marked, point + far), pixel_at(plain, point + far)));
  }
}

TEST_F(PictureTest, TwoAvatarsThatTouchAreBothShown) {
  // The first moves along +x from 0; the second stands at x = 1.2: their skins meet at x = 1.1.
  const Pole first(1.8);
  Pole second(0.0);
  auto skeleton = Skeleton::create({{"Root", -1, {}}});
  const std::vector<Transform> still{{{}, {1.2, 0.3, 0}}, {{}, {1.2, 0.3, 0}}};
  second.step = Motion::create(*skeleton, 0.1, still).value().steps().value().front();
  const Environment place = room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3})});
  const std::vector<Member> members{first.avatar, second.avatar};
  const std::vector<Step> steps{first.step, second.step};
  const auto reports = Detector::make(place)->check_batch(members, steps, {.meet = true});
  ASSERT_EQ(reports.at(0).contacts.size(), 1U);
  ASSERT_NE(reports[0].contacts[0].other(), nullptr);
  std::vector<Actor> actors{first.actor(reports[0]), second.actor(reports[1])};
  const auto drawn_with = [&](const Show& show) {
    const StepScene scene(actors, place, 0.0, show);
    EXPECT_NEAR(scene.stop_time(), 1.0 / 1.8, 1e-6);
    CameraWish across = wish(240, 160);
    across.eye = Vec3{1.1, 0.9, 4};
    across.target = Vec3{1.1, 0.8, 0};
    auto picture = draw_step(*device(), scene, Sight(place), across, std::nullopt);
    EXPECT_TRUE(picture.ok()) << picture.error().message;
    return picture.value();
  };
  // Both red where they touch; each in its own colour where contacts are not shown.
  const Picture touching = drawn_with({false, false, true, true});
  const Vec3 contact = reports[0].contacts[0].point;
  EXPECT_NEAR(contact.x, 1.1, 1e-6);
  EXPECT_TRUE(alike(pixel_at(touching, contact), bytes_of(kContactColour)));
  EXPECT_GT(redness(pixel_at(touching, {1.0, 1.1, 0})), 60);
  EXPECT_GT(redness(pixel_at(touching, {1.2, 1.1, 0})), 60);
  const Picture apart = drawn_with({false, false, true, false});
  EXPECT_GT(redness(pixel_at(apart, {1.0, 1.1, 0})), 60);
  EXPECT_LT(redness(pixel_at(apart, {1.2, 1.1, 0})), -30);
}

TEST_F(PictureTest, APictureAboutALaterContactStopsAtIt) {
  const Pole pole(1.8);
  const Environment place = room_of({box("Floor", {-3, -0.1F, -3}, {3, 0, 3}),
                                     box("Wire", {0.6F, 1.2F, -0.5F}, {0.61F, 1.21F, 0.5F}),
                                     box("Screen", {1, 0.2F, -0.5F}, {1.05F, 1.5F, 0.5F})});
  const StepReport answer = Detector::make(place)->check(pole.avatar, pole.step);
  ASSERT_EQ(answer.contacts.size(), 2U);
  const Actor actor = pole.actor(answer);
  EXPECT_NEAR(StepScene({&actor, 1}, place, 0.0, {}).stop_time(), 0.5 / 1.8, 1e-6);
  const StepScene later({&actor, 1}, place, 0.0, {}, Choice{0, 1});
  EXPECT_NEAR(later.stop_time(), 0.9 / 1.8, 1e-6);
  ASSERT_TRUE(later.subject().focus.has_value());
  EXPECT_NEAR(later.subject().focus->point.x, 1.0, 1e-6);
}

TEST_F(PictureTest, DrawnTwiceItIsTheSame) {
  const Pole pole(1.8);
  const Picture once = drawn(pole, room(), {}, wish(120, 80));
  const Picture again = drawn(pole, room(), {}, wish(120, 80));
  EXPECT_EQ(once.image.rgb, again.image.rgb);
}

TEST_F(PictureTest, TheLegendTakesTheLastRows) {
  const Pole pole(1.8);
  const Environment place = room();
  const StepReport answer = Detector::make(place)->check(pole.avatar, pole.step);
  const Actor actor = pole.actor(answer);
  const StepScene scene({&actor, 1}, place, 0.0, {});
  const LegendText text{"title", "state", {"0 s", "1 s"}, 0.5, {"contact"}};
  const auto picture = draw_step(*device(), scene, Sight(place), wish(480, 300), text);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->image.height, 300);
  EXPECT_EQ(picture->image.rgb.size(), 3U * 480U * 300U);
  EXPECT_EQ(picture->view.camera.height, 300 - legend_height(480, 300, 1));
  const std::size_t last = picture->image.offset(479, 299);
  EXPECT_TRUE(
      alike({picture->image.rgb[last], picture->image.rgb[last + 1], picture->image.rgb[last + 2]},
            bytes_of(kPaperColour)));
}

TEST_F(PictureTest, ALostContextIsSaid) {
  const Pole pole(1.8);
  const Environment place = room();
  const StepReport answer = Detector::make(place)->check(pole.avatar, pole.step);
  const Actor actor = pole.actor(answer);
  const StepScene scene({&actor, 1}, place, 0.0, {});
  device()->inject(gl::DeviceThread::Fault::kOutOfMemory, 0);
  EXPECT_EQ(draw_step(*device(), scene, Sight(place), wish(64, 48), std::nullopt).error().code,
            ErrorCode::kResource);
  device()->inject(gl::DeviceThread::Fault::kContextLost, 1);
  const auto lost = draw_step(*device(), scene, Sight(place), wish(64, 48), std::nullopt);
  EXPECT_EQ(lost.error().code, ErrorCode::kResource);
}

}  // namespace
}  // namespace tocsin::view::picture_test
