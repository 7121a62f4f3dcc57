#include "gpu/gl/context/sdl_events.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace tocsin::gl {
namespace {

using Kind = WindowEvent::Kind;

/// Keys that write nothing, or whose text is no name. Others come as text.
struct NamedKey {
  SDL_Keycode code;
  std::string_view name;
};
constexpr std::array<NamedKey, 25> kNamedKeys{{{SDLK_LEFT, "left"},
                                               {SDLK_RIGHT, "right"},
                                               {SDLK_UP, "up"},
                                               {SDLK_DOWN, "down"},
                                               {SDLK_HOME, "home"},
                                               {SDLK_END, "end"},
                                               {SDLK_PAGEUP, "pageup"},
                                               {SDLK_PAGEDOWN, "pagedown"},
                                               {SDLK_RETURN, "enter"},
                                               {SDLK_KP_ENTER, "enter"},
                                               {SDLK_ESCAPE, "escape"},
                                               {SDLK_TAB, "tab"},
                                               {SDLK_BACKSPACE, "backspace"},
                                               {SDLK_DELETE, "delete"},
                                               {SDLK_F1, "f1"},
                                               {SDLK_F2, "f2"},
                                               {SDLK_F3, "f3"},
                                               {SDLK_F4, "f4"},
                                               {SDLK_F5, "f5"},
                                               {SDLK_F6, "f6"},
                                               {SDLK_F7, "f7"},
                                               {SDLK_F8, "f8"},
                                               {SDLK_F9, "f9"},
                                               {SDLK_F10, "f10"},
                                               {SDLK_F11, "f11"}}};

/// Empty: the key comes as text.
std::string name_of(const SDL_Keysym& key) {
  for (const NamedKey& named : kNamedKeys) {
    if (named.code == key.sym) return std::string(named.name);
  }
  const bool control = (key.mod & KMOD_CTRL) != 0;
  if (control && key.sym >= SDLK_a && key.sym <= SDLK_z) {
    return {static_cast<char>(key.sym)};
  }
  return {};
}

WindowEvent at(Kind kind, double x, double y, double density) {
  WindowEvent out;
  out.kind = kind;
  out.x = x * density;
  out.y = y * density;
  return out;
}

int button_of(Uint8 button) {
  return button == SDL_BUTTON_RIGHT ? 1 : button == SDL_BUTTON_MIDDLE ? 2 : 0;
}

void add_key(const SDL_KeyboardEvent& key, std::vector<WindowEvent>& out) {
  std::string name = name_of(key.keysym);
  if (name.empty()) return;
  WindowEvent event;
  event.kind = key.type == SDL_KEYDOWN ? Kind::kKey : Kind::kKeyUp;
  event.shift = (key.keysym.mod & KMOD_SHIFT) != 0;
  if (event.kind == Kind::kKey) {
    if (event.shift) name.insert(0, "shift+");
    if ((key.keysym.mod & KMOD_CTRL) != 0) name.insert(0, "ctrl+");
  }
  event.text = std::move(name);
  out.push_back(std::move(event));
}

void add_window(const SDL_WindowEvent& window, std::vector<WindowEvent>& out) {
  WindowEvent event;
  switch (window.event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_RESIZED:
      event.kind = Kind::kResize;
      break;
    case SDL_WINDOWEVENT_CLOSE:
      event.kind = Kind::kClose;
      break;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
      break;
    default:
      return;
  }
  out.push_back(event);
}

SDL_Event plain(Uint32 type) {
  SDL_Event out;
  std::memset(&out, 0, sizeof out);
  out.type = type;
  return out;
}

SDL_Event key_event(std::string_view text, bool down, Uint32 window) {
  SDL_Event out = plain(down ? SDL_KEYDOWN : SDL_KEYUP);
  out.key.windowID = window;
  const auto take = [&text](std::string_view held) {
    if (!text.starts_with(held) || text.size() == held.size()) return false;
    text.remove_prefix(held.size());
    return true;
  };
  if (take("ctrl+")) out.key.keysym.mod |= KMOD_LCTRL;
  if (take("shift+")) out.key.keysym.mod |= KMOD_LSHIFT;
  for (const NamedKey& named : kNamedKeys) {
    if (named.name == text) {
      out.key.keysym.sym = named.code;
      break;
    }
  }
  if (text.size() == 1) out.key.keysym.sym = text.front();
  return out;
}

}  // namespace

void SdlEvents::operator()(const SDL_Event& event, std::vector<WindowEvent>& out) const {
  switch (event.type) {
    case SDL_QUIT:
      out.push_back({Kind::kClose});
      return;
    case SDL_WINDOWEVENT:
      return add_window(event.window, out);
    case SDL_KEYDOWN:
    case SDL_KEYUP:
      return add_key(event.key, out);
    case SDL_TEXTINPUT:
      out.push_back({Kind::kText, event.text.text});
      return;
    case SDL_MOUSEMOTION:
      out.push_back(at(Kind::kMove, event.motion.x, event.motion.y, density_));
      return;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: {
      const bool down = event.type == SDL_MOUSEBUTTONDOWN;
      out.push_back(
          at(down ? Kind::kPress : Kind::kRelease, event.button.x, event.button.y, density_));
      out.back().button = button_of(event.button.button);
      return;
    }
    case SDL_MOUSEWHEEL:
      out.push_back({Kind::kWheel, {}, 0.0, static_cast<double>(event.wheel.y)});
      return;
    default:
      return;
  }
}

std::vector<SDL_Event> sdl_events_of(const WindowEvent& event, Uint32 window, double density) {
  const auto x = static_cast<Sint32>(event.x / density);
  const auto y = static_cast<Sint32>(event.y / density);
  SDL_Event out = plain(SDL_USEREVENT);
  switch (event.kind) {
    case Kind::kKey:
    case Kind::kKeyUp:
      return {key_event(event.text, event.kind == Kind::kKey, window)};
    case Kind::kText: {
      out.type = SDL_TEXTINPUT;
      out.text.windowID = window;
      event.text.copy(out.text.text, sizeof out.text.text - 1);
      return {out};
    }
    case Kind::kMove:
      out.type = SDL_MOUSEMOTION;
      out.motion.windowID = window;
      out.motion.x = x;
      out.motion.y = y;
      return {out};
    case Kind::kPress:
    case Kind::kRelease:
      out.type = event.kind == Kind::kPress ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
      out.button.windowID = window;
      out.button.button = event.button == 1   ? SDL_BUTTON_RIGHT
                          : event.button == 2 ? SDL_BUTTON_MIDDLE
                                              : SDL_BUTTON_LEFT;
      out.button.x = x;
      out.button.y = y;
      return {out};
    case Kind::kWheel:
      out.type = SDL_MOUSEWHEEL;
      out.wheel.windowID = window;
      out.wheel.y = static_cast<Sint32>(event.y);
      return {out};
    case Kind::kClose:
      out.type = SDL_QUIT;
      return {out};
    case Kind::kResize:
    case Kind::kShow:
      break;
  }
  return {};
}

}  // namespace tocsin::gl
