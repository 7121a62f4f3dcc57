// The colours of pictures: objects of the room, time, marks.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tocsin/contact.h"
#include "view/image.h"

namespace tocsin::view {

/// Of a contact: its point, its normal, the triangle that is touched, the outline of the object.
inline constexpr Colour kContactColour{0.886F, 0.063F, 0.294F};
/// The glow of touched triangles; apart from the point that lies on them.
inline constexpr Colour kTouchedColour{1.0F, 0.48F, 0.32F};
/// The avatar at no particular time; of several, the first.
inline constexpr Colour kAvatarColour{0.95F, 0.66F, 0.48F};
/// Of a clearance; as the pages of `tocsin report` have it (view/report/page/page.css).
inline constexpr Colour kClearanceColour{0.122F, 0.710F, 0.541F};  // #1fb58a
inline constexpr Colour kInkColour{0.13F, 0.15F, 0.18F};
inline constexpr Colour kPaperColour{0.965F, 0.968F, 0.973F};

/// Viridis at 0, 1/8, ... 1: even steps of time are even steps of lightness (Smith, van der Walt
/// and Firing 2015, CC0).
inline constexpr std::array<Colour, 9> kTimeColours{{{0.267F, 0.005F, 0.329F},
                                                     {0.278F, 0.173F, 0.478F},
                                                     {0.231F, 0.318F, 0.545F},
                                                     {0.173F, 0.443F, 0.557F},
                                                     {0.129F, 0.565F, 0.553F},
                                                     {0.153F, 0.678F, 0.506F},
                                                     {0.361F, 0.784F, 0.388F},
                                                     {0.667F, 0.863F, 0.196F},
                                                     {0.993F, 0.906F, 0.144F}}};

/// The colour of a time from 0 to 1.
Colour time_colour(double t);

/// Of one of several avatars; eight of them differ. Each is far from every kind's colour, for
/// everybody (a test computes how far).
Colour avatar_colour(std::int32_t index);

/// The colour of a kind, on links and in panels: hit, overlap, graze by ContactStatus; as those
/// pages have it.
Colour kind_colour(ContactStatus status);
/// Of a link that touches nothing, while another of its avatar does: pale and bluish, so that the
/// kinds' colours are far from it for everybody (a test computes how far).
Colour pale_colour(const Colour& own);

/// A muted colour for an object, by its name: the same in every picture. `wide`: for objects that
/// make up much of the room (floors, walls): lighter ones.
Colour object_colour(std::string_view name, bool wide);

/// Converts to and from linear light, channel by channel (IEC 61966-2-1).
float to_linear(float srgb);
float to_srgb(float linear);
Colour to_linear(const Colour& c);
/// `a` and `b` in proportion 1 - t to t, as they look.
Colour mixed(const Colour& a, const Colour& b, float t);

}  // namespace tocsin::view
