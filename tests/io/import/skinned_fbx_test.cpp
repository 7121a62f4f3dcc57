// Motions from FBX. The files are written by hand, the positions worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "io/import/skinned_files.h"
#include "io/import/skinned_motion.h"
#include "io/shape/node_motion.h"
#include "tocsin/io.h"

namespace tocsin::io::skinned_fbx_test {
namespace {

using test::expect_near;
using test::joint_names;
using test::joints_at;
using test::RoomFolder;
using test::warns;

/// One curve at successive frames of 30 Hz (FBX counts 46,186,158,000 ticks a second).
std::string curve(int id, const std::vector<double>& values, std::int64_t first_frame = 0) {
  std::string times;
  std::string list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string comma = i == 0 ? "" : ",";
    times += comma + std::to_string((first_frame + static_cast<std::int64_t>(i)) * 1539538600);
    list += comma + std::to_string(values[i]);
  }
  const std::string count = std::to_string(values.size());
  return "\tAnimationCurve: " + std::to_string(id) + R"(, "AnimCurve::", "" {
		Default: 0
		KeyVer: 4008
		KeyTime: *)" +
         count + " {\n\t\t\ta: " + times + "\n\t\t}\n\t\tKeyValueFloat: *" + count +
         " {\n\t\t\ta: " + list + "\n\t\t}\n\t}\n";
}

struct Take {
  double unit_scale = 1.0;
  std::string spine = {};               ///< more properties of Spine
  std::vector<double> turn{0, 45, 90};  ///< of Spine about its x, degrees
  bool skinned = true;
  std::string more_objects = {};
  std::string more_connections = {};
};

/// Centimetres, Z up. Hips at 1 m goes 1 m along x; Spine, half a metre above it, stands turned by
/// a pre-rotation of 90 degrees about x, so that its end, 0.2 m along its y, is above it.
std::string fbx(const Take& take) {
  const std::string skin = R"(	Geometry: 300, "Geometry::Skin", "Mesh" {
		Vertices: *9 {
			a: 0,0,0,1,0,0,0,1,0
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
		GeometryVersion: 124
	}
	Model: 103, "Model::Body", "Mesh" {
		Version: 232
	}
	Deformer: 301, "Deformer::Skin", "Skin" {
		Version: 101
	}
	Deformer: 302, "SubDeformer::ClusterA", "Cluster" {
		Version: 100
		Indexes: *2 {
			a: 0,1
		}
		Weights: *2 {
			a: 1,1
		}
		Transform: *16 {
			a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
		}
		TransformLink: *16 {
			a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
		}
	}
	Deformer: 303, "SubDeformer::ClusterB", "Cluster" {
		Version: 100
		Indexes: *1 {
			a: 2
		}
		Weights: *1 {
			a: 1
		}
		Transform: *16 {
			a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
		}
		TransformLink: *16 {
			a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1
		}
	}
)";
  const std::string skin_connections = R"(	C: "OO",103,0
	C: "OO",300,103
	C: "OO",301,300
	C: "OO",302,301
	C: "OO",303,301
	C: "OO",100,302
	C: "OO",101,303
)";
  const std::vector<double> still(take.turn.size(), 0.0);
  std::vector<double> walk;
  for (std::size_t i = 0; i < take.turn.size(); ++i) walk.push_back(50.0 * static_cast<double>(i));
  return R"(; FBX 7.3.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",)" +
         std::to_string(take.unit_scale) + R"(
		P: "TimeMode", "enum", "", "",6
	}
}
Objects:  {
	Model: 100, "Model::Hips", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,100
		}
	}
	Model: 101, "Model::Spine", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "RotationActive", "bool", "", "",1
			P: "PreRotation", "Vector3D", "Vector", "",90,0,0
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,50
)" + take.spine +
         R"(		}
	}
	Model: 102, "Model::Spine_end", "LimbNode" {
		Version: 232
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,20,0
		}
	}
	AnimationStack: 200, "AnimStack::Take 001", "" {
	}
	AnimationLayer: 201, "AnimLayer::Base", "" {
	}
	AnimationCurveNode: 210, "AnimCurveNode::T", "" {
	}
	AnimationCurveNode: 211, "AnimCurveNode::R", "" {
	}
)" + curve(220, walk) +
         curve(221, still) + curve(222, std::vector<double>(take.turn.size(), 100.0)) +
         curve(223, take.turn) + curve(224, still) + curve(225, still) +
         (take.skinned ? skin : "") + take.more_objects + R"(}
Connections:  {
	C: "OO",100,0
	C: "OO",101,100
	C: "OO",102,101
	C: "OO",201,200
	C: "OO",210,201
	C: "OO",211,201
	C: "OP",210,100, "Lcl Translation"
	C: "OP",211,101, "Lcl Rotation"
	C: "OP",220,210, "d|X"
	C: "OP",221,210, "d|Y"
	C: "OP",222,210, "d|Z"
	C: "OP",223,211, "d|X"
	C: "OP",224,211, "d|Y"
	C: "OP",225,211, "d|Z"
)" + (take.skinned ? skin_connections : "") +
         take.more_connections + "}\n";
}

Result<Motion> read(const Take& take, const MotionOptions& options = {}) {
  const RoomFolder folder;
  return read_skinned_motion(folder.write("take.fbx", fbx(take)), options);
}

TEST(SkinnedFbx, UnitAxesAndPreRotation) {
  for (const bool skinned : {true, false}) {
    const Result<Motion> motion = read({.skinned = skinned});
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    EXPECT_EQ(joint_names(*motion), (std::vector<std::string>{"Hips", "Spine", "Spine_end"}));
    EXPECT_EQ(motion->skeleton().joints()[1].parent, 0);
    EXPECT_EQ(motion->frame_count(), 3);
    EXPECT_EQ(motion->frame_time(), 1.0 / 30.0);
    expect_near(motion->skeleton().rest_positions()[2], {0, 1.7, 0}, 1e-6, "end at rest");
    expect_near(joints_at(*motion, 0)[2], {0, 1.7, 0}, 1e-6, "end, frame 0");
    // Pre-rotation after the turn: (0, 20, 0) -> (0, h, h) -> (0, -h, h), h = 20 / sqrt 2.
    const double h = 0.2 / std::sqrt(2.0);
    expect_near(joints_at(*motion, 1)[2], {0.5, 1.5 + h, h}, 1e-6, "end, frame 1");
    expect_near(joints_at(*motion, 2)[2], {1, 1.5, 0.2}, 1e-6, "end, frame 2");
    EXPECT_EQ(motion->source().format, "fbx");
    EXPECT_EQ(motion->source().unit_metres, 0.01);
    EXPECT_EQ(motion->source().unit_reason, "as the file states");
    EXPECT_TRUE(warns(*motion, "0.01 m, Z up"));
    EXPECT_FALSE(warns(*motion, "straight"));
  }
}

TEST(SkinnedFbx, PostRotationsAndPivots) {
  // A post-rotation is undone after the turn: T pre R post^-1. At frame 2, post 90 degrees about z:
  // (0, 20, 0) -> post^-1 (20, 0, 0) -> R (20, 0, 0) -> pre (20, 0, 0).
  const std::string post = "\t\t\tP: \"PostRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90\n";
  const Result<Motion> turned = read({.spine = post});
  ASSERT_TRUE(turned.ok()) << turned.error().message;
  EXPECT_EQ(joint_names(*turned), (std::vector<std::string>{"Hips", "Spine", "Spine_end"}));
  expect_near(joints_at(*turned, 2)[2], {1.2, 1.5, 0}, 1e-6, "end, post-rotation");
  expect_near(turned->skeleton().rest_positions()[2], {0.2, 1.5, 0}, 1e-6, "end at rest");
  // T pivot pre R pivot^-1, the pivot 10 up the end's y. At frame 2: (0, 20, 0) -> (0, 10, 0) ->
  // R (0, 0, 10) -> pre (0, -10, 0) -> (0, 0, 0).
  const std::string pivot = "\t\t\tP: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",0,10,0\n";
  const Result<Motion> pivoted = read({.spine = pivot});
  ASSERT_TRUE(pivoted.ok()) << pivoted.error().message;
  EXPECT_EQ(joint_names(*pivoted), (std::vector<std::string>{"Hips", "Spine", "Spine_end"}));
  expect_near(joints_at(*pivoted, 2)[2], {1, 1.5, 0}, 1e-6, "end, pivot");
  EXPECT_EQ(pivoted->frame_count(), 3);
}

TEST(SkinnedFbx, AUnitOfAMetre) {
  const Result<Motion> metres = read({.unit_scale = 100.0});
  ASSERT_TRUE(metres.ok()) << metres.error().message;
  EXPECT_EQ(metres->source().unit_metres, 1.0);
  expect_near(joints_at(*metres, 2)[2], {100, 150, 20}, 1e-4, "end");
  const Result<Motion> told = read({.unit_scale = 100.0}, {.unit_metres = 0.01});
  expect_near(joints_at(*told, 2)[2], {1, 1.5, 0.2}, 1e-6, "end, with a unit as told");
  EXPECT_TRUE(warns(*metres, "read in the unit and axes that it states: 1 m, Z up"));
  EXPECT_FALSE(warns(*told, "read in the unit"));
  EXPECT_TRUE(warns(*told, "read in the axes that it states: Z up"));
  EXPECT_FALSE(read({.unit_scale = 0.0}).ok());
  EXPECT_FALSE(read({.unit_scale = -1.0}).ok());
}

TEST(SkinnedFbx, KeysThatAssimpAddsLeaveTheFramesAlone) {
  // An angle that goes on from 0 to 350 in a frame: assimp puts keys on the way.
  const Result<Motion> motion = read({.turn = {0, 0, 350, 360, 360}});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 5);
  EXPECT_EQ(motion->frame_time(), 1.0 / 30.0);
  EXPECT_TRUE(warns(*motion, "not evenly spaced"));
  const double a = 350.0 / 180.0 * std::acos(-1.0);
  expect_near(joints_at(*motion, 2)[2], {1, 1.5 + 0.2 * std::cos(a), 0.2 * std::sin(a)}, 1e-5,
              "end");
}

TEST(SkinnedFbx, BetweenKeysCurvesAreTakenAsStraight) {
  const Result<Motion> motion = read({}, {.rate = 60.0});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 5);
  expect_near(joints_at(*motion, 1)[0], {0.25, 1, 0}, 1e-6, "hips");
  EXPECT_TRUE(warns(*motion, "straight"));
}

TEST(SkinnedFbx, AMeshMayBeCalledAsABone) {
  Take take;
  take.more_objects = "\tModel: 104, \"Model::Spine\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n";
  take.more_connections = "\tC: \"OO\",104,0\n\tC: \"OO\",300,104\n";
  const Result<Motion> motion = read(take);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  expect_near(joints_at(*motion, 2)[2], {1, 1.5, 0.2}, 1e-6, "end");
}

TEST(SkinnedFbx, NodesThatCannotBeToldApartAreRefused) {
  Take take;
  take.more_objects = "\tModel: 104, \"Model::Hips\", \"LimbNode\" {\n\t\tVersion: 232\n\t}\n";
  take.more_connections = "\tC: \"OO\",104,0\n";
  const Result<Motion> motion = read(take);
  EXPECT_EQ(motion.error().code, ErrorCode::kInput);
  EXPECT_NE(motion.error().message.find("several nodes are called \"Hips\""), std::string::npos)
      << motion.error().message;
}

TEST(SkinnedFbx, WhatIsOffered) {
  const RoomFolder folder;
  const Result<MotionContents> list = list_motions(folder.write("take.fbx", fbx({})));
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_EQ(list->clips.size(), 1U);
  EXPECT_EQ(list->clips[0].name, "Take 001");
  EXPECT_EQ(list->clips[0].keys, 3);
  EXPECT_EQ(list->clips[0].rate, 30.0);
  ASSERT_EQ(list->skins.size(), 1U);
  EXPECT_EQ(list->skins[0].joints, 3);
}

TEST(SkinnedFbx, EveryTruncationIsAnError) {
  const std::string whole = fbx({});
  const RoomFolder folder;
  for (std::size_t size = 0; size < whole.size() - 100; size += 97) {
    const Result<Motion> motion =
        read_skinned_motion(folder.write("take.fbx", whole.substr(0, size)), {});
    EXPECT_FALSE(motion.ok()) << size;
    EXPECT_NE(motion.error().message.find("take.fbx"), std::string::npos);
  }
}

// A mesh below Spine, which turns on Hips, which goes along x: two joints, in metres and Y up.
TEST(NodeMotion, AnFbxMovesAMeshInMetresAndYUp) {
  Take take{.skinned = false};
  take.more_objects = R"(	Geometry: 300, "Geometry::Plate", "Mesh" {
		Vertices: *9 {
			a: 0,0,0,10,0,0,0,10,0
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
		GeometryVersion: 124
	}
	Model: 103, "Model::Plate", "Mesh" {
		Version: 232
	}
)";
  take.more_connections = "\tC: \"OO\",103,101\n\tC: \"OO\",300,103\n";
  const RoomFolder folder;
  const auto file = folder.write("plate.fbx", fbx(take));
  const Result<Environment> room = load_environment(file);
  ASSERT_TRUE(room.ok()) << room.error().message;
  const auto moved = read_node_motion(file, room->objects().size(), nullptr);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  ASSERT_TRUE(moved->has_value());
  const NodeMotion& motion = **moved;
  EXPECT_EQ(joint_names(motion.body.motion), (std::vector<std::string>{"Hips", "Spine"}));
  EXPECT_EQ(motion.carried_by, (std::vector<int>{1}));
  EXPECT_FALSE(motion.still_first);
  EXPECT_EQ(motion.body.start, 0.0);
  expect_near(motion.origin[0], {0, 1, 0}, 1e-6, "origin of Hips");
  expect_near(motion.origin[1], {0, 1.5, 0}, 1e-6, "origin of Spine");
  // assimp does not tell how FBX joins keys.
  ASSERT_EQ(motion.body.motion.source().warnings.size(), 1U);
  EXPECT_NE(motion.body.motion.source().warnings[0].find("straight: "), std::string::npos)
      << motion.body.motion.source().warnings[0];
  ASSERT_EQ(motion.body.motion.frame_count(), 3);
  for (int frame = 0; frame < 3; ++frame) {
    const Transform& hips = motion.body.motion.pose(frame)[0];
    expect_near(hips.translation, {0.5 * frame, 1, 0}, 1e-6, "place of Hips");
    EXPECT_NEAR(hips.rotation.w, 1.0, 1e-6);
    const Transform& pose = motion.body.motion.pose(frame)[1];
    expect_near(pose.translation, {0, 0.5, 0}, 1e-6, "place of Spine");
    const double half = 0.5 * frame * std::numbers::pi / 4;
    EXPECT_NEAR(pose.rotation.w, std::cos(half), 1e-6);
    EXPECT_NEAR(pose.rotation.x, std::sin(half), 1e-6);
  }
}

}  // namespace
}  // namespace tocsin::io::skinned_fbx_test
