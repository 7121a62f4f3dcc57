#include "gpu/gl/context/sdl_library.h"

#include <fmt/format.h>

#include "base/shared_library.h"

namespace tocsin::gl {
namespace {

constexpr base::LibraryFunction<SdlLibrary> kSdlFunctions[] = {
    {"SDL_InitSubSystem", base::kInto<&SdlLibrary::init_sub_system>},
    {"SDL_SetHint", base::kInto<&SdlLibrary::set_hint>},
    {"SDL_GetError", base::kInto<&SdlLibrary::get_error>},
    {"SDL_GetCurrentVideoDriver", base::kInto<&SdlLibrary::get_current_video_driver>},
    {"SDL_CreateWindow", base::kInto<&SdlLibrary::create_window>},
    {"SDL_DestroyWindow", base::kInto<&SdlLibrary::destroy_window>},
    {"SDL_GL_LoadLibrary", base::kInto<&SdlLibrary::gl_load_library>},
    {"SDL_GL_ResetAttributes", base::kInto<&SdlLibrary::gl_reset_attributes>},
    {"SDL_GL_SetAttribute", base::kInto<&SdlLibrary::gl_set_attribute>},
    {"SDL_GL_CreateContext", base::kInto<&SdlLibrary::gl_create_context>},
    {"SDL_GL_DeleteContext", base::kInto<&SdlLibrary::gl_delete_context>},
    {"SDL_GL_MakeCurrent", base::kInto<&SdlLibrary::gl_make_current>},
    {"SDL_GL_SwapWindow", base::kInto<&SdlLibrary::gl_swap_window>},
    {"SDL_GL_SetSwapInterval", base::kInto<&SdlLibrary::gl_set_swap_interval>},
    {"SDL_GL_GetDrawableSize", base::kInto<&SdlLibrary::gl_get_drawable_size>},
    {"SDL_GetWindowSize", base::kInto<&SdlLibrary::get_window_size>},
    {"SDL_SetWindowSize", base::kInto<&SdlLibrary::set_window_size>},
    {"SDL_SetWindowMinimumSize", base::kInto<&SdlLibrary::set_window_minimum_size>},
    {"SDL_GetWindowID", base::kInto<&SdlLibrary::get_window_id>},
    {"SDL_PollEvent", base::kInto<&SdlLibrary::poll_event>},
    {"SDL_WaitEventTimeout", base::kInto<&SdlLibrary::wait_event_timeout>},
    {"SDL_PushEvent", base::kInto<&SdlLibrary::push_event>},
    {"SDL_StartTextInput", base::kInto<&SdlLibrary::start_text_input>},
};

struct LoadedSdl {
  SdlLibrary sdl;
  std::string problem;
};

LoadedSdl load_sdl() {
  LoadedSdl out;
  base::SharedLibrary library("libSDL2-2.0.so.0");
  if (!base::find_all(library, kSdlFunctions, out.sdl)) {
    out.problem = fmt::format(
        "the SDL2 library could not be loaded ({}); on Debian: apt install libsdl2-2.0-0",
        library.problem());
  }
  return out;
}

}  // namespace

const SdlLibrary* sdl_library(std::string& problem) {
  static const LoadedSdl loaded = load_sdl();
  problem = loaded.problem;
  return problem.empty() ? &loaded.sdl : nullptr;
}

}  // namespace tocsin::gl
