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
  decltype(&SDL_GL_SetSwapInterval) gl_set_swap_interval = nullptr;
  decltype(&SDL_GL_GetDrawableSize) gl_get_drawable_size = nullptr;
  decltype(&SDL_GetWindowSize) get_window_size = nullptr;
  decltype(&SDL_SetWindowSize) set_window_size = nullptr;
  decltype(&SDL_SetWindowMinimumSize) set_window_minimum_size = nullptr;
  decltype(&SDL_GetWindowID) get_window_id = nullptr;
  decltype(&SDL_PollEvent) poll_event = nullptr;
  decltype(&SDL_WaitEventTimeout) wait_event_timeout = nullptr;
  decltype(&SDL_PushEvent) push_event = nullptr;
  decltype(&SDL_StartTextInput) start_text_input = nullptr;
};

/// Loaded once per process. Null if there is none; `problem` says why then.
const SdlLibrary* sdl_library(std::string& problem);

}  // namespace tocsin::gl
