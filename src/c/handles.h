// Handles of the C interface: numbers that have the type of pointers. A handle that was destroyed,
// or never was one, is found out without following it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tocsin::c {

/// What a handle names. Without an object: nothing.
struct Named {
  std::shared_ptr<void> object;
  int kind = 0;
};

/// A new handle, never given before. Throws std::bad_alloc, or a Failure where there are too many.
void* add_handle(Named named);
/// Any thread; waits for no other but for an instant.
Named find_handle(const void* handle) noexcept;
/// What it named, and names no more.
Named remove_handle(const void* handle) noexcept;
/// How many handles name something.
std::size_t handle_count() noexcept;

}  // namespace tocsin::c
