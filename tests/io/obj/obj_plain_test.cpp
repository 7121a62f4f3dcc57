// The fast way through an OBJ file gives the bits of the slow one, and takes only what it
// understands.
#include "io/obj/obj_plain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <random>
#include <string>
#include <vector>

#include "io/obj/obj.h"

namespace tocsin::io::obj_plain_test {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(ObjPlain, DecimalsAreThoseOfFromChars) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200'000; ++i) {
    // Up to 15 digits, the point anywhere.
    const auto length = static_cast<std::size_t>(1 + random() % 15);
    std::string text;
    while (text.size() < length) text += static_cast<char>('0' + random() % 10);
    const std::size_t point = random() % (length + 2);
    if (point <= length) text.insert(point, ".");
    if (random() % 2 == 0) text.insert(0, "-");
    double expected = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(end, text.data() + text.size()) << text;
    Vec3 p;
    ASSERT_EQ(read_plain_vertex(" 1 " + text + " 2\n", p), text.size() + 5) << text;
    ASSERT_EQ(bits(p.y), bits(expected)) << text;
  }
}

TEST(ObjPlain, WhatIsUnusualIsLeftToTheSlowWay) {
  Vec3 p;
  for (const char* text : {"",
                           " ",
                           " 1 2",
                           " 1 2 3 4",
                           " 1 2 3 # no",
                           " 1 2 x",
                           " 1e3 2 3",
                           " +1 2 3",
                           " . 2 3",
                           " - 2 3",
                           " 1 2 3\\\n",
                           " 1\t2 3",
                           " 1 2 3\t",
                           " 1234567890123456 2 3",
                           "1 2 3",
                           " 1,5 2 3",
                           " nan 2 3",
                           " --1 2 3",
                           " 1.2.3 2 3",
                           " 0x1 2 3",
                           " 99999999999999999999999 2 3"}) {
    EXPECT_EQ(read_plain_vertex(text, p), 0U) << text;
  }
  std::vector<TriangleIndices> triangles{{7, 7, 7}};
  for (const char* text :
       {"", " ", " 1 2", " 1 2 0", " 1 2 10", " 1 2 -1", " 1 2 3 x", " 1 2 3 # no", " 1 2 3/",
        " 1 2 3/x", " 1 2 3//", " 1 2 3/1/2/3", " 1 2 3/-1", " 1 2 3\\\n", " 1\t2 3",
        " 1 2 99999999999999999999", " 1 2 3.0", " 1 2 +3", " 1 2 3 4 0"}) {
    const std::size_t length = read_plain_face(text, 9, triangles);
    // A slash with nothing behind it is what some programs write: both ways take it.
    EXPECT_EQ(length, std::string_view(text).ends_with('/') ? std::string_view(text).size() : 0U)
        << text;
    if (length > 0) triangles.resize(1);
    EXPECT_EQ(triangles.size(), 1U) << text;
  }
}

TEST(ObjPlain, FacesAreFanned) {
  std::vector<TriangleIndices> triangles;
  EXPECT_EQ(read_plain_face("  3 2/1  1//7 4/5/6 \r\nv", 4, triangles), 20U);
  EXPECT_EQ(read_plain_face(" 1 1 1", 4, triangles), 6U);
  EXPECT_EQ(triangles, (std::vector<TriangleIndices>{{2, 1, 0}, {2, 0, 3}, {0, 0, 0}}));
}

TEST(ObjPlain, BothWaysReadTheSameFile) {
  // A tab at the end of a line sends it the slow way.
  std::mt19937 random(3);
  std::string plain;
  std::string slow;
  const auto line = [&](const std::string& text) {
    plain += text + "\n";
    slow += text + "\t\n";
  };
  for (int i = 0; i < 3000; ++i) {
    const auto number = [&] { return static_cast<int>(random() % 2'000'001) - 1'000'000; };
    line(fmt::format("v {}.{:06} {:.3f} {}", number() / 10, random() % 1'000'000, 1e-3 * number(),
                     number()));
    const auto any = [&] { return 1 + random() % (static_cast<unsigned>(i) + 1); };
    line(fmt::format("f {} {}/{} {}//{} {}", any(), any(), any(), any(), any(), any()));
  }
  for (const EnvironmentOptions& options :
       {EnvironmentOptions{}, EnvironmentOptions{0.0254, UpAxis::kZ}}) {
    const auto a = parse_obj(plain, "r.obj", options);
    const auto b = parse_obj(slow, "r.obj", options);
    ASSERT_TRUE(a.ok()) << a.error().message;
    ASSERT_TRUE(b.ok()) << b.error().message;
    ASSERT_EQ(a->vertices().size(), b->vertices().size());
    for (std::size_t i = 0; i < a->vertices().size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(a->vertices()[i].x),
                std::bit_cast<std::uint32_t>(b->vertices()[i].x));
      ASSERT_EQ(a->vertices()[i], b->vertices()[i]);
    }
    ASSERT_TRUE(std::equal(a->triangles().begin(), a->triangles().end(), b->triangles().begin(),
                           b->triangles().end()));
  }
}

}  // namespace
}  // namespace tocsin::io::obj_plain_test
