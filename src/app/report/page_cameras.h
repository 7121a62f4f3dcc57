// From where a page looks at each episode.
#pragma once

#include <cstddef>
#include <string>

#include "app/export/shown_report.h"

namespace tocsin::app {

/// Episodes for which a camera is chosen, some hundredths of a second each; others are looked at
/// along their normal.
inline constexpr std::size_t kMostCameras = 200;

/// Times for which an overview is chosen.
inline constexpr int kOverviews = 12;

/// A JSON object for pictures of 16 to 10. "cameras": a list of {"eye", "target", "fov", "cut"},
/// one an episode in their order: the cameras of `tocsin render REPORT --episode N`, and the
/// objects that they open; null: none. "overviews": the same with "seconds", from where the room
/// hides those that are there least. Precondition: the room did not change.
std::string page_cameras(const ShownReport& shown);

}  // namespace tocsin::app
