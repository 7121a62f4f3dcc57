// Pictures as an MP4 film, by the program ffmpeg.
#pragma once

#include <sys/types.h>

#include <string>

#include "tocsin/result.h"
#include "view/image.h"

namespace tocsin::view {

/// Pictures a second of a film.
inline constexpr int kFilmRate = 30;

class FilmPipe {
 public:
  FilmPipe() = default;
  FilmPipe(const FilmPipe&) = delete;
  FilmPipe& operator=(const FilmPipe&) = delete;
  /// What is not ended is thrown away.
  ~FilmPipe();

  /// Starts ffmpeg. Errors: kUnavailable: there is none on PATH; kResource. Precondition: not open.
  Status open(const std::string& file, int width, int height);
  [[nodiscard]] bool is_open() const { return process_ > 0; }
  /// Adds a picture of that size `count` times. Errors: kResource: ffmpeg ended, or the size is
  /// another one: the film is thrown away.
  Status add(const Image& image, int count);
  /// Waits for ffmpeg, and gives the film its name. Errors: kResource: ffmpeg's, the disk's.
  Status close();
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  void give_up();
  int wait_for_end();

  pid_t process_ = -1;
  int input_ = -1;
  int width_ = 0;
  int height_ = 0;
  std::string file_;
  std::string part_;
};

}  // namespace tocsin::view
