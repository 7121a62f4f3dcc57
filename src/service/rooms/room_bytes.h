// How much is read for a room: for the memory budget.
#pragma once

#include <cstdint>
#include <filesystem>

namespace tocsin::service {

/// Bytes of a room's file and of what it says it refers to: a glTF file's buffers, and the X3D
/// files that an .x3d inlines, each as often as it is inlined. Files outside of `root`, an absolute
/// path without symlinks, are not looked at, and not read either. At most 2^50.
std::uint64_t room_bytes(const std::filesystem::path& root, const std::filesystem::path& file);

}  // namespace tocsin::service
