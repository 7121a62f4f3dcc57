#include "view/window/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/json_text.h"
#include "base/text_scanner.h"
#include "view/window/actions.h"
#include "view/window/story.h"

namespace tocsin::view {
namespace {

struct Command {
  std::string_view name;
  std::size_t least;
  std::size_t most;
  std::string_view words;
  std::string_view text;
};

constexpr std::size_t kAny = 1000;
constexpr std::array kCommands{
    Command{"key", 1, 1, "KEY", "press a key, named as in the key list"},
    Command{"text", 1, kAny, "TEXT", "write into a field"},
    Command{"click", 1, kAny, "CONTROL | X Y", "press and let go the left button"},
    Command{"move", 2, 2, "X Y", "move the pointer"},
    Command{"drag", 4, 5, "X Y X Y [right]", "press, move, let go"},
    Command{"wheel", 1, 3, "NOTCHES [X Y]", "turn the wheel"},
    Command{"wait", 1, 1, "SECONDS", "time goes by"},
    Command{"live", 1, 1, "SECONDS", "as for a person: what the window system tells is done"},
    Command{"settle", 0, 0, "", "wait until nothing is being checked"},
    Command{"await", 2, 3, "WHAT COUNT [SECONDS]",
            "of a server: until so many steps, contacts, ... were received (60 s)"},
    Command{"seek", 1, 1, "SECONDS", "go to a time"},
    Command{"size", 2, 2, "WIDTH HEIGHT", "of the window, pixels"},
    Command{"scale", 1, 1, "FACTOR", "pixels a point"},
    Command{"look", 6, 7, "EX EY EZ TX TY TZ [FOV]", "where the camera stands, what it looks at"},
    Command{"screenshot", 1, kAny, "FILE.png", "save the window"},
    Command{"film", 1, kAny, "FILE.mp4 | end", "begin or end a film"},
    Command{"tell", 0, 0, "", "write the state as a line of JSON to standard output"},
    Command{"lose", 0, 0, "", "lose the context of OpenGL"},
    Command{"close", 0, 0, "", "close the window"},
};

Error wrong(const std::string& file, int number, const std::string& why) {
  return {ErrorCode::kInput, fmt::format("{}:{}: {}", file, number, why)};
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r') {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) out.push_back(word);
  return out;
}

/// Keys that only mean something in a field.
constexpr std::array<std::string_view, 9> kFieldKeys{
    "backspace", "delete", "tab", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+z", "shift+tab"};

/// True if a name ends so, in small letters or capital ones.
bool ends_so(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() &&
         base::same_ignoring_case(name.substr(name.size() - ending.size()), ending);
}

/// Why a line with as many words as its command takes cannot be done, or empty.
std::string misfit(const std::vector<std::string>& words) {
  const std::string& command = words.front();
  if (command == "key") {
    const std::string& key = words[1];
    const bool known = action_of(key).has_value() || key.size() == 1 ||
                       std::find(kFieldKeys.begin(), kFieldKeys.end(), key) != kFieldKeys.end();
    if (!known) return fmt::format("there is no key \"{}\"", base::printable(key));
  }
  if (command == "drag" && words.size() == 6 && words[5] != "right") {
    return fmt::format("expected right, found \"{}\"", base::printable(words[5]));
  }
  if (command == "wheel" && words.size() == 3) return "expected wheel NOTCHES [X Y]";
  // What is written has the form that its name says.
  const std::string& last = words.back();
  if (command == "screenshot" && !ends_so(last, ".png")) {
    return fmt::format("a screenshot is a .png, not \"{}\"", base::printable(last));
  }
  const bool is_film = ends_so(last, ".mp4") || ends_so(last, ".mkv") || ends_so(last, ".mov");
  if (command == "film" && last != "end" && !is_film) {
    return fmt::format("a film is an .mp4, .mkv or .mov, not \"{}\"", base::printable(last));
  }
  if (command == "await" && !count_named({}, words[1])) {
    return fmt::format("expected one of {}", count_names());
  }
  return {};
}

}  // namespace

Result<std::vector<ScriptLine>> parse_script(std::string_view text, const std::string& file) {
  std::vector<ScriptLine> out;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::vector<std::string> words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) continue;
    const auto command =
        std::find_if(kCommands.begin(), kCommands.end(),
                     [&words](const Command& one) { return one.name == words.front(); });
    if (command == kCommands.end()) {
      return wrong(file, number,
                   fmt::format("there is no command \"{}\"", base::printable(words.front())));
    }
    const std::size_t given = words.size() - 1;
    if (given < command->least || given > command->most) {
      return wrong(file, number, fmt::format("expected {} {}", command->name, command->words));
    }
    if (std::string why = misfit(words); !why.empty()) return wrong(file, number, why);
    ScriptLine made;
    made.number = number;
    made.command = words.front();
    words.erase(words.begin());
    made.words = std::move(words);
    const std::size_t behind = line.find(made.command) + made.command.size();
    const std::size_t first = line.find_first_not_of(" \t", behind);
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (first != std::string_view::npos) made.rest = line.substr(first, last - first + 1);
    out.push_back(std::move(made));
  }
  return out;
}

Result<double> script_number(const ScriptLine& line, std::size_t word, const std::string& file) {
  const std::string& text = line.words.at(word);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return wrong(file, line.number,
                 fmt::format("expected a number, found \"{}\"", base::printable(text)));
  }
  return value;
}

std::string script_help() {
  std::string out;
  for (const Command& command : kCommands) {
    out += fmt::format("    {:<36}{}\n", fmt::format("{} {}", command.name, command.words),
                       command.text);
  }
  return out;
}

}  // namespace tocsin::view
