// The SDL2 library, loaded when first used: what runs without a window needs none of it.
#pragma once

#define SDL_MAIN_HANDLED
#include <SDL.h>

#include <string>

namespace tocsin::gl {

struct SdlLibrary {
  decltype(&SDL_InitSubSystem) init_sub_system = nullptr;
  decltype(&SDL_SetHint) set_hint = nullptr;
  decltype(&SDL_GetError) get_error = nullptr;
  decltype(&SDL_GetCurrentVideoDriver) get_current_video_driver = nullptr;
  decltype(&SDL_CreateWindow) create_window = nullptr;
  decltype(&SDL_DestroyWindow) destroy_window = nullptr;
  decltype(&SDL_GL_LoadLibrary) gl_load_library = nullptr;
  decltype(&SDL_GL_ResetAttributes) gl_reset_attributes = nullptr;
  decltype(&SDL_GL_SetAttribute) gl_set_attribute = nullptr;
  decltype(&SDL_GL_CreateContext) gl_create_context = nullptr;
  decltype(&SDL_GL_DeleteContext) gl_delete_context = nullptr;
  decltype(&SDL_GL_MakeCurrent) gl_make_current = nullptr;
  decltype(&SDL_GL_SwapWindow) gl_swap_window = nullptr;
};

/// Loaded once per process. Null if there is none; `problem` says why then.
const SdlLibrary* sdl_library(std::string& problem);

}  // namespace tocsin::gl
