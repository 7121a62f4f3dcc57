// Describes the clips and skeletons of a .glb, .gltf or .fbx for `tocsin info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tocsin/io.h"

namespace tocsin::app {

/// A table of clips and one of skeletons, where there is more than one to choose from; else empty.
std::string clips_text(const MotionContents& contents);

/// Adds "clips" and "skins", both arrays.
void add_contents(nlohmann::ordered_json& json, const MotionContents& contents);

/// The whole description if no clip or skeleton was chosen yet.
std::string contents_for_people(const std::string& file, const MotionContents& contents);
std::string contents_for_programs(const std::string& file, const MotionContents& contents);

}  // namespace tocsin::app
