#include "app/report/page_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "app/cli/words.h"
#include "view/film/fine_parts.h"
#include "view/report/page_scene.h"

namespace tocsin::app {
namespace {

/// What is asked of steps with a contact and of others, from the best on: metres, and parts.
struct Fineness {
  double in_contact = 0.0;
  double elsewhere = 0.0;
  std::int64_t most = 1;
};
constexpr std::array<Fineness, 4> kFineness{
    {{view::kPageTolerance, 1e-3, 64}, {1e-3, 5e-3, 16}, {5e-3, 0.05, 4}, {1.0, 1.0, 1}}};

using StepKey = std::pair<std::int32_t, std::int64_t>;  ///< avatar, step

std::set<StepKey> steps_in_contact(const ShownReport& shown) {
  std::set<StepKey> out;
  for (const io::ToldContact& contact : shown.told.contacts) {
    out.emplace(contact.pair.avatar, contact.step);
    if (contact.pair.of_links()) out.emplace(contact.pair.other_avatar, contact.step);
  }
  return out;
}

/// Parts of every step of every take, and what comes of them.
struct Plan {
  std::vector<std::vector<std::int64_t>> parts;
  std::size_t bytes = 0;
  double in_contact = 0.0;
  double elsewhere = 0.0;
};

Plan plan_with(const ShownReport& shown, const std::set<StepKey>& touching, const Fineness& fine) {
  Plan out;
  for (std::size_t i = 0; i < shown.job.takes.size(); ++i) {
    const JobTake& take = shown.job.takes[i];
    std::vector<std::int64_t>& parts = out.parts.emplace_back();
    std::int64_t samples = 1;
    for (const Step& step : take.steps) {
      const bool touches = touching.contains({static_cast<std::int32_t>(i), step.index()});
      const auto [n, deviation] = view::parts_within(
          take.member.avatar, step, touches ? fine.in_contact : fine.elsewhere, 1, fine.most);
      double& greatest = touches ? out.in_contact : out.elsewhere;
      greatest = std::max(greatest, deviation);
      parts.push_back(n);
      samples += n;
    }
    out.bytes += view::pose_bytes(take.member.avatar, static_cast<std::size_t>(samples));
  }
  return out;
}

/// Leaves every nth sample, and the last.
void thin(view::FilmFigure& figure, std::size_t n) {
  view::FilmFigure out = figure;
  out.seconds.clear();
  out.poses.clear();
  const std::size_t joints = figure.joint_count();
  for (std::size_t k = 0; k < figure.seconds.size(); ++k) {
    if (k % n != 0 && k + 1 != figure.seconds.size()) continue;
    out.seconds.push_back(figure.seconds[k]);
    const auto from = figure.poses.begin() + static_cast<std::ptrdiff_t>(k * joints);
    out.poses.insert(out.poses.end(), from, from + static_cast<std::ptrdiff_t>(joints));
  }
  figure = std::move(out);
}

}  // namespace

PageFilm make_page_film(const ShownReport& shown) {
  const std::set<StepKey> touching = steps_in_contact(shown);
  Plan plan;
  for (const Fineness& fine : kFineness) {
    plan = plan_with(shown, touching, fine);
    if (plan.bytes <= view::kMostPoseBytes) break;
  }
  PageFilm out;
  out.film = make_film(
      shown, [&plan](std::size_t take, std::size_t step) { return plan.parts[take][step]; });
  out.in_contact = plan.in_contact;
  out.elsewhere = plan.elsewhere;
  if (plan.bytes > view::kMostPoseBytes) {
    const std::size_t n = plan.bytes / view::kMostPoseBytes + 1;
    for (view::FilmFigure& figure : out.film.figures) thin(figure, n);
    out.thinned = true;
    out.left_out.push_back(fmt::format(
        "One pose in {} is drawn, with a straight way between them: all would be more than {} MB.",
        n, brief(static_cast<double>(view::kMostPoseBytes) / 1e6)));
  }
  out.film.room = shown.job.environment;
  return out;
}

std::vector<std::uint32_t> touched_triangles(const ShownReport& shown) {
  std::unordered_map<std::string, const Object*> objects;
  for (const Object& object : shown.job.environment.objects()) {
    objects.emplace(object.name, &object);
  }
  std::set<std::uint32_t> out;
  for (const io::ToldContact& contact : shown.told.contacts) {
    if (!contact.triangle) continue;
    const auto found = objects.find(contact.pair.object);
    if (found == objects.end() || *contact.triangle >= found->second->triangle_count) continue;
    out.insert(found->second->first_triangle + static_cast<std::uint32_t>(*contact.triangle));
  }
  return {out.begin(), out.end()};
}

}  // namespace tocsin::app
