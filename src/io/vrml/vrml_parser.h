// From the text of a VRML97 file to its nodes, as they stand there.
#pragma once

#include <string_view>

#include "io/vrml/vrml_scene.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Parses the text of a .wrl; `file` is its name in messages. Views point into `text`.
///
/// Fields that say where geometry is are kept, all others are passed over, ROUTEs and Scripts too.
/// A node of an unknown type keeps its fields with nodes in them. USE means the closest DEF before
/// it (inside a PROTO, its interface too: within it), which may be a node around it.
/// Errors (kInput), `file:line: cause`: not VRML97; malformed; a value of the wrong type; a USE
/// without DEF; a DEF name longer than 256 bytes; nested more than 500 deep (nesting.h).
/// Takes time in proportion to the text, however its PROTOs are nested, and memory of up to 70
/// times its size for a file of nothing but empty nodes and fields; of usual ones, two or three
/// times.
Result<VrmlParsed> parse_vrml_nodes(std::string_view text, std::string_view file);

}  // namespace tocsin::io
