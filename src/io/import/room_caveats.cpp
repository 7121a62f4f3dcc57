#include "io/import/room_caveats.h"

#include <new>

namespace tocsin::io {

Result<RoomCaveats> room_caveats(std::string_view bytes, std::string_view extension) {
  try {
    if (extension == ".x3d") return x3d_caveats(bytes);
    if (extension == ".stl") return stl_caveats(bytes);
    return RoomCaveats{};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory"};
  }
}

}  // namespace tocsin::io
