// The chosen camera sees what matters, and has all of it in the picture.
#include "view/choose_camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/vector/vec.h"
#include "view/rooms.h"

namespace tocsin::view::choose_camera_test {
namespace {

/// A body of one upright link at the origin; its side x = 0.1 touches something half-way up.
Subject pole() {
  Subject out;
  out.body = {{{0, 0.1, 0}, {0, 1.7, 0}, 0.1}};
  out.focus = Focus{{0.1, 0.9, 0}, Vec3{-1, 0, 0}, 0, {0.3, 0, 0}};
  return out;
}

CameraWish wish() {
  CameraWish out;
  out.width = 320;
  out.height = 200;
  return out;
}

void expect_in_picture(const View& view, const Subject& subject) {
  for (const PosedLink& link : subject.body) {
    for (const Vec3& end : {link.a, link.b}) {
      const auto seen = view.camera.project(end);
      ASSERT_TRUE(seen.has_value());
      EXPECT_GT(seen->x, 0.0);
      EXPECT_LT(seen->x, view.camera.width);
      EXPECT_GT(seen->y, 0.0);
      EXPECT_LT(seen->y, view.camera.height);
    }
  }
}

TEST(ChooseCamera, SeesAContactThatFurnitureHidesFromMostSides) {
  // Screens on three sides, higher than any camera stands; only towards -z it is open.
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9}),
                                          test::box("Right", {0.1F, 0, -1}, {0.2F, 9, 1}),
                                          test::box("Left", {-1, 0, -1}, {-0.9F, 9, 1}),
                                          test::box("Back", {-1, 0, 0.6F}, {1, 9, 0.7F})});
  CameraWish uncut = wish();
  uncut.cut = false;
  const Sight sight(room);
  const auto view = choose_camera(pole(), room, sight, uncut);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_LT(view->camera.eye.z, 0.0);
  EXPECT_GT(view->focus_seen, 0.4);
  EXPECT_TRUE(view->cut.empty());
  expect_in_picture(*view, pole());
  // By hand: nothing lies between the eye and a point just off the contact.
  EXPECT_FALSE(sight.first_hit(view->camera.eye, {0.08, 0.9, -0.03}).has_value());
}

TEST(ChooseCamera, LooksIntoAClosedRoomByOpeningIt) {
  // No camera that has all of the body in view fits into this box.
  const Environment room = test::room_of({test::box("Room", {-0.8F, 0, -0.8F}, {0.8F, 2, 0.8F}),
                                          test::box("Lamp", {3, 0, 3}, {4, 1, 4})});
  const Sight sight(room);
  const auto view = choose_camera(pole(), room, sight, wish());
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->cut, std::vector<std::uint32_t>{0});
  EXPECT_GT(view->focus_seen, 0.3);
  EXPECT_GT(view->cut_depth, 0.0);
  // What is opened ends in front of everything shown.
  for (const Vec3& p : {pole().body[0].a, pole().body[0].b, pole().focus->point}) {
    EXPECT_GT(core::dot(p - view->camera.eye, view->camera.forward()), view->cut_depth);
  }
  CameraWish uncut = wish();
  uncut.cut = false;
  const auto closed = choose_camera(pole(), room, sight, uncut);
  EXPECT_TRUE(closed->cut.empty());
  EXPECT_EQ(closed->focus_seen, 0.0);
}

TEST(ChooseCamera, WhatIsGivenIsKept) {
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9})});
  const Sight sight(room);
  CameraWish given = wish();
  given.eye = Vec3{1, 2, 3};
  given.target = Vec3{0, 1, 0};
  given.fov_degrees = 55.0;
  const auto view = choose_camera(pole(), room, sight, given);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->camera.eye, *given.eye);
  EXPECT_EQ(view->camera.target, *given.target);
  EXPECT_EQ(view->camera.fov_degrees, 55.0);
  given.eye = given.target;
  EXPECT_EQ(choose_camera(pole(), room, sight, given).error().code, ErrorCode::kUsage);
}

TEST(ChooseCamera, ZoomGoesNearerToTheContact) {
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9})});
  const Sight sight(room);
  CameraWish near = wish();
  near.zoom = 3.0;
  const auto far_view = choose_camera(pole(), room, sight, wish());
  const auto near_view = choose_camera(pole(), room, sight, near);
  const Vec3 contact = pole().focus->point;
  const double far = core::norm(far_view->camera.eye - contact);
  EXPECT_LT(core::norm(near_view->camera.eye - contact), 0.5 * far);
  EXPECT_TRUE(near_view->camera.project(contact).has_value());
}

/// A body of two links that touches something at its foot, at its head or between.
Subject with_head(double contact_height) {
  Subject out;
  out.body = {{{0, 0.1, 0}, {0, 1.4, 0}, 0.1}, {{0, 1.5, 0}, {0, 1.65, 0}, 0.12}};
  out.heads = {out.body[1]};
  out.focus = Focus{{0.1, contact_height, 0}, Vec3{-1, 0, 0}, 0, {0.3, 0, 0}};
  return out;
}

TEST(ChooseCamera, TheEdgeCutsNoHead) {
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9})});
  const Sight sight(room);
  int whole = 0;
  int outside = 0;
  for (const double height : {0.1, 0.5, 0.9, 1.2, 1.5}) {
    for (const double zoom : {1.0, 1.15, 1.5, 2.0, 3.0, 5.0}) {
      const Subject subject = with_head(height);
      CameraWish near = wish();
      near.zoom = zoom;
      const auto view = choose_camera(subject, room, sight, near);
      ASSERT_TRUE(view);
      EXPECT_FALSE(view->cuts_head);
      // By hand, and not by cut_by_edge(): points of the head's skin are all in or all out.
      int in = 0;
      int out = 0;
      for (int i = 0; i < 64; ++i) {
        const double a = 0.1 * i;
        const Vec3 side = std::cos(a) * view->camera.right() + std::sin(a) * view->camera.up();
        for (const Vec3& end : {subject.heads[0].a, subject.heads[0].b}) {
          const auto seen = view->camera.project(end + 0.12 * side);
          ASSERT_TRUE(seen);
          const bool inside = seen->x >= 0 && seen->x <= 320 && seen->y >= 0 && seen->y <= 200;
          ++(inside ? in : out);
        }
      }
      EXPECT_TRUE(in == 0 || out == 0) << height << ' ' << zoom << ": " << in << ", " << out;
      ++(in > 0 ? whole : outside);
      const auto contact = view->camera.project(subject.focus->point);
      ASSERT_TRUE(contact);
      EXPECT_TRUE(contact->x > 0 && contact->x < 320 && contact->y > 0 && contact->y < 200);
    }
  }
  EXPECT_GE(whole, 15);
  EXPECT_GE(outside, 3);
}

TEST(ChooseCamera, AGivenEyeLooksUpToTheHead) {
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9})});
  const Sight sight(room);
  CameraWish given = wish();
  given.eye = Vec3{0, 1, 1.9};
  const auto view = choose_camera(with_head(0.9), room, sight, given);
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->cuts_head);
  EXPECT_GT(view->camera.target.y, 0.9);
  given.target = Vec3{0, 0.9, 0};
  EXPECT_TRUE(choose_camera(with_head(0.9), room, sight, given)->cuts_head);
}

TEST(ChooseCamera, WithoutAContactTheBodyIsShown) {
  const Environment room = test::room_of({test::box("Floor", {-9, -0.1F, -9}, {9, 0, 9})});
  Subject still = pole();
  still.focus.reset();
  const auto view = choose_camera(still, room, Sight(room), wish());
  ASSERT_TRUE(view);
  EXPECT_EQ(view->focus_seen, 1.0);
  expect_in_picture(*view, still);
}

}  // namespace
}  // namespace tocsin::view::choose_camera_test
