#include "selftest/compare/smallest.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tocsin::selftest {

namespace {

/// Parts of a case that are tried at each level: members, objects, triangles.
constexpr std::size_t kTries = 120;

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

Case with_instant(const Case& whole, std::size_t instant) {
  Case out = whole;
  out.rooms = {whole.room(instant)};
  out.instants = {whole.instants[instant]};
  return out;
}

/// Precondition: one instant.
Case with_members(const Case& whole, const std::vector<std::size_t>& members) {
  Case out = whole;
  out.members.clear();
  out.instants = {{}};
  for (const std::size_t m : members) {
    out.members.push_back(whole.members[m]);
    out.instants.front().push_back(whole.instants.front()[m]);
  }
  return out;
}

/// An object's triangles, some of them.
ObjectMesh part_of(const Environment& room, const Object& object,
                   const std::vector<std::size_t>& triangles) {
  ObjectMesh out;
  out.name = object.name;
  for (const std::size_t t : triangles) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    const auto corners = room.corners(object.first_triangle + static_cast<std::uint32_t>(t));
    out.vertices.insert(out.vertices.end(), corners.begin(), corners.end());
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

/// Precondition: one instant. Nothing if the room cannot be made.
std::optional<Case> with_objects(const Case& whole, const std::vector<std::size_t>& objects) {
  const Environment& room = whole.rooms.front();
  std::vector<ObjectMesh> meshes;
  for (const std::size_t o : objects) {
    const Object& object = room.objects()[o];
    meshes.push_back(part_of(room, object, numbers(object.triangle_count)));
  }
  auto made = Environment::create(std::move(meshes));
  if (!made) return std::nullopt;
  Case out = whole;
  out.rooms = {std::move(made).value()};
  return out;
}

/// Precondition: one instant, one object.
std::optional<Case> with_triangles(const Case& whole, const std::vector<std::size_t>& triangles) {
  const Environment& room = whole.rooms.front();
  auto made = Environment::create({part_of(room, room.objects().front(), triangles)});
  if (!made) return std::nullopt;
  Case out = whole;
  out.rooms = {std::move(made).value()};
  return out;
}

}  // namespace

std::vector<std::size_t> fewest(std::vector<std::size_t> all,
                                const std::function<bool(const std::vector<std::size_t>&)>& errs,
                                std::size_t tries) {
  std::size_t parts = 2;
  while (all.size() > 1 && parts <= 2 * all.size() && tries > 0) {
    const std::size_t length = (all.size() + parts - 1) / parts;
    bool shorter = false;
    for (std::size_t begin = 0; begin < all.size() && tries > 0 && !shorter; begin += length) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto to =
          all.begin() + static_cast<std::ptrdiff_t>(std::min(begin + length, all.size()));
      std::vector<std::size_t> rest(all.begin(), from);
      rest.insert(rest.end(), to, all.end());
      const std::vector<std::size_t> only(from, to);
      for (const std::vector<std::size_t>& kept : {only, rest}) {
        if (kept.empty() || kept.size() == all.size() || tries == 0) continue;
        --tries;
        if (!errs(kept)) continue;
        all = kept;
        shorter = true;
        break;
      }
    }
    parts = shorter ? 2 : 2 * parts;
  }
  return all;
}

Case smallest(const Case& whole, std::size_t report, const std::function<bool(const Case&)>& errs) {
  const std::size_t instant = report / whole.members.size();
  const Case together = with_instant(whole, instant);
  // The member whose report differs, alone: most errors need no other.
  Case out = with_members(together, {report % whole.members.size()});
  if (!errs(out)) {
    if (!errs(together)) return whole;
    out = with_members(
        together,
        fewest(
            numbers(together.members.size()),
            [&](const auto& kept) { return errs(with_members(together, kept)); }, kTries));
  }
  const auto try_parts = [&](std::size_t count, auto part) {
    const Case all = out;
    const auto kept = fewest(
        numbers(count),
        [&](const auto& some) {
          const std::optional<Case> made = part(all, some);
          return made && errs(*made);
        },
        kTries);
    if (kept.size() == count) return;
    if (auto made = part(all, kept)) out = std::move(*made);
  };
  try_parts(out.rooms.front().objects().size(), with_objects);
  if (out.rooms.front().objects().size() == 1) {
    try_parts(out.rooms.front().triangles().size(), with_triangles);
  }
  return out;
}

}  // namespace tocsin::selftest
