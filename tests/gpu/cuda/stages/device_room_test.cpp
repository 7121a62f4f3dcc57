// A room on a device is the room: every array, and the numbers that the CPU's cullers go by.
#include "gpu/cuda/stages/device_room.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "cpu/tree/tree_rooms.h"
#include "scene/tree/may_touch.h"
#include "support/cuda_devices.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::cuda::device_room_test {
namespace {

class DeviceRoomTest : public test::OnCudaDevice {
 protected:
  template <class T>
  std::vector<T> from_device(const T* data, std::size_t count) {
    std::vector<T> out(count);
    device()->download(out.data(), data, count * sizeof(T));
    return out;
  }
  void expect_same(const DeviceRoom& room, const Environment& environment);
};
TOCSIN_ON_CUDA_DEVICES(DeviceRoomTest);

std::array<std::uint32_t, 6> bits_of(const core::Box& box) {
  return {std::bit_cast<std::uint32_t>(box.lo.x), std::bit_cast<std::uint32_t>(box.lo.y),
          std::bit_cast<std::uint32_t>(box.lo.z), std::bit_cast<std::uint32_t>(box.hi.x),
          std::bit_cast<std::uint32_t>(box.hi.y), std::bit_cast<std::uint32_t>(box.hi.z)};
}

void DeviceRoomTest::expect_same(const DeviceRoom& room, const Environment& environment) {
  const core::batch::RoomView& view = room.view();
  const auto vertices = from_device(view.vertices, environment.vertices().size());
  EXPECT_TRUE(std::equal(vertices.begin(), vertices.end(), environment.vertices().begin()));
  const std::size_t triangles = environment.triangles().size();
  const std::size_t objects = environment.objects().size();
  ASSERT_EQ(view.triangle_count, triangles);
  ASSERT_EQ(view.object_count, objects);
  const auto corners = from_device(view.corners, 3 * triangles);
  const auto object_of = from_device(view.object_of, triangles);
  for (std::uint32_t t = 0; t < triangles; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(corners[3 * t + c], environment.triangles()[t][c]);
    }
    EXPECT_EQ(object_of[t], environment.object_of(t));
  }
  const auto first = from_device(view.first_triangle, objects);
  const auto boxes = from_device(room.object_boxes(), objects);
  for (std::size_t o = 0; o < objects; ++o) {
    const Object& object = environment.objects()[o];
    EXPECT_EQ(first[o], object.first_triangle);
    core::Box box;
    for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
      box = core::join(box, test::box_of(environment, object.first_triangle + i));
    }
    EXPECT_EQ(boxes[o].lo, box.lo) << object.name;
    EXPECT_EQ(boxes[o].hi, box.hi) << object.name;
  }
  const auto tree = cpu::make_tree_culler(environment);
  EXPECT_EQ(bits_of(view.bounds), bits_of(tree->bounds()));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(view.farthest),
            std::bit_cast<std::uint64_t>(scene::farthest_coordinate(tree->bounds())));
}

Environment with_an_empty_object() {
  std::vector<ObjectMesh> meshes(3);
  for (std::size_t i = 0; i < meshes.size(); ++i) meshes[i].name = "object" + std::to_string(i);
  meshes[0].vertices = {{-0.0F, 0.0F, 1.0F}, {0.0F, -0.0F, -2.0F}, {-0.0F, 7.0F, 3.0F}};
  meshes[0].triangles = {{0, 1, 2}};
  meshes[2].vertices = {{0.0F, 1e6F, 0.0F}, {90.0F, 90.0F, 90.0F}};  // the last one is not used
  meshes[2].triangles = {{0, 0, 0}, {0, 0, 0}};
  return Environment::create(std::move(meshes)).value();
}

TEST_P(DeviceRoomTest, HasWhatTheEnvironmentHas) {
  test::RandomLinks random(811);
  for (const Environment& environment :
       {Environment(), with_an_empty_object(), test::awkward_room(),
        test::random_room(random, 1, 1, 1.0), test::random_room(random, 7, 60, 3.0)}) {
    SCOPED_TRACE(testing::Message() << environment.triangles().size() << " triangles");
    expect_same(DeviceRoom(device(), environment), environment);
  }
}

TEST_P(DeviceRoomTest, MovesWithItsVertices) {
  test::RandomLinks random(812);
  const Environment before = test::random_room(random, 4, 50, 3.0);
  std::vector<Vec3f> vertices(before.vertices().begin(), before.vertices().end());
  for (Vec3f& v : vertices) v = {2.0F * v.z, v.x - 40.0F, v.y};
  const Environment after = before.with_vertices(std::move(vertices)).value();
  DeviceRoom room(device(), before);
  room.move(after);
  expect_same(room, after);
  room.move(before);
  expect_same(room, before);
}

}  // namespace
}  // namespace tocsin::cuda::device_room_test
