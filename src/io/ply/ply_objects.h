// Objects in a PLY file. The format has none. Tocsin writes them as comments in the header:
//
//     comment tocsin.object FIRST COUNT NAME
//
// FIRST face (from 0), COUNT of faces, all triangles; the objects follow each other and leave no
// face out. NAME is what is left of the line after one blank; in it `\\` is a backslash and `\x0a`
// a control character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/ply/ply_header.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// The comment's line, with its end.
std::string ply_object_comment(const Object& object);

struct PlyObjects {
  std::vector<Object> objects;        ///< none: the file does not say
  std::vector<std::string> warnings;  ///< names that are not UTF-8: a sentence without file
};

/// Reads the comments. Errors (kInput), `line N: cause`: one that is damaged, a name that comes
/// twice, objects that do not follow each other.
Result<PlyObjects> parse_ply_objects(const std::vector<PlyComment>& comments);

}  // namespace tocsin::io
