#include "service/rooms/upload.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace tocsin::service {
namespace {

/// The system's error without the path, which clients must not see.
Error not_stored(const std::error_code& why) {
  return {ErrorCode::kResource, fmt::format("the upload cannot be stored: {}", why.message())};
}

Error not_stored() { return not_stored({errno, std::generic_category()}); }

}  // namespace

void Upload::remove() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
  if (!folder_.empty()) std::filesystem::remove(folder_, ignored);
  principal_.used->disk -= counted_;
  counted_ = 0;
  file_.clear();
  folder_.clear();
}

Status Upload::create() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "tocsin-upload-XXXXXX";
  if (error) return not_stored(error);
  if (::mkdtemp(name.data()) == nullptr) return not_stored();
  folder_ = name;
  file_ = folder_ / "room";
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  return descriptor_ < 0 ? Status(not_stored()) : Status(Nothing{});
}

Status Upload::append(std::string_view bytes) {
  if (bytes.size() > most_bytes_ - size_) {
    return {ErrorCode::kResource,
            fmt::format("the file is larger than the {} bytes that may be uploaded", most_bytes_)};
  }
  if (descriptor_ < 0) {
    if (Status status = create(); !status) return status;
  }
  counted_ += bytes.size();
  if ((principal_.used->disk += bytes.size()) > principal_.limits.disk) {
    return {ErrorCode::kResource, fmt::format("your uploads would take more than {} bytes (disk)",
                                              principal_.limits.disk)};
  }
  size_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return not_stored();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Nothing{};
}

Status Upload::close() {
  if (size_ == 0) return {ErrorCode::kInput, "the uploaded file is empty"};
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) return not_stored();
  return Nothing{};
}

}  // namespace tocsin::service
