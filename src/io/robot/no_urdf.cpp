// Where Tocsin is built without liburdfdom.
#include "base/text_file.h"
#include "io/robot/urdf.h"

namespace tocsin::io {

Result<Robot> parse_urdf(std::string_view /*text*/, const std::string& file) {
  return Error{ErrorCode::kInput,
               file +
                   ": this build of Tocsin reads no URDF, as it was built without liburdfdom "
                   "(Debian: liburdfdom-dev)"};
}

}  // namespace tocsin::io
