#include "app/cli/parse_parts.h"

#include <algorithm>

namespace tocsin::app {
namespace {

constexpr int kMostThreads = 1024;

}  // namespace

CLI::Option* add_text(CLI::App& app, const char* name, std::string& value, const char* type,
                      const char* description, const char* group) {
  CLI::Option* option = app.add_option(name, value, description)->type_name(type);
  return *group == '\0' ? option : option->group(group);
}

CLI::Option* add_text(CLI::App& app, const OptionText& option, std::string& value,
                      const char* group) {
  return add_text(app, option.name, value, option.type, option.text, group);
}

void add_texts(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
               const char* description, const char* group) {
  app.add_option(name, values, description)->type_name(type)->group(group)->allow_extra_args(false);
}

void add_texts(CLI::App& app, const OptionText& option, std::vector<std::string>& values,
               const char* group) {
  add_texts(app, option.name, values, option.type, option.text, group);
}

void add_flag(CLI::App& app, const OptionText& option, bool& value, const char* group) {
  app.add_flag(option.name, value, option.text)->group(group);
}

void add_out(CLI::App& app, std::string& value, const char* what, const char* otherwise) {
  const std::string text = fmt::format(fmt::runtime(option::kOut.text), what, otherwise);
  add_text(app, option::kOut.name, value, option::kOut.type, text.c_str(), kRunning);
}

void add_seed(CLI::App& app, std::string& value, const char* what, const char* group) {
  const std::string text = fmt::format(fmt::runtime(option::kSeed.text), what);
  add_text(app, option::kSeed.name, value, option::kSeed.type, text.c_str(), group);
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

std::vector<int> parse_cuda_devices(const std::string& text) {
  std::vector<int> out;
  if (text.empty()) return out;
  for (const std::string_view part : split(text, ',')) {
    const int index =
        static_cast<int>(parse_whole(option::kCudaDevice.name, part, 0, kMostDevices));
    if (std::find(out.begin(), out.end(), index) != out.end()) {
      throw UsageError{fmt::format("{}: device {} is named twice in \"{}\"",
                                   option::kCudaDevice.name, index, base::printable(text))};
    }
    out.push_back(index);
  }
  return out;
}

double parse_lookahead(std::string_view option, const std::string& text) {
  constexpr double kMost = 1.0;  // seconds; the server's limit
  return parse_number_in(option, text, 1e-6, kMost, "above 0, at most 1 (seconds)");
}

int parse_threads(const std::string& text) {
  return text.empty() ? 0 : static_cast<int>(parse_whole("--threads", text, 1, kMostThreads));
}

void PerTake::add(CLI::App& app, const OptionText& option, const char* group, bool several) {
  name_ = option.name;
  std::string text = option.text;
  if (several) text += "; once for all takes or once for each";
  CLI::Option* const added =
      app.add_option(option.name, given_, text)->type_name(option.type)->allow_extra_args(false);
  if (!several) added->expected(1);
  if (*group != '\0') added->group(group);
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
  skeleton_.add(app, option::kSkeleton, group, several);
  unit_.add(app, option::kMotionUnit, group, several);
  rate_.add(app, option::kReadingRate, group, several);
  clip_.add(app, option::kClip, group, several);
  skin_.add(app, option::kSkin, group, several);
  up_.add(app, option::kMotionUp, group, several);
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
  add_text(app, option::kEnvUp, up_, group);
  add_text(app, option::kEnvScale, scale_, group);
}

void ReadingArguments::add(CLI::App& app, const char* automatic) {
  const std::string text = fmt::format(fmt::runtime(option::kAs.text), automatic);
  add_text(app, option::kAs.name, as_, option::kAs.type, text.c_str());
  motion_.add(app);
  room_.add(app);
}

EnvironmentOptions RoomArguments::options() const {
  return {parse_number_in("--env-scale", scale_, kLeast, kGreatest, "above 0"),
          parse_name<UpAxis>("--env-up", up_)};
}

}  // namespace tocsin::app
