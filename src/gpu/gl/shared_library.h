// A shared library that is loaded when first used and stays loaded: graphics drivers keep threads
// and thread-local data that do not survive unloading.
#pragma once

#include <dlfcn.h>

#include <string>
#include <string_view>

namespace tocsin::gl {

class SharedLibrary {
 public:
  /// Tries to load it. `file` as for dlopen(): "libEGL.so.1".
  explicit SharedLibrary(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): thread-local in glibc
    problem_ = why != nullptr ? why : file;
  }
  /// Whether it is there.
  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  /// What was not found first, in the loader's words: the library, or a function; empty if all was.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Sets `function` to the library's function of that name. False if there is none.
  template <class Function>
  bool find(Function*& function, const char* name) {
    function = handle_ != nullptr ? reinterpret_cast<Function*>(dlsym(handle_, name)) : nullptr;
    if (function == nullptr && problem_.empty())
      problem_ = std::string("it has no function ") + name;
    return function != nullptr;
  }

 private:
  void* handle_;
  std::string problem_;
};

}  // namespace tocsin::gl
