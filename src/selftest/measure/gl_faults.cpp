#include "selftest/measure/gl_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tocsin::selftest {

namespace {

Case question_of(const Environment& room, const Avatar& avatar, const Step& step,
                 const std::string& name) {
  Case out;
  out.name = name;
  out.what = "differed while the machine was measured";
  out.rooms = {room};
  out.members = {Member(avatar)};
  out.instants = {{step}};
  return out;
}

/// The way as the measurement asks: all objects are surfaces, as image space knows no solids.
Way way_of(const GlWay& way, bool certify) {
  Way out{"gl " + way.text(), way.options()};
  out.options.surfaces = {"*"};
  out.options.experiments.certify = certify;
  return out;
}

GlWay other_method(GlWay way) {
  way.method = way.method == GlMethod::kQuery ? GlMethod::kFlags : GlMethod::kQuery;
  return way;
}

}  // namespace

std::vector<GlFault> gl_faults(const CarriedGl& carried) {
  std::vector<GlFault> out;
  const auto add = [&](GlWrong wrong, const GlWay& way, const Avatar& avatar,
                       const std::optional<Step>& step, const std::string& name) {
    if (step) out.push_back({wrong, way, question_of(carried.room, avatar, *step, name)});
  };
  for (const WayRows& row : carried.table.ways) {
    add(GlWrong::kMethods, row.way, carried.avatar, row.differing, "Table 1, both methods");
  }
  for (const FrameRows& row : carried.frames.ways) {
    add(GlWrong::kContacts, row.way, carried.avatar, row.differing, "a frame, certified");
    add(GlWrong::kImage, row.way, carried.avatar, row.uncovered, "a frame in image space");
  }
  for (const CrowdRows& row : carried.crowd) {
    const std::string of = fmt::format("one of {} avatars", row.avatars);
    add(GlWrong::kContacts, {}, carried.crowd_avatar, row.differing, of + ", certified");
    add(GlWrong::kImage, {}, carried.crowd_avatar, row.uncovered, of + " in image space");
  }
  return out;
}

bool shows(const GlFault& fault, const Case& part, const Asker& asker) {
  const bool methods = fault.wrong == GlWrong::kMethods;
  Way reference{"cpu", {.backend = Backend::kCpu, .surfaces = {"*"}}};
  if (methods) reference = way_of(other_method(fault.way), true);
  const auto want = methods ? asker(part, reference, {}, nullptr) : ask(part, reference, {});
  const auto got = asker(part, way_of(fault.way, fault.wrong != GlWrong::kImage), {}, nullptr);
  if (!want || !got || want->size() != got->size()) return false;
  return !std::equal(want->begin(), want->end(), got->begin(),
                     [&](const StepReport& w, const StepReport& g) {
                       if (methods) return w.counters.seen_pairs == g.counters.seen_pairs;
                       return fault.wrong == GlWrong::kImage ? covers(g, w) : same(w, g);
                     });
}

HowToAsk how_to_ask(const GlFault& fault) {
  HowToAsk out;
  out.backend = "gl";
  const bool methods = fault.wrong == GlWrong::kMethods;
  if (methods) out.what = AskAlone::kGlMethods;
  out.options =
      fmt::format("--surface-object '*' --gl-size {}x{}", fault.way.width, fault.way.height);
  if (!methods && fault.way.method == GlMethod::kQuery) out.options += " --gl-method query";
  return out;
}

std::string name_of_way(const GlFault& fault) { return "gl " + fault.way.text(); }

}  // namespace tocsin::selftest
