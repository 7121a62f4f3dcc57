// This library has no backends of devices. The engine asks for them by these names
// (detect/backends/device_component.h); without them here it could find those of the program that
// loads the library, which may be of another version.
extern "C" {
const void* tocsin_gl_component();
const void* tocsin_cuda_component();
}

const void* tocsin_gl_component() { return nullptr; }
const void* tocsin_cuda_component() { return nullptr; }
