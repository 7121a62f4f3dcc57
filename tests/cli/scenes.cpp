#include "cli/scenes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tocsin::test {

std::string pole_take(const std::vector<double>& x_of_frame, double frame_time) {
  std::string out =
      "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n"
      "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
      "  End Site\n  {\n    OFFSET 0 1.7 0\n  }\n}\nMOTION\n";
  out += fmt::format("Frames: {}\nFrame Time: {}\n", x_of_frame.size(), frame_time);
  for (const double x : x_of_frame) out += fmt::format("{} 0 0 0 0 0\n", x);
  return out;
}

std::string pole_take() { return pole_take({0, 1, 2, 2.5, 2.55, 2.5, 2, 1, 3}); }

std::string pole_model() {
  return R"({"format":"tocsin.avatar.v1","name":"pole","description":"A pole.",)"
         R"("links":[{"name":"pole","joint":"Hips","a":[0,0,0],"b":[0,1.7,0],"radius":0.1}],)"
         R"("aliases":{}})";
}

std::string wall(const std::string& name, double x, int first_vertex) {
  std::string out = fmt::format("o {}\n", name);
  out += fmt::format("v {0} -0.5 -1\nv {0} 2 -1\nv {0} 2 1\nv {0} -0.5 1\n", x);
  return out + fmt::format("f {} {} {} {}\n", first_vertex, first_vertex + 1, first_vertex + 2,
                           first_vertex + 3);
}

std::string pole_room() {
  return wall("Wall", 2.5, 1) + wall("Shelf", 2.3, 5) +
         "o Floor\nv -5 -1 -5\nv -5 -1 5\nv 5 -1 5\nv 5 -1 -5\nf 9 10 11 12\n";
}

PoleScene::PoleScene() {
  write("take.bvh", pole_take());
  write("pole.json", pole_model());
  write("room.obj", pole_room());
}

CommandResult PoleScene::check(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"check",    "take.bvh", "--env",
                                     "room.obj", "--avatar", "pole.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_tocsin(arguments, path());
}

std::string PoleScene::report(const std::vector<std::string>& more) const {
  std::vector<std::string> arguments = more;
  arguments.insert(arguments.end(), {"--out", "-"});
  const CommandResult result = check(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

LongScene::LongScene() {
  constexpr int kCells = 200;
  std::string room = "o Floor\n";
  for (int i = 0; i <= kCells; ++i) {
    for (int j = 0; j <= kCells; ++j) {
      room += fmt::format("v {} -1 {}\n", 0.05 * i - 5, 0.05 * j - 5);
    }
  }
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      const int corner = i * (kCells + 1) + j + 1;
      room += fmt::format("f {} {} {} {}\n", corner, corner + 1, corner + kCells + 2,
                          corner + kCells + 1);
    }
  }
  write("room.obj", room);
  std::vector<double> xs;
  for (int i = 0; i < 400'000; ++i) xs.push_back(0.3 * (i % 7));
  write("take.bvh", pole_take(xs));
}

}  // namespace tocsin::test
