// Any bytes as an avatar model: an error that names the file, or a model that keeps its promises
// and binds or fails to bind with an error.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "io/avatar/avatar_json.h"
#include "require.h"

namespace {

/// A skeleton with the names that the seeds use.
const tocsin::Skeleton& skeleton() {
  static const tocsin::Skeleton kSkeleton =
      *tocsin::Skeleton::create({{"Hips", -1, {}},
                                 {"mixamorig:LeftArm", 0, {{}, {0.2, 0.4, 0.0}}},
                                 {"LeftHand", 1, {{}, {0.5, 0.0, 0.0}}}});
  return kSkeleton;
}

void check_end_point(const tocsin::EndPoint& end) {
  TOCSIN_REQUIRE(std::fabs(end.offset.x) <= 100.0 && std::fabs(end.offset.y) <= 100.0 &&
                 std::fabs(end.offset.z) <= 100.0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto model = tocsin::io::parse_avatar_model(text, "fuzz.json");
  if (!model.ok()) {
    TOCSIN_REQUIRE(model.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(model.error().message.starts_with("fuzz.json:"));
    TOCSIN_REQUIRE(model.error().message.size() < 2000);
    return 0;
  }
  TOCSIN_REQUIRE(!model->name.empty() && !model->links.empty() && model->links.size() <= size);
  std::set<std::string> names;
  for (const tocsin::LinkModel& link : model->links) {
    TOCSIN_REQUIRE(!link.name.empty() && !link.joint.empty());
    TOCSIN_REQUIRE(names.insert(link.name).second);
    TOCSIN_REQUIRE(!link.shape.empty() || (link.radius >= 1e-6 && link.radius <= 10.0));
    TOCSIN_REQUIRE(link.shape.empty() || !link.shape.features().empty());
    check_end_point(link.a);
    check_end_point(link.b);
  }
  const auto avatar = tocsin::Avatar::bind(model, skeleton());
  TOCSIN_REQUIRE(avatar.ok() ? avatar->links().size() == model->links.size()
                             : !avatar.error().message.empty());
  return 0;
}
