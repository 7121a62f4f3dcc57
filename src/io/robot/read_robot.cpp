#include "base/extension.h"
#include "io/robot/robot_xml.h"
#include "io/robot/urdf.h"

namespace tocsin::io {

bool is_urdf(const std::filesystem::path& file) { return base::lower_extension(file) == ".urdf"; }

Result<Robot> read_robot(const std::filesystem::path& file, std::string_view role, InputLog* log) {
  const auto text = read_text_input(file, role, log, kMaxRobotBytes);
  if (!text) return text.error();
  return parse_urdf(*text, file.string());
}

}  // namespace tocsin::io
