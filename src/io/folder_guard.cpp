#include "io/folder_guard.h"

#include <algorithm>
#include <system_error>

namespace tocsin::io {

bool lies_in(const std::filesystem::path& folder, const std::filesystem::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

bool FolderGuard::allows(const std::string& file) const {
  if (!folder_) return true;
  std::error_code error;
  const std::filesystem::path meant = std::filesystem::weakly_canonical(file, error);
  return !error && !folder_->empty() && lies_in(*folder_, meant);
}

}  // namespace tocsin::io
