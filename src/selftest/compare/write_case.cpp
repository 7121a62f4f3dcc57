#include "selftest/compare/write_case.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "io/avatar/avatar_json.h"
#include "tocsin/io.h"

namespace tocsin::selftest {

namespace {

/// The links with their numbers as they are, in the joints' own frames.
AvatarModel model_of(const Avatar& avatar) {
  AvatarModel out;
  out.name = avatar.name();
  out.description = "Written by tocsin selftest.";
  for (const Link& link : avatar.links()) {
    LinkModel model;
    model.name = link.name;
    model.joint = avatar.skeleton().joints()[static_cast<std::size_t>(link.joint)].name;
    model.a.offset = link.a;
    model.b.offset = link.b;
    model.radius = link.radius;
    out.links.push_back(std::move(model));
  }
  return out;
}

Status write_text(const std::filesystem::path& file, const std::string& text) {
  base::OutputFile out;
  if (const Status opened = out.open(file.string()); !opened) return opened;
  if (!out.write(text)) return out.error();
  return out.finish();
}

Status write_member(const Avatar& avatar, const Step& step, const std::filesystem::path& folder,
                    std::size_t number) {
  std::vector<Transform> poses(step.pose0().begin(), step.pose0().end());
  poses.insert(poses.end(), step.pose1().begin(), step.pose1().end());
  const auto motion = Motion::create(avatar.skeleton(), 1.0, std::move(poses));
  if (!motion) return motion.error();
  const auto saved = save_motion(*motion, folder / fmt::format("take-{}.poses", number));
  if (!saved) return saved.error();
  return write_text(folder / fmt::format("avatar-{}.json", number),
                    io::avatar_model_text(model_of(avatar)));
}

/// The command that asks about the files.
std::string validate_command(const Case& question, const std::string& backend,
                             const std::string& options) {
  std::string out = "validate";
  for (std::size_t i = 0; i < question.members.size(); ++i) out += fmt::format(" take-{}.poses", i);
  out += " --env room.ply";
  bool self = false;
  for (std::size_t i = 0; i < question.members.size(); ++i) {
    out += fmt::format(" --avatar avatar-{}.json", i);
    self = self || !question.members[i].self.none();
  }
  if (self) out += " --self";
  if (question.margin > 0.0) out += fmt::format(" --margin {}", question.margin);
  if (question.instants.front().front().in_between() == InBetween::kTranslateRotate) {
    out += " --in-between translate_rotate";
  }
  return out + fmt::format(" --backends cpu,{}{}", backend, options.empty() ? "" : " " + options);
}

}  // namespace

Status write_case(const Case& question, std::size_t number, const std::string& backend,
                  const std::string& options, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return {ErrorCode::kResource, fmt::format("{}: {}", folder.string(), failed.message())};
  }
  // The CPU's ways differ in what validate does not choose: instructions, threads.
  const bool alone = question.instants.size() == 1 && !question.fails && backend != "cpu" &&
                     (question.meet || question.members.size() == 1);
  std::string command = alone ? validate_command(question, backend, options)
                              : fmt::format("selftest --case {} --backend {}{}", number, backend,
                                            options.empty() ? "" : " " + options);
  if (alone) {
    const Status room = save_environment(question.rooms.front(), folder / "room.ply");
    if (!room) return room;
    for (std::size_t i = 0; i < question.members.size(); ++i) {
      const Status written =
          write_member(question.members[i].avatar, question.instants.front()[i], folder, i);
      if (!written) return written;
    }
  }
  return write_text(
      folder / "run.sh",
      fmt::format("#!/bin/sh\n# {}: {}\n# TOCSIN_COMMAND: the command, where it is not on PATH\n"
                  "cd -- \"$(dirname -- \"$0\")\" && exec \"${{TOCSIN_COMMAND:-tocsin}}\" {}\n",
                  question.name, question.what, command));
}

}  // namespace tocsin::selftest
