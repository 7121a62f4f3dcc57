#include "app/render/picture_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "app/check/contact_words.h"
#include "app/cli/words.h"
#include "base/quoted.h"

namespace tocsin::app {
namespace {

using Sides = std::array<std::string, 2>;

Sides sides_of(const Job& job, std::int32_t avatar, const Contact& contact) {
  return {base::escaped(link_text(job, avatar, contact.link)),
          base::escaped(touched_text(job, avatar, contact))};
}

std::string contact_text(const Job& job, const Step& step, std::int32_t avatar,
                         const Contact& contact) {
  const auto [link, touched] = sides_of(job, avatar, contact);
  if (contact.inside && contact.depth) {
    return fmt::format("{} is inside {} from the start, {} m deep", link, touched,
                       fixed(*contact.depth, 3));
  }
  if (contact.status == ContactStatus::kOverlap) {
    return fmt::format("{} is in {} from the start", link, touched);
  }
  const bool graze = contact.status == ContactStatus::kGraze;
  return fmt::format("{} {} {} at {}", link, graze ? "may touch" : "touches", touched,
                     moment({step.seconds(contact.toc[0]), step.seconds(contact.toc[1])}));
}

std::string state_text(const Job& job, const DrawnStep& drawn, const view::StepScene& scene) {
  if (!drawn.touches()) {
    return job.options.spec.ignore.empty() ? "Proved: nothing is touched"
                                           : "Proved: nothing is touched, but for ignored pairs";
  }
  const double free = scene.stop_time();
  const std::string when = fmt::format("until {} s ({} of the step)",
                                       fixed(drawn.step().seconds(free), 4), fixed(free, 3));
  if (!drawn.about) return free == 0.0 ? "Touching from the start" : "Proved free " + when;
  const view::Actor& actor = drawn.actors[drawn.about->actor];
  const Sides sides =
      sides_of(job, actor.report.avatar, actor.report.contacts[drawn.about->contact]);
  if (free == 0.0) return fmt::format("{} in {} from the start", sides[0], sides[1]);
  return fmt::format("{} proved free of {} {}", sides[0], sides[1], when);
}

}  // namespace

std::string step_text(const Job& job, const Step& step) {
  return fmt::format("{} {} to {}", job.several() ? "instants" : "frames", step.frames()[0],
                     step.frames()[1]);
}

std::vector<std::string> contact_texts(const Job& job, const DrawnStep& drawn) {
  std::vector<std::pair<std::int32_t, const Contact*>> contacts;
  for (const view::Actor& actor : drawn.actors) {
    for (const Contact& contact : actor.report.contacts) {
      contacts.emplace_back(actor.report.avatar, &contact);
    }
  }
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const auto& p, const auto& q) { return p.second->toc < q.second->toc; });
  std::vector<std::string> out;
  out.reserve(contacts.size());
  for (const auto& [avatar, contact] : contacts) {
    out.push_back(contact_text(job, drawn.step(), avatar, *contact));
  }
  return out;
}

view::LegendText legend_of(const Job& job, const DrawnStep& drawn, const view::StepScene& scene,
                           bool with_scale) {
  view::LegendText out;
  const Step& step = drawn.step();
  out.title = fmt::format("{}, {} s to {} s", step_text(job, step), fixed(step.seconds(0.0), 3),
                          fixed(step.seconds(1.0), 3));
  out.title.front() = job.several() ? 'I' : 'F';
  out.state = state_text(job, drawn, scene);
  if (scene.show().contacts) out.contacts = contact_texts(job, drawn);
  if (!with_scale) return out;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t frame = scene.time_scale().at(i);
    const double seconds = job.several() ? job.instants[static_cast<std::size_t>(frame)]
                                         : job.only().motion.seconds(frame);
    out.scale.at(i) = fixed(seconds, 3) + " s";
  }
  if (scene.show().stop) out.mark = scene.scaled_time(scene.stop_time());
  return out;
}

view::Caption caption_of(const Job& job, const io::Episode& episode, std::size_t number) {
  const auto [link, touched] = sides_of(job, episode.avatar, episode.first);
  return {fmt::format("{}: {} {} to {}, {}", number, job.several() ? "instants" : "frames",
                      episode.frames[0], episode.frames[1], moment(episode.first_touch)),
          fmt::format("{} and {}{}", link, touched, episode.proved ? "" : " (graze)")};
}

}  // namespace tocsin::app
