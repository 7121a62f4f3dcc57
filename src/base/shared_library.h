// A shared library that is loaded when first used and stays loaded: graphics drivers keep threads
// and thread-local data that do not survive unloading.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tocsin::base {

class SharedLibrary {
 public:
  /// Tries to load it. `file` as for dlopen(): "libEGL.so.1".
  explicit SharedLibrary(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    const char* why = dlerror();  // NOLINT(concurrency-mt-unsafe): thread-local in glibc
    problem_ = why != nullptr ? why : file;
  }
  /// True if the library was loaded.
  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  /// The loader's message about the first missing library or function; empty if all were found.
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

/// One row of a library's table: a function's name, and what sets the pointer of `Table` to it.
template <class Table>
struct LibraryFunction {
  const char* name;
  bool (*find)(SharedLibrary& library, Table& table, const char* name);
};

/// LibraryFunction::find for one member.
template <auto kMember>
inline constexpr auto kInto = [](SharedLibrary& library, auto& table, const char* name) {
  return library.find(table.*kMember, name);
};

/// Sets all pointers of a table. False if the library is not there, or lacks a function
/// (SharedLibrary::problem()).
template <class Table, std::size_t kCount>
bool find_all(SharedLibrary& library, const LibraryFunction<Table> (&functions)[kCount],
              Table& table) {
  for (const LibraryFunction<Table>& function : functions) {
    if (!function.find(library, table, function.name)) return false;
  }
  return true;
}

}  // namespace tocsin::base
