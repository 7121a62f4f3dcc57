#include "io/folder_guard.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace tocsin::io {
namespace {

thread_local FolderGuard* innermost = nullptr;

}  // namespace

bool lies_in(const std::filesystem::path& folder, const std::filesystem::path& file) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

FolderGuard::FolderGuard(std::filesystem::path folder)
    : folder_(std::move(folder)), outer_(std::exchange(innermost, this)) {}

FolderGuard::~FolderGuard() { innermost = outer_; }

bool FolderGuard::allows(const std::string& file) {
  FolderGuard* const guard = innermost;
  if (guard == nullptr) return true;
  std::error_code error;
  const std::filesystem::path meant = std::filesystem::weakly_canonical(file, error);
  const bool allowed = !error && !guard->folder_.empty() && lies_in(guard->folder_, meant);
  if (!allowed && !guard->refused_) guard->refused_ = file;
  return allowed;
}

std::optional<std::string> FolderGuard::refused() {
  return innermost == nullptr ? std::nullopt : innermost->refused_;
}

}  // namespace tocsin::io
