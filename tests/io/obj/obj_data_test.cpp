// The house of the test data, against what its README says and a naive reading.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text_file.h"
#include "io/obj/obj.h"
#include "support/data.h"
#include "support/places.h"

namespace tocsin::io::obj_data_test {
namespace {

constexpr const char* kHouse = "environments/small_house.obj";

class House : public testing::Test {
 protected:
  void SetUp() override {
    TOCSIN_NEEDS_DATA(kHouse);
    const Result<std::string> text = base::read_file(test::data_path(kHouse));
    ASSERT_TRUE(text.ok()) << text.error().message;
    room_ = parse_obj(*text, "small_house.obj");
    ASSERT_TRUE(room_.ok()) << room_.error().message;
  }

  Result<Environment> room_{Environment()};
};

TEST_F(House, IsAsItsReadmeSays) {
  EXPECT_EQ(room_->objects().size(), 87U);
  EXPECT_EQ(room_->vertices().size(), 83'867U);
  EXPECT_EQ(room_->triangles().size(), 156'080U);
  EXPECT_TRUE(room_->warnings().empty());
  const auto [low, high] = room_->bounds();
  EXPECT_EQ(low, (Vec3f{-9.5F, -0.001351F, -5.700004F}));
  EXPECT_EQ(high, (Vec3f{9.5F, 3.0F, 5.700004F}));
  std::size_t ball = 0;
  for (const Object& object : room_->objects()) ball += object.triangle_count == 5120 ? 1 : 0;
  EXPECT_EQ(ball, 2U);
}

TEST_F(House, HasTheTrianglesThatANaiveReaderFinds) {
  std::ifstream in(test::data_path(kHouse));
  std::vector<std::array<float, 3>> vertices;
  std::size_t object = 0;
  std::uint32_t triangle = 0;
  bool first = true;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "o") {
      words >> word;
      if (!first) ++object;
      first = false;
      ASSERT_EQ(room_->objects()[object].name, word);
      ASSERT_EQ(room_->objects()[object].first_triangle, triangle);
    } else if (word == "v") {
      std::array<double, 3> v{};
      words >> v[0] >> v[1] >> v[2];
      vertices.push_back(
          {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
    } else {
      for (const Vec3f& corner : room_->corners(triangle)) {
        std::size_t index = 0;
        words >> index;
        const auto& want = vertices.at(index - 1);
        ASSERT_EQ(corner, (Vec3f{want[0], want[1], want[2]})) << triangle;
      }
      ++triangle;
    }
  }
  EXPECT_EQ(triangle, room_->triangles().size());
}

TEST_F(House, KeepsTheFilesOrderOfVertices) {
  // Each object's vertices follow one another in this file, so nothing moves.
  const auto first = room_->vertices()[0];
  EXPECT_EQ(first, (Vec3f{-9.161518F, 2.084544F, -2.81123F}));
}

TEST(DemoRoom, IsRead) {
  const auto file = test::source_dir() + "/environments/music_room.obj";
  const Result<std::string> text = base::read_file(file);
  ASSERT_TRUE(text.ok()) << text.error().message;
  const Result<Environment> room = parse_obj(*text, file);
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_TRUE(room->warnings().empty());
}

}  // namespace
}  // namespace tocsin::io::obj_data_test
