#include "app/parse_parts.h"

#include <limits>

namespace tocsin::app {
namespace {

constexpr int kMostThreads = 1024;
constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::min();

}  // namespace

CLI::Option* add_text(CLI::App& app, const char* name, std::string& value, const char* type,
                      const char* description, const char* group) {
  CLI::Option* option = app.add_option(name, value, description)->type_name(type);
  return *group == '\0' ? option : option->group(group);
}

void add_texts(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
               const char* description, const char* group) {
  app.add_option(name, values, description)->type_name(type)->group(group)->allow_extra_args(false);
}

void refuse_empty(const CLI::App& app, std::initializer_list<const char*> options) {
  for (const char* const name : options) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr) continue;  // not one of this command's
    for (const std::string& value : option->results()) {
      if (value.empty()) throw UsageError{fmt::format("{}: the value is empty", name)};
    }
  }
}

int parse_threads(const std::string& text) {
  return text.empty() ? 0 : static_cast<int>(parse_whole("--threads", text, 1, kMostThreads));
}

void MotionArguments::add(CLI::App& app, const char* group) {
  add_text(app, "--skeleton", skeleton_, "FILE",
           "The .asf skeleton of an .amc take (the one beside it whose name is the part before _)",
           group);
  add_text(app, "--motion-unit", unit_, "U",
           "One unit of the take: m, cm, mm, in, cmu (0.0254/0.45 m), a number of metres, or auto: "
           "from the file, else the one that makes the rest skeleton 1.2 to 2.2 m tall (auto)",
           group);
  add_text(app, "--rate", rate_, "HZ",
           "Frame rate, where the file has none (.amc: 120), or to sample a .glb, .gltf or .fbx at",
           group);
  add_text(app, "--clip", clip_, "NAME", "Which animation of a .glb, .gltf or .fbx (the only one)",
           group);
  add_text(app, "--skin", skin_, "NAME",
           "Which skeleton of a .glb, .gltf or .fbx (the only one that the clip moves)", group);
  add_text(app, "--motion-up", up_, "y|z|x", "Axis of the take that points up (y)", group);
}

MotionOptions MotionArguments::options(const CLI::App& app) const {
  refuse_empty(app, {"--skeleton", "--rate", "--clip", "--skin"});
  MotionOptions out;
  out.unit_metres = parse_unit("--motion-unit", unit_);
  out.up = parse_name<UpAxis>("--motion-up", up_);
  if (!skeleton_.empty()) out.skeleton = skeleton_;
  if (!rate_.empty()) out.rate = parse_number_in("--rate", rate_, kLeast, kMost, "above 0");
  out.clip = clip_;
  out.skin = skin_;
  return out;
}

void RoomArguments::add(CLI::App& app, const char* group) {
  add_text(app, "--env-up", up_, "y|z|x", "Axis of the room that points up (y)", group);
  add_text(app, "--env-scale", scale_, "S", "One unit of the room in metres (1)", group);
}

void ReadingArguments::add(CLI::App& app, const char* as_help) {
  add_text(app, "--as", as_, "motion|room|auto", as_help);
  motion_.add(app);
  room_.add(app);
}

EnvironmentOptions RoomArguments::options() const {
  return {parse_number_in("--env-scale", scale_, kLeast, kMost, "above 0"),
          parse_name<UpAxis>("--env-up", up_)};
}

}  // namespace tocsin::app
