// A change of a room that sessions are in: what UpdateEnvironment is asked for, and what records
// keep. The verbs are those of Scene (scene.h); objects and switches are named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/shape.h"
#include "tocsin/types.h"

namespace tocsin {

/// What one edit does. In brackets: the fields of SceneEdit that it reads.
enum class SceneVerb : std::uint8_t {
  kAdd,              ///< a new object (object; shape, loaded or like; at)
  kRemove,           ///< (object)
  kReplace,          ///< another mesh, where it stands (object; shape, loaded or like)
  kPlace,            ///< a jump: nothing is claimed about the way (object; at)
  kMove,             ///< checked on its way (object; at, whose scale is not read; in_between)
  kDeform,           ///< corners move on straight lines, checked (object; vertices; to)
  kActivate,         ///< (object)
  kDeactivate,       ///< (object)
  kActivatePair,     ///< (object, other)
  kDeactivatePair,   ///< (object, other)
  kActivatePairs,    ///< `LINK:OBJECT` or `OBJECT:OBJECT`, two shell globs (pattern)
  kDeactivatePairs,  ///< (pattern)
  kAddSwitch,        ///< (parent)
  kSetSwitch,        ///< puts an object under a switch (object, parent)
  kClearSwitch,      ///< takes it away from its switch (object)
  kChoose,           ///< of the switch's objects only this one is there (object, parent)
  kChooseNone,       ///< (parent)
};
inline constexpr std::size_t kSceneVerbs = 17;

/// One verb. Fields that the verb does not read are left as they are.
struct SceneEdit {
  SceneVerb verb = SceneVerb::kPlace;
  std::string object = {};
  std::string other = {};    ///< the second object of a pair
  std::string parent = {};   ///< a switch
  std::string pattern = {};  ///< of pairs
  /// The mesh: exactly one of the next three. A shape of radius 0 that is made of triangles
  /// (Mesh::of); its corners are rounded to floats.
  Shape shape = {};
  std::string loaded = {};  ///< a shape that the server has loaded; OWNER/NAME: another principal's
  std::string like = {};    ///< an object of the room, whose mesh is shared
  /// Of records: the mesh of this object of the room's files.
  std::optional<std::uint32_t> of_file = {};
  ShapePlacement at = {};  ///< in the world, metres
  InBetween in_between = InBetween::kScrew;
  /// As many as the mesh has, in the mesh's own coordinates, metres. With `to` they may be none:
  /// those that it has.
  std::vector<Vec3f> vertices = {};
  /// Of kDeform: at the end it stands there, too, or at another scale. None: where it stands.
  std::optional<ShapePlacement> to = {};
};

/// Edits that take effect together, in order: all or none.
struct SceneChange {
  std::uint64_t version = 0;  ///< of the room with this change; 0: it has none yet
  std::vector<SceneEdit> edits;
};

/// A room as edits of an empty one. Records keep it.
struct SceneState {
  std::uint64_t version = 0;
  std::vector<SceneEdit> edits;
  /// Of a session that has this version in its next step: where objects begin that move in it
  /// (kPlace), and what they begin as (kDeform).
  std::vector<SceneEdit> starts;
};

/// "add", "remove", ...: for messages, records and the command line.
const char* name_of(SceneVerb verb);

}  // namespace tocsin
