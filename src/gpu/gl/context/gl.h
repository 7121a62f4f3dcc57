// OpenGL's functions, types and constants: core 4.5, and the extensions that GLEW knows. Includes
// nothing of the window system.
#pragma once

#define GLEW_NO_GLU
#include <GL/glew.h>
