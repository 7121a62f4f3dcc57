#include "view/window/panels/overlaps.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace tocsin::view {
namespace {

struct Box {
  float left, top, right, bottom;
};

/// The letters of one list of draws, clipped; what has the texture's white texel is no letter.
std::vector<Box> letters_of(const ImDrawList& list, const ImVec2& white) {
  std::vector<Box> out;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    for (unsigned i = 0; i + 5 < command.ElemCount; ++i) {
      const auto vertex = [&](unsigned k) -> const ImDrawVert& {
        const auto at = static_cast<int>(command.IdxOffset + i + k);
        return list.VtxBuffer[static_cast<int>(command.VtxOffset) + list.IdxBuffer[at]];
      };
      const ImDrawVert& a = vertex(0);
      const ImDrawVert& c = vertex(2);
      const bool is_letter = a.uv.x != white.x && a.uv.x < c.uv.x && a.uv.y < c.uv.y &&
                             vertex(1).uv.x == c.uv.x && vertex(1).uv.y == a.uv.y;
      if (!is_letter) continue;
      i += 5;  // two triangles
      const Box box{std::max(a.pos.x, command.ClipRect.x), std::max(a.pos.y, command.ClipRect.y),
                    std::min(c.pos.x, command.ClipRect.z), std::min(c.pos.y, command.ClipRect.w)};
      if (box.left < box.right && box.top < box.bottom) out.push_back(box);
    }
  }
  return out;
}

bool cover(const Box& p, const Box& q) {
  // Letters are as tall as a line, and their empty edges lie over those of their neighbours.
  constexpr float kMost = 3.5F;
  return std::min(p.right, q.right) - std::max(p.left, q.left) > kMost &&
         std::min(p.bottom, q.bottom) - std::max(p.top, q.top) > kMost;
}

int count_in(const std::vector<Box>& letters) {
  constexpr float kCell = 32.0F;
  std::map<std::pair<int, int>, std::vector<std::size_t>> cells;
  int out = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Box& box = letters[i];
    const auto cell = [](float x) { return static_cast<int>(std::floor(x / kCell)); };
    bool covers = false;
    for (int y = cell(box.top); y <= cell(box.bottom); ++y) {
      for (int x = cell(box.left); x <= cell(box.right); ++x) {
        std::vector<std::size_t>& here = cells[{x, y}];
        covers = covers || std::any_of(here.begin(), here.end(), [&](std::size_t other) {
                   return cover(letters[other], box);
                 });
        here.push_back(i);
      }
    }
    out += covers ? 1 : 0;
  }
  return out;
}

}  // namespace

int count_overlapping_letters(const ImDrawData& data) {
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  int out = 0;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    out += count_in(letters_of(*data.CmdLists[i], white));
  }
  return out;
}

}  // namespace tocsin::view
