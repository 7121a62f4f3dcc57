#include "cli/check/meeting_scene.h"

namespace tocsin::test {
namespace {

std::string arms_take() {
  std::string out = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 0\n";
  for (const std::string name : {"L", "R"}) {
    const std::string offset = name == "L" ? "-0.5" : "0.5";
    out += "  JOINT " + name + "\n  {\n    OFFSET " + offset + " 0 0\n    CHANNELS 1 Xposition\n" +
           "    End Site\n    {\n      OFFSET 0 1 0\n    }\n  }\n";
  }
  return out + "}\nMOTION\nFrames: 4\nFrame Time: 0.1\n-0.5 0.5\n0 0.5\n0.5 0.5\n0 0.5\n";
}

std::string arms_model() {
  return R"({"format":"tocsin.avatar.v1","name":"arms","description":"Two poles.","links":[)"
         R"({"name":"left","joint":"L","a":[0,0,0],"b":[0,1,0],"radius":0.1},)"
         R"({"name":"right","joint":"R","a":[0,0,0],"b":[0,1,0],"radius":0.1}],"aliases":{}})";
}

CommandResult run(const MeetingScene& scene, std::vector<std::string> arguments,
                  const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_tocsin(arguments, scene.path());
}

}  // namespace

MeetingScene::MeetingScene() {
  write("a.bvh", pole_take({0, 1, 2, 3}));
  write("b.bvh", pole_take({3, 2.25, 1.5}, 0.15));
  write("pole.json", pole_model());
  write("room.obj", pole_room());
  write("arms.bvh", arms_take());
  write("arms.json", arms_model());
  write("hall.obj", wall("Far", 50, 1));
}

CommandResult MeetingScene::check(const std::vector<std::string>& more) const {
  return run(*this,
             {"check", "a.bvh", "b.bvh", "--env", "room.obj", "--avatar", "pole.json",
              "--motion-unit", "m"},
             more);
}

CommandResult MeetingScene::validate(const std::vector<std::string>& more) const {
  return run(*this,
             {"validate", "a.bvh", "b.bvh", "--env", "room.obj", "--avatar", "pole.json",
              "--motion-unit", "m", "--out", "-"},
             more);
}

CommandResult MeetingScene::check_self(const std::vector<std::string>& more) const {
  return run(*this,
             {"check", "arms.bvh", "--env", "hall.obj", "--avatar", "arms.json", "--motion-unit",
              "m", "--self"},
             more);
}

CommandResult MeetingScene::validate_self(const std::vector<std::string>& more) const {
  return run(*this,
             {"validate", "arms.bvh", "--env", "hall.obj", "--avatar", "arms.json", "--motion-unit",
              "m", "--self", "--out", "-"},
             more);
}

}  // namespace tocsin::test
