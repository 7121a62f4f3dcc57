#include "view/colours.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "io/report/report.h"

namespace tocsin::view {
namespace {

constexpr std::array<Colour, 12> kThings{{{0.62F, 0.58F, 0.52F},
                                          {0.52F, 0.60F, 0.64F},
                                          {0.58F, 0.64F, 0.54F},
                                          {0.66F, 0.55F, 0.50F},
                                          {0.56F, 0.55F, 0.65F},
                                          {0.70F, 0.63F, 0.50F},
                                          {0.47F, 0.55F, 0.60F},
                                          {0.64F, 0.57F, 0.60F},
                                          {0.50F, 0.59F, 0.56F},
                                          {0.60F, 0.52F, 0.45F},
                                          {0.55F, 0.58F, 0.62F},
                                          {0.66F, 0.64F, 0.58F}}};
constexpr std::array<Colour, 4> kWide{
    {{0.82F, 0.80F, 0.76F}, {0.79F, 0.81F, 0.82F}, {0.83F, 0.82F, 0.80F}, {0.80F, 0.78F, 0.75F}}};

/// None is near to a kind's colour for anybody; greys and browns are the room's. Between them and
/// the kinds' are at least 28 CIELAB, and 10 of lightness alone: a test computes it.
constexpr std::array<Colour, 8> kAvatars{{kAvatarColour,
                                          {0.20F, 0.75F, 0.92F},
                                          {0.93F, 0.60F, 0.80F},
                                          {0.24F, 0.82F, 0.44F},
                                          {0.64F, 0.60F, 0.95F},
                                          {0.60F, 0.74F, 0.56F},
                                          {0.46F, 0.10F, 0.13F},
                                          {0.13F, 0.15F, 0.22F}}};

}  // namespace

Colour avatar_colour(std::int32_t index) {
  return kAvatars.at(static_cast<std::size_t>(index) % kAvatars.size());
}

Colour kind_colour(ContactStatus status) {
  switch (status) {
    case ContactStatus::kOverlap:
      return {0.0F, 0.353F, 0.549F};  // #005a8c
    case ContactStatus::kHit:
      return {0.835F, 0.369F, 0.0F};  // #d55e00
    case ContactStatus::kGraze:
      break;
  }
  return {0.941F, 0.894F, 0.259F};  // #f0e442
}

Colour pale_colour(const Colour& own) { return mixed(own, {0.65F, 0.68F, 0.78F}, 0.88F); }

Colour mixed(const Colour& a, const Colour& b, float t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

Colour time_colour(double t) {
  constexpr auto kLast = static_cast<double>(kTimeColours.size() - 1);
  const double at = std::clamp(t, 0.0, 1.0) * kLast;
  const double below = std::min(std::floor(at), kLast - 1.0);
  const auto i = static_cast<std::size_t>(below);
  return mixed(kTimeColours[i], kTimeColours[i + 1], static_cast<float>(at - below));
}

Colour object_colour(std::string_view name, bool wide) {
  io::Fnv1a64 hash;
  hash.update(name);
  // FNV's low bits know little of the last letters' high ones; fold.
  const std::uint64_t h = hash.value() ^ hash.value() >> 29U;
  const Colour base = wide ? kWide.at(h % kWide.size()) : kThings.at(h % kThings.size());
  const float lighter = 0.10F * static_cast<float>(h >> 40U & 0xFFU) / 255.0F;
  return mixed(base, {1.0F, 1.0F, 1.0F}, lighter);
}

float to_linear(float srgb) {
  return srgb <= 0.04045F ? srgb / 12.92F : std::pow((srgb + 0.055F) / 1.055F, 2.4F);
}

float to_srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1.0F / 2.4F) - 0.055F;
}

Colour to_linear(const Colour& c) { return {to_linear(c.r), to_linear(c.g), to_linear(c.b)}; }

}  // namespace tocsin::view
