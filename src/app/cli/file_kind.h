// Distinguishes takes from rooms.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::app {

struct KnownKind {
  std::optional<FileKind> kind;  ///< none: nothing that Tocsin reads
  /// The file's contents, if they had to be read to find its kind.
  std::optional<MotionContents> contents = std::nullopt;
};

/// The kind of a file: as the option says, or by its extension. A file whose format holds both is a
/// motion if it has one. Errors: of reading such a file.
Result<KnownKind> kind_of(const std::string& file, std::optional<FileKind> told);

/// An error (kUsage) if there is an option that says how a take is read and the file is a room, or
/// the other way round.
Status check_options_fit(FileKind kind, const std::string& file, const MotionOptions& reading,
                         const EnvironmentOptions& room);

/// True for .glb, .gltf and .fbx: they may hold several motions.
bool holds_clips(const std::string& file);

/// True if the file's extension is one of these, in any case of letters.
bool has_extension(const std::string& file, std::initializer_list<std::string_view> extensions);

/// ".bvh, .amc (with its .asf), ..." for messages.
std::string motion_extensions();
std::string room_extensions();

/// An error (kUsage) if `output` is one of the inputs. `option` names it in the message.
Status refuse_overwriting(std::string_view option, const std::string& output,
                          const std::vector<std::string>& inputs);

}  // namespace tocsin::app
