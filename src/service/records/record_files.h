// The files of records in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tocsin::service {

/// What a folder holds. What cannot be read, or vanishes meanwhile, is left out.
std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder);

/// A record's .poses file, opened and locked (flock), or not.
class LockedFile {
 public:
  explicit LockedFile(const std::filesystem::path& file);
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  ~LockedFile();
  [[nodiscard]] bool exists() const { return descriptor_ >= 0; }
  [[nodiscard]] bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

/// A folder that this object has for itself (flock), among those of its kind in all processes. It
/// waits for the others. A folder that cannot be opened is not locked.
class LockedFolder {
 public:
  explicit LockedFolder(const std::filesystem::path& folder);
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;
  ~LockedFolder();

 private:
  int descriptor_;
};

/// A record's files, which have one stem.
struct RecordFiles {
  std::string stem;
  std::vector<std::filesystem::path> files;
  std::uint64_t bytes = 0;  ///< of all
  std::filesystem::file_time_type newest = std::filesystem::file_time_type::min();
};

/// True for the stems of record_stem(): no other file of the folder is a record's.
bool is_record_stem(const std::string& stem);

/// All records of a folder, the oldest first. Files that vanish meanwhile are left out.
std::vector<RecordFiles> records_in(const std::filesystem::path& folder);

/// True if a process holds a record: it is being written.
bool is_held(const std::filesystem::path& folder, const std::string& stem);

/// Deletes a record, if no process holds it. True: it is gone.
bool delete_finished(const std::filesystem::path& folder, const RecordFiles& record);

/// The SHA-256 of the rooms that a record needs. None: it says nothing of its inputs, so it may
/// need any.
std::optional<std::set<std::string>> rooms_of(const std::filesystem::path& folder,
                                              const std::string& stem);

/// Clients' rooms that the server keeps: files of folders that are named by the first digits of
/// their SHA-256 (UploadedFile::keep). Nothing else below `folder` is ever touched.
std::vector<std::filesystem::path> kept_rooms(const std::filesystem::path& folder);

}  // namespace tocsin::service
