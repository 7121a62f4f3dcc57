// The model that a client sent, as its session's record keeps it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/input_files.h"
#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/result.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A model's file in a record, and the meshes that it names.
struct RecordedModel {
  std::string text;
  std::vector<io::InputRecord> meshes;  ///< in the order in which a reader meets them
};

/// What a record needs to know beyond TrackOptions.
struct KeptModel {
  std::vector<RoomFile> shapes = {};  ///< the files of TrackOptions::shapes, in order
  std::optional<RecordedModel> past = std::nullopt;  ///< of a session that is taken over
};

/// The name of a room's file in a record: relative to the folder of records, so that the folder may
/// be moved, or else absolute.
std::string input_name(const RoomFile& file, const std::filesystem::path& folder);

/// The model's file, without names for joints that no link has: they have no effect, and model
/// files may not have them. Shapes that the server has, it names by their kept files; others it
/// holds. `display_name`: of the file. Errors (kInput): what the format cannot hold.
Result<RecordedModel> record_model(const AvatarModel& model, std::span<const LoadedShape> shapes,
                                   const KeptModel& kept, const std::filesystem::path& folder,
                                   const std::string& display_name);

}  // namespace tocsin::service
