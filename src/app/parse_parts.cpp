#include "app/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr int kMostThreads = 1024;

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

void PerTake::add(CLI::App& app, const char* name, const char* type, const char* description,
                  const char* group, bool several) {
  name_ = name;
  std::string text = description;
  if (several) text += "; once for all takes or once for each";
  CLI::Option* const option =
      app.add_option(name, given_, text)->type_name(type)->allow_extra_args(false);
  if (!several) option->expected(1);
  if (*group != '\0') option->group(group);
}

const std::string& PerTake::of(std::size_t i, std::size_t n) const {
  if (given_.empty()) return usual_;
  if (given_.size() == 1 || given_.size() == n) {
    const std::string& text = given_.size() == 1 ? given_.front() : given_[i];
    return text == "auto" && usual_.empty() ? usual_ : text;
  }
  throw UsageError{fmt::format(
      "{}: given {} times, but {}", name_, given_.size(),
      n == 1 ? std::string("there is one take")
             : fmt::format("there are {} takes: give it once, for all of them, or {} times, once "
                           "for each in their order",
                           n, n))};
}

void MotionArguments::add(CLI::App& app, const char* group, bool several) {
  skeleton_.add(
      app, "--skeleton", "FILE",
      "The .asf skeleton of an .amc take, or auto: the one beside it whose name is the part "
      "before _ (auto)",
      group, several);
  unit_.add(app, "--motion-unit", "U",
            "One unit of the take: m, cm, mm, in, cmu (0.0254/0.45 m), a number of metres, or "
            "auto: from the file, else the one that makes the rest skeleton 1.2 to 2.2 m tall "
            "(auto)",
            group, several);
  rate_.add(app, "--rate", "HZ",
            "Frame rate, where the file has none (.amc: 120), or to sample a .glb, .gltf or .fbx "
            "at; auto: the take's own (auto)",
            group, several);
  clip_.add(app, "--clip", "NAME",
            "Which animation of a .glb, .gltf or .fbx, or auto: the only one (auto)", group,
            several);
  skin_.add(
      app, "--skin", "NAME",
      "Which skeleton of a .glb, .gltf or .fbx, or auto: the only one that the clip moves (auto)",
      group, several);
  up_.add(app, "--motion-up", "y|z|x", "Axis of the take that points up (y)", group, several);
}

MotionOptions MotionArguments::options(const CLI::App& app, std::size_t i, std::size_t n) const {
  refuse_empty(app, {"--skeleton", "--rate", "--clip", "--skin"});
  MotionOptions out;
  out.unit_metres = parse_unit("--motion-unit", unit_.of(i, n));
  out.up = parse_name<UpAxis>("--motion-up", up_.of(i, n));
  if (const std::string& skeleton = skeleton_.of(i, n); !skeleton.empty()) out.skeleton = skeleton;
  if (const std::string& rate = rate_.of(i, n); !rate.empty()) {
    out.rate = parse_number_in("--rate", rate, kLeast, kGreatest, "above 0");
  }
  out.clip = clip_.of(i, n);
  out.skin = skin_.of(i, n);
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
  return {parse_number_in("--env-scale", scale_, kLeast, kGreatest, "above 0"),
          parse_name<UpAxis>("--env-up", up_)};
}

}  // namespace tocsin::app
