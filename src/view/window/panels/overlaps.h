// Whether letters of panels lie over one another: what a look at a screenshot would find.
#pragma once

struct ImDrawData;

namespace tocsin::view {

/// Letters that a later letter of the same layer covers by more than a pixel either way. Popups
/// and the key list lie over everything else on purpose: layers are compared each with itself.
int count_overlapping_letters(const ImDrawData& data);

}  // namespace tocsin::view
