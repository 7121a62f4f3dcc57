#include "view/window/film_pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace tocsin::view {
namespace {

Error film_error(ErrorCode code, std::string message) { return {code, std::move(message)}; }

/// Beside the film, with its ending, which tells ffmpeg the format.
std::string part_of(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string name =
      fmt::format(".{}.part-{}{}", path.stem().string(), ::getpid(), path.extension().string());
  return (path.parent_path() / name).string();
}

}  // namespace

FilmPipe::~FilmPipe() { give_up(); }

Status FilmPipe::open(const std::string& file, int width, int height) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return film_error(ErrorCode::kResource, "no pipe to ffmpeg could be made");
  }
  file_ = file;
  part_ = part_of(file);
  width_ = width;
  height_ = height;
  const std::string size = fmt::format("{}x{}", width, height);
  const std::string rate = fmt::format("{}", kFilmRate);
  // Sizes of this format are even.
  std::vector<std::string> words{
      "ffmpeg",    "-v",         "error",    "-y",
      "-f",        "rawvideo",   "-pix_fmt", "rgb24",
      "-s",        size,         "-r",       rate,
      "-i",        "-",          "-vf",      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
      "-c:v",      "libx264",    "-pix_fmt", "yuv420p",
      "-crf",      "18",         "-preset",  "veryfast",
      "-movflags", "+faststart", part_};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  // A group of its own: Ctrl-C is for the window, which then ends the film in good order.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int problem =
      ::posix_spawnp(&process_, "ffmpeg", &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (problem != 0) {
    ::close(ends[1]);
    process_ = -1;
    return problem == ENOENT
               ? film_error(ErrorCode::kUnavailable,
                            "a film needs the program ffmpeg, which is not found; on Debian: apt "
                            "install ffmpeg")
               : film_error(ErrorCode::kResource, "ffmpeg could not be started");
  }
  input_ = ends[1];
  return Nothing{};
}

Status FilmPipe::add(const Image& image, int count) {
  if (image.width != width_ || image.height != height_) {
    give_up();
    return film_error(ErrorCode::kResource,
                      fmt::format("{}: the window's size changed, and a film has one", file_));
  }
  for (int i = 0; i < count; ++i) {
    std::size_t done = 0;
    while (done < image.rgb.size()) {
      const ssize_t wrote = ::write(input_, image.rgb.data() + done, image.rgb.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) {
        give_up();
        return film_error(ErrorCode::kResource,
                          fmt::format("{}: ffmpeg ended before the film did (its message is on "
                                      "standard error)",
                                      file_));
      }
      done += static_cast<std::size_t>(wrote);
    }
  }
  return Nothing{};
}

int FilmPipe::wait_for_end() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
  int status = -1;
  while (process_ > 0 && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

Status FilmPipe::close() {
  if (wait_for_end() != 0) {
    std::remove(part_.c_str());
    return film_error(ErrorCode::kResource,
                      fmt::format("{}: ffmpeg failed (its message is on standard error)", file_));
  }
  std::error_code problem;
  std::filesystem::rename(part_, file_, problem);
  if (!problem) return Nothing{};
  std::remove(part_.c_str());
  return film_error(ErrorCode::kResource, fmt::format("{}: {}", file_, problem.message()));
}

void FilmPipe::give_up() {
  if (!is_open()) return;
  wait_for_end();
  std::remove(part_.c_str());
}

}  // namespace tocsin::view
