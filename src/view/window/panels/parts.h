// What panels are put together from.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/contact.h"
#include "view/image.h"
#include "view/window/layout.h"

namespace tocsin::view {

ImU32 ink_of(const Colour& colour, double alpha = 1.0);
/// Of a name in the files: without control characters, and without what ImGui would hide.
std::string plain(std::string_view text);
/// As much of a text as is so wide; "..." stands for the rest, which a tooltip shows.
void put_fitting(std::string_view text, float width);
std::string fitting(std::string_view text, float width);
/// elided_to(), of the letters that panels have.
std::string elided(std::string_view name, float width);
/// elided(), with the whole name in a tooltip.
void put_elided(std::string_view name, float width);
/// Shows the whole of a text that was cut.
void put_whole(std::string_view text);
/// A text in lines that are so wide, cut between words, or within one that is wider; what is beyond
/// `most` lines is "...".
std::vector<std::string> wrapped(std::string_view text, float width, std::size_t most);
void put(std::string_view text);
void put_soft(std::string_view text);
/// "hit" with its colour before it.
void put_kind(ContactStatus status, std::string_view text);
const char* kind_text(ContactStatus status);
/// How a panel lies among the others: as a part of the window, over the view and seen through, or
/// over everything.
enum class Layer : std::uint8_t { kPart, kLabels, kFront };
/// Scrolls the window that is begun to a whole number of parts.
void scroll_by_whole(float part);
/// A window that is a part of ours: it does not move.
bool begin_panel(const char* name, const Rect& at, Layer layer = Layer::kPart);
void end_panel();

inline constexpr Colour kSoftColour{0.353F, 0.392F, 0.447F};  // #5a6472

}  // namespace tocsin::view
