// Shapes of links: there and back to the bit, every kind as Shape makes it, and what is refused.
#include "wire/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "wire/dump.h"
#include "wire/random_values.h"
#include "wire/through_wire.h"
#include "wire/values.h"

namespace tocsin::test::shapes_test {
namespace {

std::string dump_shape(const Shape& shape) {
  std::string out = dump(shape.radius());
  for (const Vec3& p : shape.corners()) out += dump(p);
  for (const auto& [i, j, k] : shape.features()) out += fmt::format("{} {} {}; ", i, j, k);
  return out;
}

/// n triangles of one strip.
v1::Shape strip(int n) {
  v1::Shape out;
  for (int i = 0; i < n + 2; ++i) {
    for (const double x : {0.1 * i, i % 2 == 0 ? 0.0 : 1.0, 0.0}) {
      out.mutable_mesh()->add_corners(x);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      out.mutable_mesh()->add_triangles(static_cast<std::uint32_t>(i + k));
    }
  }
  return out;
}

v1::Open opening(const v1::Shape& shape) {
  v1::Open out;
  out.mutable_skeleton()->add_joints()->set_parent(-1);
  v1::Link& link = *out.mutable_inline_model()->add_links();
  link.set_name("blade");
  *link.mutable_shape() = shape;
  return out;
}

TEST(WireShapes, ComeBackToTheBit) {
  RandomValues random(11);
  const auto shift = [&] { return random.share(); };
  const std::vector<Shape> base{
      *Shape::box({0.1, 0.2, 0.3}),
      *Shape::box({0.1, 0.2, 0.3}, 0.01),
      *Shape::cylinder(0.1, 0.4, 0.001),
      *Shape::cone(0.1, 0.4, 0.001, 0.02),
      *Shape::sphere({0.1, -0.2, 0.3}, 0.25),
      *Shape::capsule({0, 0.1, 0}, {0.3, 0, 0}, 0.05),
      *Shape::convex(
          std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.2}}),
      *Shape::mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 1}}, 0.125),
  };
  for (const Shape& plain : base) {
    for (int i = 0; i < 20; ++i) {
      ShapePlacement at;
      at.translation = {shift(), shift(), shift()};
      at.rotation = random.rotation();
      const Shape shape = *plain.placed(at);
      v1::Shape message;
      wire::to_wire(shape, message);
      wire::ShapeReader reader;
      const auto back = reader.read(sent(message));
      ASSERT_TRUE(back.ok()) << back.error().message;
      EXPECT_EQ(dump_shape(*back), dump_shape(shape));
    }
  }
}

TEST(WireShapes, EveryKindIsThatOfShape) {
  struct Case {
    std::function<void(v1::Shape&)> ask;
    Shape want;
  };
  const auto vector = [](v1::Vec3& out, double x, double y, double z) {
    out.set_x(x);
    out.set_y(y);
    out.set_z(z);
  };
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, 0.3, 0.1}};
  const std::vector<Case> cases{
      {[&](v1::Shape& s) { vector(*s.mutable_box(), 1, 2, 3); }, *Shape::box({1, 2, 3}, 0.5)},
      {[&](v1::Shape& s) {
         for (const Vec3& p : points) {
           for (const double x : {p.x, p.y, p.z}) s.mutable_convex()->add_corners(x);
         }
       },
       *Shape::convex(points, 0.5)},
      {[&](v1::Shape& s) {
         s.mutable_sphere()->set_radius(0.25);
         vector(*s.mutable_sphere()->mutable_center(), 1, 0, 2);
       },
       *Shape::sphere({1, 0, 2}, 0.75)},
      {[&](v1::Shape& s) {
         s.mutable_capsule()->set_radius(0.25);
         vector(*s.mutable_capsule()->mutable_a(), 1, 0, 2);
         vector(*s.mutable_capsule()->mutable_b(), 1, 3, 2);
       },
       *Shape::capsule({1, 0, 2}, {1, 3, 2}, 0.75)},
      {[&](v1::Shape& s) {
         s.mutable_cylinder()->set_radius(0.25);
         s.mutable_cylinder()->set_height(2.0);
         s.mutable_cylinder()->set_tolerance(0.01);
       },
       *Shape::cylinder(0.25, 2.0, 0.01, 0.5)},
      {[&](v1::Shape& s) {
         s.mutable_cone()->set_radius(0.25);
         s.mutable_cone()->set_height(2.0);
         s.mutable_cone()->set_tolerance(0.01);
       },
       *Shape::cone(0.25, 2.0, 0.01, 0.5)},
  };
  for (const Case& c : cases) {
    v1::Shape message;
    c.ask(message);
    message.set_radius(0.5);
    auto open = opening(message);
    auto read = wire::from_wire(sent(open));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(dump_shape(read->model->links[0].shape), dump_shape(c.want));
    // Placed: scaled, then turned, then moved.
    vector(*message.mutable_scale(), 1, -1, 1);
    message.mutable_rotation()->set_w(0.6);
    message.mutable_rotation()->set_x(0.8);
    vector(*message.mutable_translation(), 0.1, 0.2, 0.3);
    read = wire::from_wire(sent(opening(message)));
    ASSERT_TRUE(read.ok()) << read.error().message;
    const ShapePlacement at{{0.1, 0.2, 0.3}, {0.6, 0.8, 0, 0}, {1, -1, 1}};
    EXPECT_EQ(dump_shape(read->model->links[0].shape), dump_shape(*c.want.placed(at)));
  }
}

TEST(WireShapes, WhatIsNoneIsRefusedWithItsCause) {
  using Change = std::function<void(v1::Shape&)>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Change, const char*>> cases{
      {[](v1::Shape& s) { s.clear_of(); }, "of no kind"},
      {[](v1::Shape& s) { s.mutable_mesh()->clear_triangles(); }, "at least one triangle"},
      {[](v1::Shape& s) { s.mutable_mesh()->set_triangles(2, 4); },
       "triangle 0 of a shape names corner 4"},
      {[](v1::Shape& s) { s.mutable_mesh()->add_triangles(0); },
       "triangles have three numbers each, but 7"},
      {[](v1::Shape& s) { s.mutable_mesh()->add_corners(0.0); },
       "corners have three numbers each, but 13"},
      {[&](v1::Shape& s) { s.mutable_mesh()->set_corners(4, nan); },
       "corner 1 of a shape must be finite"},
      {[](v1::Shape& s) { s.mutable_mesh()->set_corners(4, 2e6); }, "within 1e6 m"},
      {[](v1::Shape& s) { s.set_radius(-0.1); }, "radius must be 0 or more"},
      {[&](v1::Shape& s) { s.set_radius(nan); }, "radius must be 0 or more"},
      {[](v1::Shape& s) { s.mutable_scale()->set_x(1.0); }, "scale must not be 0"},
      {[&](v1::Shape& s) { s.mutable_translation()->set_x(nan); }, "must be finite"},
      {[](v1::Shape& s) { s.mutable_rotation()->set_w(0.9); }, "a quaternion of length 1"},
      {[](v1::Shape& s) { s.mutable_rotation(); }, "a quaternion of length 1"},
      {[](v1::Shape& s) { s.mutable_box()->set_x(1.0); }, "must be above 0"},
      {[](v1::Shape& s) { s.mutable_convex()->add_triangles(1); }, "corners and no triangles"},
      {[](v1::Shape& s) { s.mutable_convex(); }, "shape"},
      {[](v1::Shape& s) { s.mutable_sphere()->set_radius(1e-9); }, "at least 1e-06 m"},
      {[](v1::Shape& s) { s.mutable_cylinder()->set_radius(1.0); }, "height"},
      {[](v1::Shape& s) { s.set_loaded_mesh(""); }, "its name is empty"},
      {[](v1::Shape& s) { s.set_loaded_mesh("a\nb"); }, "its name"},
  };
  for (const auto& [change, phrase] : cases) {
    v1::Shape shape = strip(2);
    change(shape);
    const auto read = wire::from_wire(opening(shape));  // not all of them can be sent
    expect_refused(read, phrase, phrase);
    if (read.ok()) continue;
    EXPECT_NE(read.error().message.find("link 0 (\"blade\"): its shape: "), std::string::npos)
        << read.error().message;
  }
  v1::Open both = opening(strip(2));
  both.mutable_inline_model()->mutable_links(0)->set_radius(0.1);
  expect_refused(wire::from_wire(sent(both)), "both a shape and ends", "both");
}

TEST(WireShapes, TrianglesOfOneMessageAreCounted) {
  constexpr int kMost = wire::kMostInlineTriangles;
  v1::Open open = opening(strip(kMost - 12));
  v1::Shape box;
  box.mutable_box()->set_x(1.0);
  box.mutable_box()->set_y(1.0);
  box.mutable_box()->set_z(1.0);
  v1::Link& second = *open.mutable_inline_model()->add_links();
  second.set_name("box");
  *second.mutable_shape() = box;
  EXPECT_TRUE(wire::from_wire(open).ok());
  EXPECT_EQ(wire::inline_triangles(open.inline_model()), static_cast<std::uint64_t>(kMost));
  *open.mutable_inline_model()->mutable_links(0)->mutable_shape() = strip(kMost - 11);
  const auto refused = wire::from_wire(open);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kResource);
  EXPECT_NE(refused.error().message.find("at most 16384 triangles together"), std::string::npos)
      << refused.error().message;
  // A few bytes that ask for many triangles, again and again.
  v1::Shape round;
  round.mutable_cylinder()->set_radius(1.0);
  round.mutable_cylinder()->set_height(1.0);
  round.mutable_cylinder()->set_tolerance(3e-7);
  v1::Open many = opening(round);
  for (int i = 0; i < 1000; ++i) {
    v1::Link& more = *many.mutable_inline_model()->add_links();
    more = many.inline_model().links(0);
  }
  EXPECT_GE(wire::inline_triangles(many.inline_model()), static_cast<std::uint64_t>(kMost));
  EXPECT_EQ(wire::from_wire(many).error().code, ErrorCode::kResource);
}

TEST(WireShapes, ThoseOfTheServerAreNamed) {
  TrackOptions options;
  options.skeleton = Skeleton::create({{"root", -1, {}}}).value();
  options.model.emplace();
  options.model->links.resize(2);
  options.model->links[0].shape = *Shape::box({1, 1, 1});
  LoadedShape& asked = options.shapes.emplace_back();
  asked.link = 1;
  asked.name = "studio/sword";
  asked.convex = true;
  asked.radius = 0.25;
  for (const bool placed : {false, true}) {
    if (placed) asked.at = ShapePlacement{{0, 1, 2}, {0.6, 0.8, 0, 0}, {-1, 2, 3}};
    v1::Open message;
    wire::to_wire(options, message);
    const auto back = wire::from_wire(sent(message));
    ASSERT_TRUE(back.ok()) << back.error().message;
    ASSERT_EQ(back->shapes.size(), 1U);
    const LoadedShape& got = back->shapes[0];
    EXPECT_EQ(got.link, 1U);
    EXPECT_EQ(got.name, "studio/sword");
    EXPECT_TRUE(got.convex);
    EXPECT_EQ(got.radius, 0.25);
    ASSERT_EQ(got.at.has_value(), placed);
    if (!placed) continue;
    EXPECT_EQ(dump(got.at->scale), dump(asked.at->scale));
    EXPECT_EQ(got.at->rotation.x, 0.8);
    EXPECT_EQ(dump(got.at->translation), dump(asked.at->translation));
  }
}

}  // namespace
}  // namespace tocsin::test::shapes_test
