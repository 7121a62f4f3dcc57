// The files of records in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tocsin::service {

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

/// A record's files, which have one stem.
struct RecordFiles {
  std::string stem;
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

/// Adds the SHA-256 of the rooms that a record needs. False: it says nothing of its inputs, so it
/// may need any.
bool add_rooms_of(const std::filesystem::path& folder, const std::string& stem,
                  std::set<std::string>& hashes);

}  // namespace tocsin::service
