#include "io/shape/animated_file.h"

#include <string>
#include <string_view>

#include "base/extension.h"
#include "base/text_file.h"

namespace tocsin::io {
namespace {

/// What an animation is called in the format of these files; empty: it has none.
std::string_view word_of_animation(std::string_view extension) {
  if (extension == ".glb" || extension == ".gltf") return "\"animations\"";
  if (extension == ".dae") return "<animation";
  if (extension == ".fbx") return "AnimationCurve";
  if (extension == ".wrl" || extension == ".x3d") return "Interpolator";
  return {};
}

}  // namespace

bool speaks_of_animation(const std::filesystem::path& file) {
  const std::string extension = base::lower_extension(file);
  const std::string_view word = word_of_animation(extension);
  if (word.empty()) return false;
  const auto bytes = base::read_file(file);
  return bytes && bytes->find(word) != std::string::npos;
}

}  // namespace tocsin::io
