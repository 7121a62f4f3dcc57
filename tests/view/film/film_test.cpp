// Films as .glb and .usda, read back by assimp and by the specification alone.
#include "view/film/film.h"

#include <assimp/anim.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <assimp/Importer.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>

#include "support/contains.h"
#include "support/glb_parts.h"
#include "support/test_folder.h"
#include "view/film/film_glb.h"
#include "view/film/film_usda.h"
#include "view/film/usda_text.h"

namespace tocsin::view::film_test {
namespace {

using test::GlbParts;
using test::TestFolder;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Three joints in a row and one beside; everything turns, the root and one more joint move.
Motion turning_motion(int frames, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Joint> joints;
  for (const int parent : {-1, 0, 1, 0}) {
    joints.push_back({"j" + std::to_string(joints.size()), parent, {{}, {0.1, 0.4, 0.0}}});
  }
  std::vector<Transform> poses;
  for (int f = 0; f < frames; ++f) {
    for (int j = 0; j < 4; ++j) {
      const double angle = 1.2 * uniform(random);
      const Eigen::Vector3d axis =
          Eigen::Vector3d(uniform(random), uniform(random), 1.1).normalized();
      const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, axis));
      Transform t{{q.w(), q.x(), q.y(), q.z()}, {0.1, 0.4, 0.0}};
      if (j == 0 || j == 3) t.translation = {uniform(random), 1.0, uniform(random)};
      poses.push_back(t);
    }
  }
  auto skeleton = Skeleton::create(std::move(joints));
  EXPECT_TRUE(skeleton.ok());
  auto out = Motion::create(std::move(skeleton).value(), 0.1, std::move(poses));
  EXPECT_TRUE(out.ok()) << out.error().message;
  return std::move(out).value();
}

constexpr double kEver = std::numeric_limits<double>::infinity();

Film film_of(const Motion& motion, InBetween kind, std::int64_t parts) {
  Film film;
  film.title = "made";
  film.notes = "{}";
  film.frame_rate = 10.0;
  FilmFigure figure;
  figure.name = "made";
  figure.take = "made.bvh";
  std::vector<Link> links;
  for (int j = 0; j < 4; ++j) {
    links.push_back({"link" + std::to_string(j), j, {0.0, 0.0, 0.0}, {0.0, 0.3, 0.1}, 0.05});
  }
  links.push_back({"ball", 2, {0.0, 0.1, 0.0}, {0.0, 0.1, 0.0}, 0.1});
  auto box = Shape::box({0.1, 0.2, 0.05});
  EXPECT_TRUE(box.ok());
  links.push_back(link_of_shape("box", 1, std::move(box).value()));
  auto avatar = Avatar::create("made", motion.skeleton(), std::move(links));
  EXPECT_TRUE(avatar.ok()) << avatar.error().message;
  figure.avatar = std::move(avatar).value();
  figure.there = {-kEver, kEver};
  const auto steps = motion.steps({0, -1, 1, kind, false});
  EXPECT_TRUE(steps.ok());
  sample_steps(figure, *steps, [parts](std::size_t) { return parts; });
  film.figures.push_back(std::move(figure));
  return film;
}

Eigen::Affine3d affine(const Transform& t) {
  const Quat& q = t.rotation;
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  out.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
  out.translation() = Eigen::Vector3d(t.translation.x, t.translation.y, t.translation.z);
  return out;
}

/// Where a joint is in the world at a time, by the public pose_between and Eigen.
Eigen::Affine3d exact(const Motion& motion, InBetween kind, double seconds, int joint) {
  const double frames = seconds / 0.1;
  const auto f = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(frames)),
                                        motion.frame_count() - 2);
  const auto pose =
      pose_between(motion.pose(f), motion.pose(f + 1), kind, frames - static_cast<double>(f));
  Eigen::Affine3d out = Eigen::Affine3d::Identity();
  for (int j = joint; j >= 0; j = motion.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
    out = affine(pose[static_cast<std::size_t>(j)]) * out;
  }
  return out;
}

/// What assimp read, played as glTF says: linear and slerp between keys.
class Played {
 public:
  explicit Played(const std::filesystem::path& file) {
    scene_ = importer_.ReadFile(file.string(), aiProcess_ValidateDataStructure);
    EXPECT_NE(scene_, nullptr) << importer_.GetErrorString();
  }
  [[nodiscard]] bool loaded() const { return scene_ != nullptr && scene_->mNumAnimations == 1; }

  [[nodiscard]] Eigen::Affine3d world(const char* name, double seconds) const {
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    const aiNode* node = scene_->mRootNode->FindNode(name);
    EXPECT_NE(node, nullptr) << name;
    for (; node != nullptr; node = node->mParent) out = local(*node, seconds) * out;
    return out;
  }

 private:
  [[nodiscard]] Eigen::Affine3d local(const aiNode& node, double seconds) const {
    const aiAnimation& animation = *scene_->mAnimations[0];
    const double now = seconds * animation.mTicksPerSecond;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      const aiNodeAnim& channel = *animation.mChannels[c];
      if (channel.mNodeName != node.mName) continue;
      Eigen::Affine3d out = Eigen::Affine3d::Identity();
      const auto [i, t] = key(channel.mRotationKeys, channel.mNumRotationKeys, now);
      const auto turn = [&channel](unsigned k) {
        const aiQuaternion& q = channel.mRotationKeys[k].mValue;
        return Eigen::Quaterniond(q.w, q.x, q.y, q.z);
      };
      out.linear() = turn(i)
                         .slerp(t, turn(std::min(i + 1, channel.mNumRotationKeys - 1)))
                         .normalized()
                         .toRotationMatrix();
      const auto [k, u] = key(channel.mPositionKeys, channel.mNumPositionKeys, now);
      const auto place = [&channel](unsigned at) {
        const aiVector3D& v = channel.mPositionKeys[at].mValue;
        return Eigen::Vector3d(v.x, v.y, v.z);
      };
      out.translation() =
          (1.0 - u) * place(k) + u * place(std::min(k + 1, channel.mNumPositionKeys - 1));
      return out;
    }
    const aiMatrix4x4& m = node.mTransformation;
    Eigen::Matrix4d out;
    out << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3,
        m.d4;
    return Eigen::Affine3d(out);
  }
  /// The last key not after `now`, and how far on to the next.
  template <class Key>
  static std::pair<unsigned, double> key(const Key* keys, unsigned count, double now) {
    unsigned i = 0;
    while (i + 1 < count && keys[i + 1].mTime <= now) ++i;
    if (i + 1 >= count || now <= keys[i].mTime) return {i, 0.0};
    return {i, (now - keys[i].mTime) / (keys[i + 1].mTime - keys[i].mTime)};
  }

  Assimp::Importer importer_;
  const aiScene* scene_ = nullptr;
};

/// The greatest distance of joints and of a point away from them, at times of the motion.
double deviation(const Played& played, const Motion& motion, InBetween kind,
                 const std::vector<double>& times) {
  double out = 0.0;
  for (const double s : times) {
    for (int j = 0; j < 4; ++j) {
      const std::string name = "j" + std::to_string(j) + " (joint)";
      const Eigen::Vector3d point(0.1, 0.2, 0.3);
      out = std::max(
          out, (played.world(name.c_str(), s) * point - exact(motion, kind, s, j) * point).norm());
    }
  }
  return out;
}

std::vector<double> times_every(double gap, double last) {
  std::vector<double> out;
  for (int i = 0; i * gap <= last + 1e-9; ++i) out.push_back(i * gap);
  return out;
}

// 32-bit floats of a few metres, four joints deep, and key times of milliseconds in assimp.
constexpr double kFloats = 2e-5;

TEST(FilmGlb, AssimpPlaysTheExactMotionAtEverySample) {
  const TestFolder folder;
  const Motion motion = turning_motion(9, 1);
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    const auto file = folder.path() / "film.glb";
    ASSERT_TRUE(write_film_glb(film_of(motion, kind, 4), file).ok());
    const Played played(file);
    ASSERT_TRUE(played.loaded());
    EXPECT_LT(deviation(played, motion, kind, times_every(0.025, 0.8)), kFloats);
  }
}

TEST(FilmGlb, BetweenSamplesItIsTheTranslateRotateMotion) {
  const TestFolder folder;
  const Motion motion = turning_motion(9, 2);
  const auto file = folder.path() / "film.glb";
  const auto at = times_every(0.0125, 0.8);
  ASSERT_TRUE(write_film_glb(film_of(motion, InBetween::kTranslateRotate, 1), file).ok());
  EXPECT_LT(deviation(Played(file), motion, InBetween::kTranslateRotate, at), kFloats);
  // A screw is another way, to which more samples come nearer.
  ASSERT_TRUE(write_film_glb(film_of(motion, InBetween::kScrew, 1), file).ok());
  const double coarse = deviation(Played(file), motion, InBetween::kScrew, at);
  EXPECT_GT(coarse, 1e-3);
  ASSERT_TRUE(write_film_glb(film_of(motion, InBetween::kScrew, 16), file).ok());
  EXPECT_LT(deviation(Played(file), motion, InBetween::kScrew, at), 0.02 * coarse);
}

TEST(FilmGlb, IsWhatTheSpecificationDemands) {
  const TestFolder folder;
  const Motion motion = turning_motion(5, 3);
  Film film = film_of(motion, InBetween::kScrew, 2);
  auto room = Environment::create({{"Floor", {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 1, 2}}},
                                   {"empty", {}, {}},
                                   {"link0", {{0, 1, 0}, {1, 1, 0}, {0, 1, 1}}, {{0, 1, 2}}}});
  ASSERT_TRUE(room.ok());
  film.room = std::move(room).value();
  FilmMark mark{"link0 - Floor", R"({"link":"</script>\u0022"})", true, {}};
  mark.touches.push_back({0.1, 0.2, {1, 2, 3}, Vec3{0, 0, 1}});
  mark.touches.push_back({0.2, 0.25, {2, 2, 3}, std::nullopt});
  mark.touches.push_back({0.3, 0.4, {3, 2, 3}, Vec3{0, -1, 0}});
  film.marks = {mark, mark};
  film.marks[1].proved = false;
  const auto file = folder.path() / "film.glb";
  ASSERT_TRUE(write_film_glb(film, file).ok());
  const GlbParts glb(text_of(file));
  glb.expect_sound();
  // An object of a link's name, and two marks of one: each has a name of its own.
  EXPECT_GE(glb.node("link0@2"), 0);
  const int node = glb.node("link0 - Floor@2");
  ASSERT_GE(node, 0);
  EXPECT_EQ(glb.json["nodes"][static_cast<std::size_t>(node)]["extras"]["link"], "</script>\"");
  const auto [times, scale] = glb.channel(glb.node("link0 - Floor"), "scale");
  const std::vector<double> expected_times{0.0, 0.1, 0.2, 0.25, 0.3, 0.4};
  const std::vector<double> shown{0, 1, 1, 0, 1, 0};
  ASSERT_EQ(times.size(), expected_times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(times[i], expected_times[i], 1e-7);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(scale[3 * i + c], shown[i]) << i;
  }
  const auto places = glb.channel(glb.node("link0 - Floor"), "translation").second;
  EXPECT_EQ(std::vector<double>(places.begin() + 3, places.begin() + 9),
            (std::vector<double>{1, 2, 3, 2, 2, 3}));
  // The arrow's +Y along the normal; without one it has no size.
  const int arrow = glb.node("link0 - Floor (normal)");
  const auto turns = glb.channel(arrow, "rotation").second;
  const Eigen::Quaterniond q(turns[7], turns[4], turns[5], turns[6]);
  EXPECT_LT((q * Eigen::Vector3d::UnitY() - Eigen::Vector3d::UnitZ()).norm(), 1e-6);
  EXPECT_EQ(glb.channel(arrow, "scale").second[6], 0.0);
}

TEST(FilmGlb, TimesBeforeZeroAreMovedAndAbsentAvatarsHaveNoSize) {
  const TestFolder folder;
  Film film = film_of(turning_motion(3, 4), InBetween::kScrew, 1);
  Film late = film;
  for (double& s : film.figures[0].seconds) s -= 0.05;
  late.figures[0].name = "late";
  late.figures[0].seconds = {0.1, 0.2, 0.25};
  late.figures[0].there = {0.1, 0.25};
  film.figures.push_back(late.figures[0]);
  const auto file = folder.path() / "film.glb";
  ASSERT_TRUE(write_film_glb(film, file).ok());
  const GlbParts glb(text_of(file));
  glb.expect_sound();
  EXPECT_NEAR(glb.json["animations"][0]["extras"]["shift_s"].get<double>(), 0.05, 1e-12);
  const auto [times, scale] = glb.channel(glb.node("late (avatar)"), "scale");
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[1], 0.15, 1e-7);
  EXPECT_EQ(scale[0], 0.0);
  EXPECT_EQ(scale[3], 1.0);
}

TEST(FilmGlb, SamplesThatFloatsCannotTellApartAreRefused) {
  const TestFolder folder;
  Film film = film_of(turning_motion(3, 5), InBetween::kScrew, 1);
  film.figures[0].seconds = {1e6, 1e6 + 1e-3, 1e6 + 1.0};
  const Status written = write_film_glb(film, folder.path() / "film.glb");
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message.find("--substeps"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "film.glb"));
}

TEST(Film, ATurnFromYGoesWhereItShould) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  std::vector<Eigen::Vector3d> all{{0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {1e-9, -1, 0}};
  for (int i = 0; i < 50; ++i) all.emplace_back(normal(random), normal(random), normal(random));
  for (const Eigen::Vector3d& v : all) {
    const Eigen::Vector3d to = v.normalized();
    const Quat q = turn_from_y({to.x(), to.y(), to.z()});
    const Eigen::Quaterniond turn(q.w, q.x, q.y, q.z);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12);
    EXPECT_LT((turn * Eigen::Vector3d::UnitY() - to).norm(), 1e-5);
  }
}

TEST(FilmUsda, NamesAndTextsAreThoseOfTheFormat) {
  EXPECT_EQ(usd_name("left foot-2"), "left_foot_2");
  EXPECT_EQ(usd_name("2"), "_2");
  EXPECT_EQ(usd_name(""), "_");
  EXPECT_EQ(usd_string("a\"b\\c\nd"), "\"a\\\"b\\\\c d\"");
}

// Files round the time of a frame, and k times it is not k over its rate.
TEST(FilmUsda, TimeCodesAreTheFramesOfTheTake) {
  constexpr double kFrameTime = 0.0333333;  // as motion capture writes 30 a second
  const Motion motion = turning_motion(130, 5);
  Film film = film_of(motion, InBetween::kScrew, 1);
  film.frame_rate = 1.0 / kFrameTime;
  auto& seconds = film.figures[0].seconds;
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    seconds[k] = static_cast<double>(k + 1) * kFrameTime;  // --frames 1:
  }
  const test::TestFolder folder;
  const auto file = folder.path() / "a.usda";
  ASSERT_TRUE(write_film_usda(film, file).ok());
  const std::string text = text_of(file);
  EXPECT_TRUE(test::contains(text, "startTimeCode = 1\n"));
  EXPECT_TRUE(test::contains(text, "endTimeCode = 130\n"));
  EXPECT_TRUE(test::contains(text, "framesPerSecond = 30\n"));
  EXPECT_TRUE(test::contains(text, "timeCodesPerSecond = 30.00003"));
  std::size_t codes = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": (");
    const std::size_t first = line.find_first_not_of(' ');
    if (colon == std::string::npos || first == std::string::npos) continue;
    if (line.find_first_not_of("0123456789.", first) != colon) continue;
    EXPECT_EQ(line.substr(first, colon - first).find('.'), std::string::npos) << line;
    ++codes;
  }
  EXPECT_GE(codes, 2U * 130U) << "places and turns of joints";
}

}  // namespace
}  // namespace tocsin::view::film_test
