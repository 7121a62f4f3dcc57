// Text files as other programs write them: encodings, comments, spellings. Each is read as the
// plain file is, or refused with what to do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "io/load_environment.h"
#include "io/load_motion.h"
#include "io/rest_frame.h"
#include "io/room_files.h"
#include "io/room_queries.h"
#include "support/data.h"
#include "tocsin/io.h"

namespace tocsin::wild_files_test {
namespace {

using test::RoomFolder;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  std::size_t count = 0;
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    ++count;
  }
  EXPECT_GT(count, 0U) << from;
  return text;
}

std::string utf16(const std::string& text, bool big_endian, bool mark) {
  std::string out = mark ? (big_endian ? "\xFE\xFF" : "\xFF\xFE") : "";
  for (const char c : text) {
    if (big_endian) out += '\0';
    out += c;
    if (!big_endian) out += '\0';
  }
  return out;
}

std::string utf32(const std::string& text) {
  std::string out("\xFF\xFE\0\0", 4);
  for (const char c : text) out += c + std::string(3, '\0');
  return out;
}

const char* const kBvh = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 4 Xposition Zrotation Yrotation Xrotation
  JOINT Head
  {
    OFFSET 0 0.5 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 0.2 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 10 20 30 310
2 11 21 31 41
)";

Result<Motion> load_bvh(const std::string& text) {
  const RoomFolder folder;
  return load_motion(folder.write("take.bvh", text), {1.0, UpAxis::kY});
}

void expect_same_take(const std::string& text, const std::string& what) {
  const Result<Motion> plain = load_bvh(kBvh);
  const Result<Motion> motion = load_bvh(text);
  ASSERT_TRUE(motion.ok()) << what << ": " << motion.error().message;
  ASSERT_EQ(motion->frame_count(), plain->frame_count()) << what;
  EXPECT_EQ(motion->frame_time(), plain->frame_time()) << what;
  EXPECT_TRUE(motion->source().warnings.empty()) << what;
  for (std::int64_t frame = 0; frame < plain->frame_count(); ++frame) {
    for (std::size_t joint = 0; joint < 3; ++joint) {
      const Transform& a = plain->pose(frame)[joint];
      const Transform& b = motion->pose(frame)[joint];
      EXPECT_EQ(a.translation, b.translation) << what;
      EXPECT_TRUE(a.rotation.w == b.rotation.w && a.rotation.x == b.rotation.x &&
                  a.rotation.y == b.rotation.y && a.rotation.z == b.rotation.z)
          << what;
    }
  }
}

TEST(WildBvh, EveryEncodingIsRead) {
  const std::string text = kBvh;
  for (const bool big : {false, true}) {
    for (const bool mark : {false, true}) {
      expect_same_take(utf16(text, big, mark), fmt::format("UTF-16, {} {}", big, mark));
      expect_same_take(utf16(replaced(text, "\n", "\r"), big, mark), "UTF-16, lone CR");
    }
  }
  expect_same_take(utf32(text), "UTF-32");
  expect_same_take("\xEF\xBB\xBF" + text, "UTF-8 with a mark");
}

TEST(WildBvh, CommentsArePassedOver) {
  const std::string text = kBvh;
  for (const std::string& mark : {std::string("#"), std::string("//")}) {
    expect_same_take(mark + " made by hand\n" + text, "first line");
    expect_same_take(replaced(text, "\n", "\n  " + mark + " words 1 2 3 }\n"), "every line");
    expect_same_take(replaced(text, "OFFSET 0 1 0", "OFFSET 0 1 0 " + mark + " metres"), "offset");
    expect_same_take(replaced(text, "0.04", "0.04 " + mark + " 25 Hz"), "frame time");
    expect_same_take(replaced(text, "310", "310 " + mark + "0"), "frame");
  }
  // A joint may be called so.
  EXPECT_EQ(load_bvh(replaced(text, "JOINT Head", "JOINT #1"))->skeleton().joints()[1].name, "#1");
}

TEST(WildBvh, FrameTimesAreReadAsProgramsWriteThem) {
  for (const char* const line :
       {"Frame Time: 0.04", "Frame Time 0.04", "FRAME TIME:0.04", "Frame\tTime :\t.04",
        "FrameTime: 4e-2", "Frame_Time: 0.04", "frame time: +4.0E-002"}) {
    expect_same_take(replaced(kBvh, "Frame Time: 0.04", line), line);
  }
  for (const char* const line : {"Frames 2", "FRAMES:\t2", "Frames :2", "frames: +2"}) {
    expect_same_take(replaced(kBvh, "Frames: 2", line), line);
  }
  for (const auto& [line, cause] :
       {std::pair{"Frame Time: 0,04", "found \"0,04\": a decimal comma; write a point instead"},
        {"Frame Rate: 25", "expected Frame Time:, found \"Rate:\""},
        {"Frame Time: -1.#IND", "the number \"-1.#IND\" is not finite"}}) {
    const Result<Motion> motion = load_bvh(replaced(kBvh, "Frame Time: 0.04", line));
    ASSERT_FALSE(motion.ok()) << line;
    EXPECT_NE(motion.error().message.find(cause), std::string::npos) << motion.error().message;
    EXPECT_NE(motion.error().message.find("take.bvh:18: "), std::string::npos);
  }
}

TEST(WildBvh, EveryCutOfUtf16IsRefusedOrWhole) {
  const std::string whole = utf16(kBvh, false, true);
  const RoomFolder folder;
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const auto motion =
        load_motion(folder.write("take.bvh", whole.substr(0, size)), {1.0, UpAxis::kY});
    if (motion.ok()) continue;
    ++refused;
    EXPECT_EQ(motion.error().code, ErrorCode::kInput);
    EXPECT_NE(motion.error().message.find("take.bvh:"), std::string::npos);
  }
  // Cuts inside or behind the last line may look like a whole file.
  EXPECT_GE(refused, static_cast<int>(whole.size() / 7) - 5);
}

// What is hashed is what is in the file.
TEST(WildFiles, AHashIsOfTheFilesBytes) {
  const RoomFolder folder;
  const auto take = folder.write("take.bvh", utf16(kBvh, true, true));
  const auto room =
      folder.write("room.obj", utf16("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", false, true));
  io::InputLog log;
  ASSERT_TRUE(io::load_motion(take, {1.0, UpAxis::kY}, &log).ok());
  ASSERT_TRUE(io::load_environment(room, {}, io::FolderGuard::anywhere(), &log).ok());
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0].sha256, *base::sha256_file(take));
  EXPECT_EQ(log[1].sha256, *base::sha256_file(room));
}

/// A room of one triangle (0, 0, 0) (NUMBER, 0, 0) (0, 1, 0), in every text format.
std::vector<std::pair<std::string, std::string>> rooms(const std::string& number) {
  return {
      {"room.obj", "v 0 0 0\nv " + number + " 0 0\nv 0 1 0\nf 1 2 3\n"},
      {"room.ply",
       "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
       "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n" +
           number + " 0 0\n0 1 0\n3 0 1 2\n"},
      {"room.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " + number +
                       " 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n"},
      {"room.wrl",
       "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, " +
           number + " 0 0, 0 1 0 ] } coordIndex [ 0 1 2 ] } }\n"},
      {"room.x3d",
       "<?xml version=\"1.0\"?><X3D profile=\"Interchange\" "
       "version=\"3.0\"><Scene><Transform><Shape>"
       "<IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0, " +
           number + " 0 0, 0 1 0\"/></IndexedFaceSet></Shape></Transform></Scene></X3D>"},
      {"room.dae",
       "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
       "version=\"1.4.1\"><asset><unit "
       "meter=\"1\"/><up_axis>Y_UP</up_axis></asset><library_geometries>"
       "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 " +
           number +
           " 0 0 0 1 0</float_array><technique_common><accessor source=\"#pa\" count=\"3\" "
           "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
           "type=\"float\"/><param "
           "name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices "
           "id=\"v\"><input "
           "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input "
           "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 "
           "2</p></triangles></mesh></geometry>"
           "</library_geometries><library_visual_scenes><visual_scene id=\"s\"><node "
           "id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>"
           "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"},
  };
}

TEST(WildFiles, NumbersInEverySpelling) {
  for (const char* const number :
       {"310", "310.", "310.0", "3.1e2", "3.1e+2", "3.1E+2", "3.1e+02", "3.1E+002", "31.e1",
        ".31e3", "31000e-2", "0310", "310.000000000000000000000000"}) {
    for (const auto& [name, text] : rooms(number)) {
      const RoomFolder folder;
      const auto room = load_environment(folder.write(name, text));
      ASSERT_TRUE(room.ok()) << number << ": " << room.error().message;
      ASSERT_EQ(room->vertices().size(), 3U) << name;
      float largest = 0.0F;
      for (const Vec3f& v : room->vertices()) largest = std::max(largest, v.x);
      EXPECT_EQ(largest, 310.0F) << number << " in " << name;
    }
    expect_same_take(replaced(kBvh, "310", number), number);
  }
  // With a sign, which VRML and XML allow, too.
  for (const char* const number : {"+310", "+3.1e+2"}) {
    for (const auto& [name, text] : rooms(number)) {
      const RoomFolder folder;
      const auto room = load_environment(folder.write(name, text));
      ASSERT_TRUE(room.ok()) << number << ": " << room.error().message;
    }
  }
}

TEST(WildFiles, RoomsInUtf16AreRead) {
  for (const auto& [name, text] : rooms("2")) {
    if (name == "room.stl") continue;  // a binary one may begin with any bytes
    const RoomFolder folder;
    for (const bool big : {false, true}) {
      const auto room = load_environment(folder.write(name, utf16(text, big, true)));
      ASSERT_TRUE(room.ok()) << room.error().message;
      EXPECT_EQ(room->triangles().size(), 1U);
      const auto cut = load_environment(folder.write(name, utf16(text, big, true) + "x"));
      ASSERT_FALSE(cut.ok()) << name;
      EXPECT_NE(cut.error().message.find("ends in the middle of a character; save it as UTF-8"),
                std::string::npos)
          << cut.error().message;
    }
  }
}

TEST(WildFiles, PointsAndLinesAreCounted) {
  const RoomFolder folder;
  const auto obj = load_environment(
      folder.write("room.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2\nl 1 2 3\nf 1 2 3\nl 3 1\n"));
  ASSERT_TRUE(obj.ok());
  ASSERT_EQ(obj->warnings().size(), 1U);
  EXPECT_NE(obj->warnings()[0].find("room.obj:4: 3 point or line elements passed over"),
            std::string::npos)
      << obj->warnings()[0];
}

/// A person whose arm hangs by `degrees` in each frame.
Motion waving(const std::vector<double>& degrees) {
  std::string text =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zrotation\nJOINT "
      "Arm\n{\nOFFSET 0 0.5 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 0.2 "
      "0\n}\n}\n}\nMOTION\n";
  text += fmt::format("Frames: {}\nFrame Time: 0.01\n", degrees.size());
  for (const double each : degrees) text += fmt::format("5 1 90 {}\n", each);
  const Result<Motion> motion = load_bvh(text);
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  return *motion;
}

TEST(RestFrame, ATPoseBeforeTheMotionIsFound) {
  const auto found = io::rest_frame(waving({0, 80, 81, 83, 82}));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->degrees, 80.0, 1e-9);
  EXPECT_NEAR(found->usual, 2.0, 1e-9);
  // Whichever way round, and however the root stands.
  EXPECT_TRUE(io::rest_frame(waving({0, -179, -178, -179})).has_value());
}

// 01_01 of the CMU takes as cgspeed converted it: four joints of its T pose are off the rest pose.
TEST(RestFrame, TheTPoseOfAPublicTakeIsFound) {
  const std::string take = "motions/cmu_bvh/01_01.bvh";
  TOCSIN_NEEDS_DATA(take);
  const Result<Motion> motion = load_motion(test::data_path(take));
  ASSERT_TRUE(motion.ok());
  const auto found = io::rest_frame(*motion);
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(found->degrees, 30.0);
  EXPECT_LT(found->usual, 5.0);
}

TEST(RestFrame, WhatBelongsToTheMotionIsNot) {
  EXPECT_FALSE(io::rest_frame(waving({0, 80})).has_value());
  EXPECT_FALSE(io::rest_frame(waving({1, 80, 81, 82})).has_value());      // no rest pose
  EXPECT_FALSE(io::rest_frame(waving({0, 5, 5, 5, 5})).has_value());      // no jump
  EXPECT_FALSE(io::rest_frame(waving({0, 10, 20, 30, 40})).has_value());  // starts from rest
  EXPECT_FALSE(io::rest_frame(waving({0, 10, 12, 20, 12})).has_value());  // as quick later
  EXPECT_FALSE(io::rest_frame(waving({0, 0, 80, 81})).has_value());       // stays at rest first
}

}  // namespace
}  // namespace tocsin::wild_files_test
