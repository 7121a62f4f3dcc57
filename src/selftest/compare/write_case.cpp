#include "selftest/compare/write_case.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "io/avatar/avatar_json.h"
#include "io/avatar/bound_model.h"
#include "tocsin/io.h"

namespace tocsin::selftest {

namespace {

/// The links with their numbers as they are, in the joints' own frames.
AvatarModel model_of(const Avatar& avatar) {
  AvatarModel out = io::bound_model(avatar);
  out.description = "Written by tocsin selftest.";
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

/// The files, and how they are asked about; the same for every command.
std::string inputs_of(const Case& question) {
  std::string out;
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
  return out;
}

/// Lines of a shell that ask about the files; $tocsin is the command.
std::string ask_again(const Case& question, const HowToAsk& how) {
  const std::string inputs = inputs_of(question);
  const std::string options = how.options.empty() ? "" : " " + how.options;
  switch (how.what) {
    case AskAlone::kBackends:
      break;
    case AskAlone::kOracle:
      return fmt::format(
          "\"$tocsin\" check{} --backend cpu --out report.jsonl || exit\n"
          "exec \"$tocsin\" verify report.jsonl\n",
          inputs);
    case AskAlone::kGlMethods:
      return fmt::format(
          "kept() {{\n"
          "  \"$tocsin\" validate{} --backends cpu,gl{} --gl-method \"$1\" --out \"$1.json\" || "
          "exit\n"
          "  grep -o '\"seen_pairs\":[0-9]*' \"$1.json\"\n"
          "}}\n"
          "flags=$(kept flags) || exit\n"
          "query=$(kept query) || exit\n"
          "echo \"flags keeps $flags; query keeps $query\"\n"
          "[ \"$flags\" = \"$query\" ]\n",
          inputs, options);
  }
  return fmt::format("exec \"$tocsin\" validate{} --backends cpu,{}{}\n", inputs, how.backend,
                     options);
}

/// True if files can ask for it. The CPU's ways differ in what validate does not choose:
/// instructions, threads.
bool can_be_alone(const Case& question, const HowToAsk& how) {
  const bool same_question =
      how.what == AskAlone::kOracle || (!question.fails && how.backend != "cpu");
  return same_question && question.instants.size() == 1 &&
         (question.meet || question.members.size() == 1);
}

}  // namespace

Status write_case(const Case& question, const HowToAsk& how, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return {ErrorCode::kResource, fmt::format("{}: {}", folder.string(), failed.message())};
  }
  const bool alone = can_be_alone(question, how);
  if (alone) {
    const Status room = save_environment(question.rooms.front(), folder / "room.ply");
    if (!room) return room;
    for (std::size_t i = 0; i < question.members.size(); ++i) {
      const Status written =
          write_member(question.members[i].avatar, question.instants.front()[i], folder, i);
      if (!written) return written;
    }
  }
  const std::string lines =
      alone ? ask_again(question, how)
            : fmt::format("exec \"$tocsin\" selftest --case {} --backend {}{}\n", how.number,
                          how.backend, how.options.empty() ? "" : " " + how.options);
  return write_text(
      folder / "run.sh",
      fmt::format("#!/bin/sh\n# {}: {}\n# TOCSIN_COMMAND: the command, where it is not on PATH\n"
                  "tocsin=${{TOCSIN_COMMAND:-tocsin}}\n"
                  "cd -- \"$(dirname -- \"$0\")\" || exit\n{}",
                  question.name, question.what, lines));
}

}  // namespace tocsin::selftest
