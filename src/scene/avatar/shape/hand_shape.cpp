#include "scene/avatar/shape/hand_shape.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// More ways down than that are no hand.
constexpr std::size_t kMostWays = 32;
/// A bone inside the palm begins near the wrist: closer than this times its own length. A knuckle
/// is twice as far away as the next joint.
constexpr double kInPalm = 0.6;
/// The thumb's tip is nearer to the wrist than any finger's: at most so many times as far.
constexpr double kThumbShorter = 0.95;
constexpr std::size_t kBones = 3;

Vec3 unit_way(const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  const double n = core::norm(way);
  return n > 0.0 ? (1.0 / n) * way : Vec3{};
}

/// Every way from the wrist, which is left out, to a site without children.
std::vector<std::vector<int>> ways_down(const SiteTree& tree, int wrist) {
  std::vector<std::vector<int>> done;
  std::vector<std::vector<int>> open;
  for (const int child : tree.site(wrist).children) open.push_back({child});
  while (!open.empty() && done.size() <= kMostWays && open.size() <= kMostWays) {
    std::vector<int> way = std::move(open.back());
    open.pop_back();
    const std::vector<int>& next = tree.site(way.back()).children;
    if (next.empty())
      done.push_back(std::move(way));
    else {
      for (const int child : next) {
        open.push_back(way);
        open.back().push_back(child);
      }
    }
  }
  if (!open.empty()) done.clear();
  return done;
}

/// The fingers by themselves: without what they share, and without twigs.
std::vector<std::vector<int>> fingers_of(const SiteTree& tree, int wrist) {
  std::vector<std::vector<int>> ways = ways_down(tree, wrist);
  std::map<int, int> uses;
  for (const auto& way : ways) {
    for (const int site : way) uses[site] += 1;
  }
  for (auto& way : ways) std::erase_if(way, [&](int site) { return uses[site] > 1; });
  std::erase_if(ways, [](const std::vector<int>& way) { return way.size() < kBones; });
  return ways;
}

/// Index of the thumb; none if it is not clear.
std::optional<std::size_t> thumb_of(const SiteTree& tree, const std::vector<std::vector<int>>& ways,
                                    const Vec3& wrist) {
  std::vector<double> reach;
  std::vector<Vec3> along;
  for (const auto& way : ways) {
    const Vec3& tip = tree.site(way.back()).at;
    reach.push_back(core::norm(tip - wrist));
    along.push_back(unit_way(tree.site(way[way.size() - kBones]).at, tip));
  }
  std::vector<double> alike;  // the sum of cosines to the others
  for (const Vec3& one : along) {
    double sum = 0.0;
    for (const Vec3& other : along) sum += core::dot(one, other);
    alike.push_back(sum);
  }
  const auto least =
      static_cast<std::size_t>(std::min_element(alike.begin(), alike.end()) - alike.begin());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i != least && reach[least] > kThumbShorter * reach[i]) return std::nullopt;
  }
  return least;
}

/// Leaves out a bone inside the palm. False: it does not have three bones then.
bool from_knuckle(const SiteTree& tree, std::vector<int>& way, const Vec3& wrist) {
  const Vec3& first = tree.site(way[0]).at;
  const double bone = core::norm(tree.site(way[1]).at - first);
  if (core::norm(first - wrist) < kInPalm * bone) way.erase(way.begin());
  return way.size() == kBones || way.size() == kBones + 1;
}

}  // namespace

std::optional<HandSites> find_fingers(const SiteTree& tree, int wrist, double forearm) {
  std::vector<std::vector<int>> ways = fingers_of(tree, wrist);
  const Vec3& origin = tree.site(wrist).at;
  if (ways.size() != std::tuple_size_v<HandSites>) return std::nullopt;
  for (const auto& way : ways) {
    if (core::norm(tree.site(way.back()).at - origin) > forearm) return std::nullopt;
  }
  const auto thumb = thumb_of(tree, ways, origin);
  if (!thumb) return std::nullopt;
  HandSites out;
  out[0] = ways[*thumb];
  ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(*thumb));
  if (out[0].size() > kBones + 1) return std::nullopt;
  Vec3 knuckles;
  for (auto& way : ways) {
    if (!from_knuckle(tree, way, origin)) return std::nullopt;
    knuckles = knuckles + 0.25 * tree.site(way[0]).at;
  }
  // Across the hand, from the little finger to the thumb.
  const Vec3 along = unit_way(origin, knuckles);
  const Vec3 way = tree.site(out[0][1]).at - knuckles;
  const Vec3 across = way - core::dot(way, along) * along;
  std::stable_sort(ways.begin(), ways.end(), [&](const auto& a, const auto& b) {
    return core::dot(tree.site(a[0]).at, across) > core::dot(tree.site(b[0]).at, across);
  });
  for (std::size_t i = 0; i < ways.size(); ++i) out[i + 1] = std::move(ways[i]);
  return out;
}

}  // namespace tocsin::scene
