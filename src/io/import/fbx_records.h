// The record structure of a binary FBX file.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::io {

bool is_binary_fbx(std::string_view bytes);

/// Empty, or why its records must not be read: nested more than `max_depth` deep, or a compressed
/// array that claims more than its bytes can hold. The importer itself reports a broken structure.
std::string fbx_record_fault(std::string_view bytes, int max_depth);

}  // namespace tocsin::io
