// OpenGL's functions, types and constants: core 4.5, and the extensions that GLEW knows. Includes
// nothing of the window system.
#pragma once

#define GLEW_NO_GLU
#include <GL/glew.h>

namespace tocsin::gl {

/// Functions of OpenGL 1.1. GLEW has pointers to all later ones, and expects these from a library
/// that is linked. They are pointers here too, so that a program starts where there is no OpenGL.
/// Set by load_first_functions().
struct FirstFunctions {
  decltype(&::glBindTexture) BindTexture = nullptr;
  decltype(&::glBlendFunc) BlendFunc = nullptr;
  decltype(&::glClear) Clear = nullptr;
  decltype(&::glClearColor) ClearColor = nullptr;
  decltype(&::glColorMask) ColorMask = nullptr;
  decltype(&::glDeleteTextures) DeleteTextures = nullptr;
  decltype(&::glDepthFunc) DepthFunc = nullptr;
  decltype(&::glDisable) Disable = nullptr;
  decltype(&::glDrawArrays) DrawArrays = nullptr;
  decltype(&::glDrawElements) DrawElements = nullptr;
  decltype(&::glEnable) Enable = nullptr;
  decltype(&::glFinish) Finish = nullptr;
  decltype(&::glGetError) GetError = nullptr;
  decltype(&::glGetFloatv) GetFloatv = nullptr;
  decltype(&::glGetIntegerv) GetIntegerv = nullptr;
  decltype(&::glGetString) GetString = nullptr;
  decltype(&::glIsTexture) IsTexture = nullptr;
  decltype(&::glPixelStorei) PixelStorei = nullptr;
  decltype(&::glPolygonMode) PolygonMode = nullptr;
  decltype(&::glReadPixels) ReadPixels = nullptr;
  decltype(&::glViewport) Viewport = nullptr;
  /// OpenGL 3.0: what a context offers is asked before GLEW has loaded anything.
  PFNGLGETSTRINGIPROC GetStringi = nullptr;
};
extern FirstFunctions first_functions;

}  // namespace tocsin::gl

#define glBindTexture ::tocsin::gl::first_functions.BindTexture
#define glBlendFunc ::tocsin::gl::first_functions.BlendFunc
#define glClear ::tocsin::gl::first_functions.Clear
#define glClearColor ::tocsin::gl::first_functions.ClearColor
#define glColorMask ::tocsin::gl::first_functions.ColorMask
#define glDeleteTextures ::tocsin::gl::first_functions.DeleteTextures
#define glDepthFunc ::tocsin::gl::first_functions.DepthFunc
#define glDisable ::tocsin::gl::first_functions.Disable
#define glDrawArrays ::tocsin::gl::first_functions.DrawArrays
#define glDrawElements ::tocsin::gl::first_functions.DrawElements
#define glEnable ::tocsin::gl::first_functions.Enable
#define glFinish ::tocsin::gl::first_functions.Finish
#define glGetError ::tocsin::gl::first_functions.GetError
#define glGetFloatv ::tocsin::gl::first_functions.GetFloatv
#define glGetIntegerv ::tocsin::gl::first_functions.GetIntegerv
#define glGetString ::tocsin::gl::first_functions.GetString
#define glIsTexture ::tocsin::gl::first_functions.IsTexture
#define glPixelStorei ::tocsin::gl::first_functions.PixelStorei
#define glPolygonMode ::tocsin::gl::first_functions.PolygonMode
#define glReadPixels ::tocsin::gl::first_functions.ReadPixels
#define glViewport ::tocsin::gl::first_functions.Viewport
