#include "view/stroke_font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

/// A glyph's width, then its strokes; a stroke is a list of points, each an x and a y. Units: a
/// capital letter is 10 high, from the baseline, y = 4, to y = e (14); x-height is y = b (11).
constexpr std::array<std::string_view, 95> kGlyphs{
    "3",                                      // space
    "0 0e08 0405",                            // !
    "2 0e0c 2e2c",                            // "
    "5 1e04 5e44 0b5b 0757",                  // #
    "5 5c4e1e0c0b19495756441406 3f33",        // $
    "6 046e 0e1e1c0c0e 5666645456",           // %
    "5 540b0d1e2e3d3b0705143458",             // &
    "0 0e0c",                                 // '
    "2 2e0b0721",                             // (
    "2 0e2b2701",                             // )
    "4 2d27 0c48 4c08",                       // *
    "4 0848 2a26",                            // +
    "1 1402",                                 // ,
    "3 0838",                                 // -
    "0 0405",                                 // .
    "4 024e",                                 // /
    "5 1e0c061444565c4e1e",                   // 0
    "5 1c3e34",                               // 1
    "5 0c1e4e5c5a0454",                       // 2
    "5 0c1e4e5c5b4929 495856441406",          // 3
    "5 444e0757",                             // 4
    "5 5e0e091a4a5856441406",                 // 5
    "5 5c4e1e0c06144456584a1a08",             // 6
    "5 0e5e14",                               // 7
    "5 1e0c0b19495b5c4e1e 1908061444565849",  // 8
    "5 5a48180a0c1e4e5c56441406",             // 9
    "0 0405 0a0b",                            // :
    "1 1402 1a1b",                            // ;
    "4 4b0845",                               // <
    "4 0a4a 0646",                            // =
    "4 0b4805",                               // >
    "4 0c1e3e4c4b2927 2425",                  // ?
    "6 464a2a18162646575b3e1e0b07143454",     // @
    "6 043e64 1858",                          // A
    "6 040e4e5d5a4909 4968665404",            // B
    "6 6c4e2e0c06244466",                     // C
    "6 040e3e6b673404",                       // D
    "5 5e0e0454 0949",                        // E
    "5 5e0e04 0949",                          // F
    "6 6c4e2e0c062444666949",                 // G
    "6 0e04 6e64 0969",                       // H
    "0 0e04",                                 // I
    "4 4e46341406",                           // J
    "5 0e04 5e08 1954",                       // K
    "5 0e0454",                               // L
    "6 040e386e64",                           // M
    "6 040e646e",                             // N
    "6 2e0c062444666c4e2e",                   // O
    "5 040e4e5d5a4909",                       // P
    "6 2e0c062444666c4e2e 3763",              // Q
    "5 040e4e5d5a4909 2954",                  // R
    "5 5c4e1e0c0b19495756441406",             // S
    "6 0e6e 3e34",                            // T
    "6 0e062444666e",                         // U
    "6 0e346e",                               // V
    "8 0e244b648e",                           // W
    "6 0e64 6e04",                            // X
    "6 0e396e 3934",                          // Y
    "6 0e6e0464",                             // Z
    "2 2e0e0222",                             // [
    "4 0e42",                                 // backslash
    "2 0e2e2202",                             // ]
    "4 0b2e4b",                               // ^
    "5 0353",                                 // _
    "1 0e1c",                                 // `
    "4 4b44 4a3b1b0906143445",                // a
    "4 0e04 0a1b3b4946341405",                // b
    "4 4a3b1b0906143445",                     // c
    "4 4e44 4a3b1b0906143445",                // d
    "4 08484a3b1b0906143445",                 // e
    "3 3e2e1c14 0b3b",                        // f
    "4 4b42301001 4a3b1b0906143445",          // g
    "4 0e04 0a1b3b4944",                      // h
    "0 0b04 0d0e",                            // i
    "1 1b1100 1d1e",                          // j
    "4 0e04 4b07 1844",                       // k
    "0 0e04",                                 // l
    "6 0b04 0a1b2b3a34 3a4b5b6a64",           // m
    "4 0b04 0a1b3b4944",                      // n
    "4 1b0906143446493b1b",                   // o
    "4 0b00 0a1b3b4946341405",                // p
    "4 4b40 4a3b1b0906143445",                // q
    "3 0b04 092b3b",                          // r
    "4 4a3b1b0a0918384745341405",             // s
    "3 1e152434 0b3b",                        // t
    "4 0b06143445 4b44",                      // u
    "4 0b244b",                               // v
    "6 0b243a446b",                           // w
    "4 0b44 4b04",                            // x
    "4 0b24 4b1000",                          // y
    "4 0b4b0444",                             // z
    "2 2e1d1a091615 1422",                    // {
    "0 0e02",                                 // |
    "2 0e1d1a291615 1402",                    // }
    "4 081a384a",                             // ~
};
constexpr std::string_view kBox = "5 040e5e5404";
constexpr double kBetween = 2.7;     // units between two glyphs
constexpr double kCapHeight = 10.0;  // units
constexpr double kBaseline = 4.0;
/// Half of a stroke's width. Thinner fades at small sizes, thicker fills the bowls.
constexpr double kPenRadius = 0.68;

struct Point {
  double x = 0.0;
  double y = 0.0;
};
struct Stroke {
  Point from;
  Point to;
};

double digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// The glyph of a text's first character, and how many bytes that takes.
struct Character {
  std::string_view glyph;
  std::size_t bytes = 1;
};

Character first_character(std::string_view text) {
  const auto c = static_cast<unsigned char>(text.front());
  if (c < 0x80) return {c >= ' ' && c < 0x7F ? kGlyphs.at(c - ' ') : kBox, 1};
  std::size_t bytes = 1;  // the rest of a UTF-8 sequence
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) ++bytes;
  return {kBox, bytes};
}

std::vector<Stroke> strokes_of(std::string_view glyph, const Point& at, double unit) {
  std::vector<Stroke> out;
  const auto place = [&](std::size_t i) {
    return Point{at.x + unit * digit(glyph[i]), at.y - unit * (digit(glyph[i + 1]) - kBaseline)};
  };
  for (std::size_t i = 1; i + 1 < glyph.size();) {
    if (glyph[i] == ' ') {
      ++i;
      continue;
    }
    const bool goes_on = i + 3 < glyph.size() && glyph[i + 2] != ' ';
    if (goes_on) out.push_back({place(i), place(i + 2)});
    i += 2;
  }
  return out;
}

double distance(const Stroke& s, const Point& p) {
  const Point d{s.to.x - s.from.x, s.to.y - s.from.y};
  const Point w{p.x - s.from.x, p.y - s.from.y};
  const double dd = d.x * d.x + d.y * d.y;
  const double t = dd > 0.0 ? core::clamp_to((w.x * d.x + w.y * d.y) / dd, 0.0, 1.0) : 0.0;
  const double x = w.x - t * d.x;
  const double y = w.y - t * d.y;
  return std::sqrt(x * x + y * y);
}

void draw_glyph(Image& image, std::string_view glyph, const Point& at, double unit,
                const Colour& colour) {
  const std::vector<Stroke> strokes = strokes_of(glyph, at, unit);
  const double radius = kPenRadius * unit;
  const auto pixel = [](double v) { return static_cast<int>(std::floor(v)); };
  for (int y = pixel(at.y - 12.0 * unit); y <= pixel(at.y + 5.0 * unit); ++y) {
    for (int x = pixel(at.x - unit); x <= pixel(at.x + 10.0 * unit); ++x) {
      double nearest = HUGE_VAL;
      for (const Stroke& s : strokes) nearest = std::min(nearest, distance(s, {x + 0.5, y + 0.5}));
      blend(image, x, y, colour, std::clamp(radius + 0.5 - nearest, 0.0, 1.0));
    }
  }
}

}  // namespace

double text_width(std::string_view text, double cap_height) {
  double units = 0.0;
  while (!text.empty()) {
    const Character c = first_character(text);
    units += digit(c.glyph.front()) + kBetween;
    text.remove_prefix(c.bytes);
  }
  return units * cap_height / kCapHeight;
}

void draw_text(Image& image, double x, double y, std::string_view text, const Pen& pen) {
  const double unit = pen.cap_height / kCapHeight;
  while (!text.empty()) {
    const Character c = first_character(text);
    draw_glyph(image, c.glyph, {x, y}, unit, pen.colour);
    x += unit * (digit(c.glyph.front()) + kBetween);
    text.remove_prefix(c.bytes);
  }
}

std::string_view fitting_part(std::string_view text, double cap_height, double width) {
  std::string_view part;
  while (part.size() < text.size()) {
    const std::size_t more = first_character(text.substr(part.size())).bytes;
    const std::string_view longer = text.substr(0, part.size() + more);
    if (text_width(longer, cap_height) > width) break;
    part = longer;
  }
  return part;
}

void draw_fitting(Image& image, double x, double y, std::string_view text, double width,
                  const Pen& pen) {
  constexpr std::string_view kMissing = "...";
  std::string_view part = fitting_part(text, pen.cap_height, width);
  if (part.size() == text.size()) return draw_text(image, x, y, text, pen);
  part = fitting_part(text, pen.cap_height, width - text_width(kMissing, pen.cap_height));
  draw_text(image, x, y, std::string(part) + std::string(kMissing), pen);
}

void blend(Image& image, int x, int y, const Colour& colour, double share) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || !(share > 0.0)) return;
  const std::size_t at = image.offset(x, y);
  const std::array<float, 3> channel{colour.r, colour.g, colour.b};
  for (std::size_t i = 0; i < 3; ++i) {
    const double old = image.rgb[at + i];
    const double mixed = old + share * (255.0 * static_cast<double>(channel.at(i)) - old);
    image.rgb[at + i] = static_cast<std::uint8_t>(std::floor(mixed + 0.5));
  }
}

void fill(Image& image, int left, int top, int right, int bottom, const Colour& colour,
          double share) {
  for (int y = std::max(0, top); y < std::min(bottom, image.height); ++y) {
    for (int x = std::max(0, left); x < std::min(right, image.width); ++x) {
      blend(image, x, y, colour, share);
    }
  }
}

}  // namespace tocsin::view
