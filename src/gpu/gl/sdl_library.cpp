#include "gpu/gl/sdl_library.h"

#include <fmt/format.h>

#include "gpu/gl/shared_library.h"

namespace tocsin::gl {
namespace {

struct LoadedSdl {
  SdlLibrary sdl;
  std::string problem;
};

LoadedSdl load_sdl() {
  LoadedSdl out;
  SdlLibrary& sdl = out.sdl;
  SharedLibrary library("libSDL2-2.0.so.0");
  const bool complete = library.find(sdl.init_sub_system, "SDL_InitSubSystem") &&
                        library.find(sdl.set_hint, "SDL_SetHint") &&
                        library.find(sdl.get_error, "SDL_GetError") &&
                        library.find(sdl.get_current_video_driver, "SDL_GetCurrentVideoDriver") &&
                        library.find(sdl.create_window, "SDL_CreateWindow") &&
                        library.find(sdl.destroy_window, "SDL_DestroyWindow") &&
                        library.find(sdl.gl_load_library, "SDL_GL_LoadLibrary") &&
                        library.find(sdl.gl_reset_attributes, "SDL_GL_ResetAttributes") &&
                        library.find(sdl.gl_set_attribute, "SDL_GL_SetAttribute") &&
                        library.find(sdl.gl_create_context, "SDL_GL_CreateContext") &&
                        library.find(sdl.gl_delete_context, "SDL_GL_DeleteContext") &&
                        library.find(sdl.gl_make_current, "SDL_GL_MakeCurrent") &&
                        library.find(sdl.gl_swap_window, "SDL_GL_SwapWindow");
  if (!complete) {
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
