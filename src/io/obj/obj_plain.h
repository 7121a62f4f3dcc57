// The fast path for OBJ files: reads `v` and `f` lines of the usual form. The slow path reads
// unusual lines and finds all errors.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Reads ` x y z` from what follows a `v`: decimals with at most 15 digits, without exponent,
/// between blanks, and nothing after them. The same bits as std::from_chars. Gives the length up to
/// the line's end; 0, and `position` is anything, if the line is not like that.
std::size_t read_plain_vertex(std::string_view text, Vec3& position);

/// Reads ` a b c ...` from what follows an `f`: three or more indices from 1 to `vertex_count`,
/// each perhaps with `/b`, `//c` or `/b/c`, between blanks; appends the fan's triangles. Gives the
/// length up to the line's end; 0, and nothing is appended, if the line is not like that.
std::size_t read_plain_face(std::string_view text, std::size_t vertex_count,
                            std::vector<TriangleIndices>& triangles);

}  // namespace tocsin::io
