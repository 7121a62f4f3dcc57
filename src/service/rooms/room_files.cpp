#include "service/rooms/room_files.h"

#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX's

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/extension.h"
#include "base/json_text.h"
#include "base/quoted.h"
#include "io/folder_guard.h"
#include "io/import/assimp_room.h"
#include "io/load_environment.h"
#include "io/shape/mesh_files.h"
#include "service/access/names.h"
#include "service/rooms/room_bytes.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPath = 1024;
/// Digits of an upload's hash that name its folder: 80 bits, enough to exclude a collision by
/// chance. A deliberate collision only affects the client's own uploads: a record has the whole
/// hash.
constexpr std::size_t kKeptDigits = 20;

/// True if a client's file name has no special characters.
bool is_plain_text(const std::string& name) {
  return base::valid_utf8(name) == name && !has_controls(name);
}

Error usage(std::string message) { return {ErrorCode::kUsage, std::move(message)}; }

/// How paths are shown to people.
struct Shown {
  std::string stored;  ///< prefix of every path; never shown
  std::string name;    ///< shown in its place
};

std::string shown_text(std::string text, const Shown& shown) {
  if (shown.stored.empty()) return text;
  for (std::size_t at = text.find(shown.stored); at != std::string::npos;
       at = text.find(shown.stored, at + shown.name.size())) {
    text.replace(at, shown.stored.size(), shown.name);
  }
  return text;
}

Error shown_error(const Error& error, const Shown& shown) {
  return {error.code, shown_text(error.message, shown)};
}

/// Adds what was read, in order.
void add_files(RoomParts& parts, io::InputLog read, const Shown& shown) {
  for (io::InputRecord& input : read) {
    parts.files.push_back({shown_text(input.file, shown), input.file, std::move(input.sha256),
                           input.role == "buffer"});
  }
}

Result<RoomParts> read_files(std::span<const fs::path> files, const EnvironmentOptions& options,
                             const io::FolderGuard& guard, const Shown& shown) {
  RoomParts parts;
  std::vector<Environment> environments;
  for (const fs::path& file : files) {
    io::InputLog read;
    Result<Environment> part = io::load_environment(file, options, guard, &read);
    if (!part.ok()) return part.error();
    environments.push_back(std::move(part).value());
    add_files(parts, std::move(read), shown);
  }
  Result<Environment> merged = Environment::merge(environments);
  if (!merged.ok()) return merged.error();
  parts.warnings.assign(merged->warnings().begin(), merged->warnings().end());
  parts.environment = std::move(merged).value();
  return parts;
}

/// read_files(), with private paths removed from messages.
Result<RoomParts> read_shown(std::span<const fs::path> files, const EnvironmentOptions& options,
                             const io::FolderGuard& guard, const Shown& shown) {
  Result<RoomParts> parts = read_files(files, options, guard, shown);
  if (!parts.ok()) return shown_error(parts.error(), shown);
  for (std::string& warning : parts->warnings) warning = shown_text(std::move(warning), shown);
  return parts;
}

/// A mesh, with private paths removed from messages.
Result<RoomParts> read_shown_mesh(const fs::path& file, const Shown& shown) {
  io::InputLog read;
  io::MeshFiles files(&read, io::FolderGuard(fs::path()));
  auto mesh = files.read(file);
  if (!mesh) return shown_error(mesh.error(), shown);
  RoomParts parts;
  parts.mesh = std::move(mesh).value();
  add_files(parts, std::move(read), shown);
  for (const std::string& warning : files.warnings()) {
    parts.warnings.push_back(shown_text(warning, shown));
  }
  return parts;
}

/// Empty, or why a client's path is refused without a look at the disk.
std::string path_fault(const std::string& path) {
  if (path.empty()) return "an empty path";
  if (path.size() > kMostPath) return fmt::format("a path of more than {} bytes", kMostPath);
  const std::string named = base::in_quotes(path, kMostPath);
  if (!is_plain_text(path)) return fmt::format("{}: control characters, or not UTF-8", named);
  const fs::path given(path);
  if (given.is_absolute())
    return fmt::format("{}: paths are relative to the server's folder", named);
  const bool climbs =
      std::any_of(given.begin(), given.end(), [](const fs::path& part) { return part == ".."; });
  return climbs ? fmt::format("{}: \"..\" leads out of the server's folder", named) : std::string();
}

/// The file of a client's path. Errors do not reveal what exists outside of the folder.
Result<fs::path> file_in(const fs::path& folder, const std::string& path) {
  if (std::string fault = path_fault(path); !fault.empty()) return usage(std::move(fault));
  const fs::path file = folder / fs::path(path).lexically_normal();
  std::error_code error;
  const fs::path meant = fs::weakly_canonical(file, error);
  if (error) {  // circular links, names that are too long
    return {ErrorCode::kInput, fmt::format("{}: cannot be looked up: {}", path, error.message())};
  }
  if (!io::lies_in(folder, meant)) {
    return usage(fmt::format("{}: leads out of the server's folder", path));
  }
  if (!fs::exists(meant, error)) {
    return {ErrorCode::kInput, fmt::format("{}: there is no such file", path)};
  }
  if (!fs::is_regular_file(meant, error)) {
    return {ErrorCode::kInput, fmt::format("{}: is not a regular file", path)};
  }
  return file;
}

std::string upload_name_fault(const std::string& name, bool shape) {
  const std::string named = base::in_quotes(name, kMostName);
  if (name.empty() || name.size() > kMostName) {
    return fmt::format("the upload's file name must have 1 to {} bytes, has {}", kMostName,
                       name.size());
  }
  if (!is_plain_text(name) || name.find_first_of("/\\") != std::string::npos || name[0] == '.') {
    return fmt::format(
        "{}: an upload's file name has no folder, no control characters, and does "
        "not start with a dot",
        named);
  }
  std::vector<std::string> known{".obj", ".ply", ".wrl"};
  if (shape) known.emplace_back(".shape");
  const std::vector<std::string> others = io::assimp_room_extensions();
  known.insert(known.end(), others.begin(), others.end());
  if (std::find(known.begin(), known.end(), base::lower_extension(name)) != known.end()) return {};
  return fmt::format("{}: no {} can be read from a file with this extension (known: {})", named,
                     shape ? "shape" : "room", fmt::join(known, ", "));
}

/// Makes a second name of a file or, on another disk, a copy.
std::error_code link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (!error) return error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error;
}

}  // namespace

bool have_hashes(const std::vector<RoomFile>& files, std::span<const std::string> hashes) {
  const auto has = [](const RoomFile& file, const std::string& hash) {
    return file.sha256 == hash;
  };
  return std::equal(files.begin(), files.end(), hashes.begin(), hashes.end(), has);
}

std::uint64_t bytes_in(const fs::path& folder, std::span<const std::string> paths) {
  std::error_code error;
  const fs::path whole = fs::canonical(folder, error);
  std::uint64_t out = 0;
  for (const std::string& path : paths) {
    const auto file = error ? Result<fs::path>(usage({})) : file_in(whole, path);
    if (file) out += room_bytes(whole, *file);
  }
  return out;
}

std::string room_name_fault(const std::string& name) {
  const auto is_known = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == '-';
  };
  const bool good = !name.empty() && name.size() <= kMostName && name[0] != '.' &&
                    std::all_of(name.begin(), name.end(), is_known);
  if (good) return {};
  return fmt::format(
      "a room's name has 1 to {} letters, digits, '-', '_' and '.', and does not "
      "start with '.'; {} is none",
      kMostName, base::in_quotes(name));
}

Result<RoomParts> read_room(std::span<const fs::path> files, const EnvironmentOptions& options) {
  Result<RoomParts> parts = read_files(files, options, io::FolderGuard::anywhere(), {});
  if (!parts.ok()) return parts;
  for (RoomFile& file : parts->files) {
    // Clients see the file's name, not the server's path.
    file.shown = file.stored.filename().string();
    std::error_code error;
    const fs::path absolute = fs::absolute(file.stored, error);
    if (!error) file.stored = absolute;
  }
  return parts;
}

namespace {

/// The folder, and files in it.
struct FilesOf {
  fs::path root;
  std::vector<fs::path> files;

  [[nodiscard]] Shown shown() const {
    return {root == root.root_path() ? std::string() : (root / "").string(), ""};
  }
};

Result<FilesOf> files_of(const fs::path& folder, std::span<const std::string> paths) {
  std::error_code error;
  FilesOf out;
  out.root = fs::canonical(folder, error);
  if (error || !fs::is_directory(out.root, error)) {
    return {ErrorCode::kResource, "the server's folder of rooms cannot be read"};
  }
  for (const std::string& path : paths) {
    Result<fs::path> file = file_in(out.root, path);
    if (!file.ok()) return file.error();
    out.files.push_back(std::move(file).value());
  }
  return out;
}

}  // namespace

Result<RoomParts> read_room_in(const fs::path& folder, std::span<const std::string> paths,
                               const EnvironmentOptions& options) {
  const auto found = files_of(folder, paths);
  if (!found) return found.error();
  return read_shown(found->files, options, io::FolderGuard(found->root), found->shown());
}

Result<RoomParts> read_mesh_in(const fs::path& folder, const std::string& path) {
  const auto found = files_of(folder, std::span(&path, 1));
  if (!found) return found.error();
  return read_shown_mesh(found->files.front(), found->shown());
}

Result<UploadedFile> UploadedFile::take(const fs::path& bytes, const std::string& name,
                                        bool shape) {
  if (std::string fault = upload_name_fault(name, shape); !fault.empty()) {
    return usage(std::move(fault));
  }
  std::string folder = (bytes.parent_path() / "tocsin-room-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return {ErrorCode::kResource, fmt::format("{}: the upload cannot be stored: {}", name,
                                              std::generic_category().message(errno))};
  }
  UploadedFile out;
  out.folder_ = folder;
  out.name_ = name;
  if (const std::error_code error = link_or_copy(bytes, out.folder_ / name)) {
    return {ErrorCode::kResource,
            fmt::format("{}: the upload cannot be stored: {}", name, error.message())};
  }
  return out;
}

UploadedFile::UploadedFile(UploadedFile&& other) noexcept { *this = std::move(other); }

UploadedFile& UploadedFile::operator=(UploadedFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(name_, other.name_);
  return *this;
}

UploadedFile::~UploadedFile() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<RoomParts> UploadedFile::read(const EnvironmentOptions& options) const {
  const fs::path file = folder_ / name_;
  Result<RoomParts> parts = read_shown(std::span(&file, 1), options, io::FolderGuard(fs::path()),
                                       {(folder_ / "").string(), ""});
  if (!parts.ok()) return parts;
  for (RoomFile& stored : parts->files) stored.stored.clear();
  return parts;
}

Result<RoomParts> UploadedFile::read_mesh() const {
  Result<RoomParts> parts = read_shown_mesh(folder_ / name_, {(folder_ / "").string(), ""});
  if (!parts.ok()) return parts;
  for (RoomFile& stored : parts->files) stored.stored.clear();
  return parts;
}

bool is_kept_folder(const std::string& name) {
  return name.size() == kKeptDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Status UploadedFile::keep(const fs::path& folder, RoomFile& file, std::uint64_t& added) const {
  const fs::path place = fs::absolute(folder) / file.sha256.substr(0, kKeptDigits);
  const fs::path target = place / name_;
  const fs::path partial = place / ("." + folder_.filename().string());  // a unique name
  std::error_code error;
  const bool is_new = !fs::exists(target, error);
  const std::uint64_t size = fs::file_size(folder_ / name_, error);
  if (!error) fs::create_directories(place, error);
  if (!error) error = link_or_copy(folder_ / name_, partial);
  if (!error) fs::rename(partial, target, error);
  if (error) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    return Error{ErrorCode::kResource,
                 fmt::format("{}: the upload cannot be kept: {}", name_, error.message())};
  }
  file.stored = target;
  added = is_new ? size : 0;
  return Nothing{};
}

}  // namespace tocsin::service
