// The edits of `tocsin update`: VERB:...
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "app/cli/options.h"
#include "app/update/update.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

using base::printable;

struct Halves {
  std::string before;
  std::string after;
};

[[noreturn]] void refuse_edit(std::string_view wanted, const std::string& text) {
  throw UsageError{fmt::format("expected {}, found \"{}\"", wanted, printable(text))};
}

/// Before and behind the last separator, neither empty.
Halves halves(const std::string& rest, char separator, std::string_view wanted,
              const std::string& text) {
  const std::size_t at = rest.rfind(separator);
  if (at == std::string::npos || at == 0 || at + 1 == rest.size()) refuse_edit(wanted, text);
  return {rest.substr(0, at), rest.substr(at + 1)};
}

/// x,y,z[,qw,qx,qy,qz[,scale]]
ShapePlacement parse_place_of(const std::string& text, std::size_t most) {
  const auto parts = split(text, ',');
  const std::size_t n = parts.size();
  if ((n != 3 && n != 7 && n != 8) || n > most) {
    refuse_edit(
        most == 8 ? "x,y,z[,qw,qx,qy,qz[,scale]] behind the @" : "x,y,z[,qw,qx,qy,qz] behind the @",
        text);
  }
  const auto length = [&](std::size_t i) { return parse_length("EDIT", parts[i]); };
  const auto number = [&](std::size_t i) { return parse_number("EDIT", parts[i]); };
  ShapePlacement out;
  out.translation = {length(0), length(1), length(2)};
  if (n >= 7) out.rotation = {number(3), number(4), number(5), number(6)};
  if (n == 8) out.scale = {number(7), number(7), number(7)};
  return out;
}

/// The place behind the last @, which it takes away; none: there is none. A name may hold an @,
/// too: numbers and commas follow this one.
std::optional<ShapePlacement> take_place(std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || text.find(',', at) == std::string::npos) return std::nullopt;
  const ShapePlacement out = parse_place_of(text.substr(at + 1), 8);
  text.resize(at);
  return out;
}

/// NAME=FILE, NAME=FILE@PLACE or NAME@PLACE.
void parse_deformation(std::string rest, const std::string& text, UpdateEdit& out) {
  out.edit.to = take_place(rest);
  const std::size_t is = rest.find('=');
  if (is == std::string::npos && out.edit.to && !rest.empty()) {
    out.edit.object = std::move(rest);
    return;
  }
  auto [before, after] = halves(rest, '=', "deform:NAME=FILE[@PLACE] or deform:NAME@PLACE", text);
  out.edit.object = std::move(before);
  out.file = std::move(after);
}

/// NAME=MESH, MESH being a file, like:OBJECT or loaded:SHAPE; a place may follow behind an @.
void parse_mesh_of(const std::string& rest, bool placed, const std::string& text, UpdateEdit& out) {
  const std::size_t is = rest.find('=');
  const std::string_view wanted =
      placed ? "add:NAME=FILE[@x,y,z...], or like:OBJECT or loaded:SHAPE for the file"
             : "replace:NAME=FILE, or like:OBJECT or loaded:SHAPE for the file";
  if (is == std::string::npos || is == 0 || is + 1 == rest.size()) refuse_edit(wanted, text);
  out.edit.object = rest.substr(0, is);
  std::string mesh = rest.substr(is + 1);
  if (placed) out.edit.at = take_place(mesh).value_or(ShapePlacement{});
  if (mesh.starts_with("like:")) {
    out.edit.like = mesh.substr(5);
  } else if (mesh.starts_with("loaded:")) {
    out.edit.loaded = mesh.substr(7);
  } else {
    out.file = mesh;
  }
}

SceneVerb parse_verb(std::string name, const std::string& text) {
  std::replace(name.begin(), name.end(), '-', '_');
  std::string all;
  for (std::size_t i = 0; i < kSceneVerbs; ++i) {
    const auto verb = static_cast<SceneVerb>(i);
    if (name == name_of(verb)) return verb;
    all += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(verb));
  }
  refuse_edit(fmt::format("VERB:..., the verb one of {}", all), text);
}

/// What is behind the verb, of those that are about more than one name.
void parse_rest(const std::string& rest, const std::string& text, UpdateEdit& out) {
  using enum SceneVerb;
  SceneEdit& edit = out.edit;
  const auto two = [&](std::string_view wanted, std::string& first, std::string& second) {
    auto [before, after] = halves(rest, '=', wanted, text);
    first = std::move(before);
    second = std::move(after);
  };
  const auto place = [&](std::string_view wanted, std::size_t most) {
    auto [before, after] = halves(rest, '@', wanted, text);
    edit.object = std::move(before);
    edit.at = parse_place_of(after, most);
  };
  switch (edit.verb) {
    case kAdd:
    case kReplace:
      return parse_mesh_of(rest, edit.verb == kAdd, text, out);
    case kPlace:
      return place("place:NAME@x,y,z[,qw,qx,qy,qz[,scale]]", 8);
    case kMove:
      return place("move:NAME@x,y,z[,qw,qx,qy,qz]", 7);
    case kDeform:
      return parse_deformation(rest, text, out);
    case kActivatePair:
    case kDeactivatePair:
      return two("two objects, A=B", edit.object, edit.other);
    case kSetSwitch:
      return two("set_switch:OBJECT=SWITCH", edit.object, edit.parent);
    case kChoose:
      return two("choose:SWITCH=OBJECT", edit.parent, edit.object);
    case kActivatePairs:
    case kDeactivatePairs:
      edit.pattern = rest;
      return;
    case kAddSwitch:
    case kChooseNone:
      edit.parent = rest;
      return;
    default:
      edit.object = rest;
      return;
  }
}

}  // namespace

UpdateEdit parse_edit(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon + 1 == text.size()) {
    refuse_edit("VERB:..., as in move:door@1,0,2", text);
  }
  UpdateEdit out;
  out.edit.verb = parse_verb(text.substr(0, colon), text);
  parse_rest(text.substr(colon + 1), text, out);
  return out;
}

}  // namespace tocsin::app
