// One description of a check, for the command line, reports and live sessions.
#pragma once

#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/detector_options.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin {

/// A mesh that an avatar holds: one more link, called like the file.
struct HeldMesh {
  std::string joint;     ///< of the skeleton, or a joint of the avatar's model
  std::string mesh;      ///< its file, of any room format
  Transform place = {};  ///< from the mesh's own coordinates to the joint's frame, metres
};

/// A body: a mesh that moves by itself. An avatar of one joint, with one link called `name`.
struct BodySpec {
  std::string name;  ///< not empty; no two bodies of a check have the same
  std::string mesh;  ///< its file, of any room format
  /// A .poses or .csv of where it is; empty: it moves as its .glb or .gltf says, or stands still.
  std::string motion = {};
};

/// How a skeleton becomes an avatar, and where the avatar stands.
struct AvatarSpec {
  std::string model = "auto";  ///< a shipped model's name, a model's file, or "auto"
  RadiusScale radii = {};      ///< what the model's radii are multiplied by
  Placement place = {};        ///< of the avatar in the room
  std::vector<HeldMesh> hold = {};
};

/// How every step of every avatar is checked. Defaults are those of `tocsin check`.
struct CheckSpec {
  InBetween in_between = InBetween::kScrew;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;                     ///< grows every link's radius, metres, >= 0
  double tolerance = 1e-9;                 ///< wanted width of a toc bracket, step time, > 0
  bool clearance = false;                  ///< asks for StepReport::clearances
  bool self = false;                       ///< an avatar is checked against itself, too
  std::vector<std::string> surfaces = {};  ///< globs of objects that are not solid, "*": none is
  std::vector<std::string> ignore = {};    ///< "LINK:OBJECT" (with self, "LINK:LINK"), shell globs
  std::vector<BodySpec> bodies = {};       ///< meet the avatars, each other and the room
};

/// The options of a detector that answers this; `rest`: all its other options.
inline DetectorOptions detector_options(const CheckSpec& spec, DetectorOptions rest = {}) {
  rest.contacts = spec.contacts;
  rest.margin = spec.margin;
  rest.tolerance = spec.tolerance;
  rest.clearance = spec.clearance;
  rest.surfaces = spec.surfaces;
  return rest;
}

}  // namespace tocsin
