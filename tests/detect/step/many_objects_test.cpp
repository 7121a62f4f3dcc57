// Rooms of many small objects, all near every link: as if each object were alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::test::many_objects_test {
namespace {

/// `count` objects of `triangles` small triangles each, within 1.5 m of the origin.
std::vector<ObjectMesh> small_objects(int count, int triangles) {
  RandomLinks random(47);
  std::vector<ObjectMesh> out;
  for (int o = 0; o < count; ++o) {
    ObjectMesh mesh;
    mesh.name = "object" + std::to_string(o);
    for (int t = 0; t < triangles; ++t) {
      const Vec3 at = random.vector(0, 1.5);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = at + random.vector(0, 0.1);
        mesh.vertices.push_back(
            {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
    out.push_back(std::move(mesh));
  }
  return out;
}

std::vector<StepReport> reports_of(const Environment& environment, const RandomTake& take,
                                   double margin) {
  DetectorOptions options;
  options.backend = Backend::kCpu;
  options.margin = margin;
  const Detector detector = Detector::make(environment, options).value();
  std::vector<StepReport> out;
  for (const Step& step : take.motion.steps().value())
    out.push_back(detector.check(take.avatar, step));
  return out;
}

TEST(ManyObjects, EachIsCheckedAsIfItWereAlone) {
  RandomLinks random(12);
  const RandomTake take = random_take(random, 4, 4, 0.4, 0.2);
  std::size_t most_together = 0;
  // First the larger room, then a smaller one in the same memory.
  for (const auto& [count, triangles] : {std::pair{400, 1}, std::pair{90, 7}, std::pair{33, 3}}) {
    const std::vector<ObjectMesh> meshes = small_objects(count, triangles);
    for (const double margin : {0.0, 0.3}) {
      const auto together = reports_of(*Environment::create(meshes), take, margin);
      std::vector<std::vector<Contact>> wanted(together.size());
      for (std::uint32_t o = 0; o < meshes.size(); ++o) {
        const auto alone = reports_of(*Environment::create({meshes[o]}), take, margin);
        for (std::size_t i = 0; i < alone.size(); ++i) {
          for (Contact contact : alone[i].contacts) {
            contact.room()->object = o;
            wanted[i].push_back(contact);
          }
        }
      }
      for (std::size_t i = 0; i < together.size(); ++i) {
        std::stable_sort(wanted[i].begin(), wanted[i].end(),
                         [](const Contact& p, const Contact& q) { return p.link < q.link; });
        EXPECT_EQ(together[i].contacts, wanted[i]) << count << " objects, step " << i;
        most_together = std::max(most_together, together[i].contacts.size());
      }
    }
  }
  EXPECT_GT(most_together, 3U * 32U);  // so some link touches more objects than are searched
}

}  // namespace
}  // namespace tocsin::test::many_objects_test
