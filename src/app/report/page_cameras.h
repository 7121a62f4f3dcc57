// From where a page looks at each episode.
#pragma once

#include <cstddef>
#include <string>

#include "app/export/shown_report.h"

namespace tocsin::app {

/// Episodes for which a camera is chosen, some hundredths of a second each; others are looked at
/// along their normal.
inline constexpr std::size_t kMostCameras = 200;

/// A JSON list of {"eye", "target", "cut"}, one an episode in their order: the cameras of `tocsin
/// render REPORT --episode N` for a picture of 16 to 10, and the objects that they open.
/// Precondition: the room did not change.
std::string page_cameras(const ShownReport& shown);

}  // namespace tocsin::app
