// The JSON object of `tocsin send --out`.
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/send/send_report.h"
#include "base/json_text.h"
#include "io/report/option_names.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(double value) { return value > 0.0 ? Json(value) : Json(nullptr); }

Json times_of(const SendHistogram& times) {
  return {{"count", times.count()},           {"p50", times.percentile(0.5)},
          {"p90", times.percentile(0.9)},     {"p99", times.percentile(0.99)},
          {"p99_9", times.percentile(0.999)}, {"max", times.most()}};
}

Json options_of(const SendReport& report) {
  const SendOptions& o = report.options;
  const TrackOptions& t = report.plan.track;
  const Vec3& at = t.avatar.place.translation;
  Json out{{"motion", base::valid_utf8(o.check.takes.front().motion)},
           {"to", base::valid_utf8(o.connection.target)}};
  const TrackOpened& opened = report.outcome.opened;
  out["environment"] = base::valid_utf8(opened.environment.name);
  // As a check's report has it: a file is named as it was given, "auto" is what it became.
  const std::string& model = o.check.takes.front().avatar.model;
  out["avatar"] = base::valid_utf8(model == "auto" ? opened.avatar : model);
  out["scale_radii"] = report.radius_factor();
  out["place"] = {at.x, at.y, at.z, t.avatar.place.yaw_degrees};
  const FrameRange& frames = report.plan.playback.range();
  out["frames"] = {frames.first, frames.last, frames.stride};
  out["in_between"] = io::name_of(t.spec.in_between);
  out["contacts"] = io::name_of(t.spec.contacts);
  out["margin"] = t.spec.margin;
  out["tolerance"] = t.spec.tolerance;
  out["clearance"] = t.spec.clearance;
  out["nearest"] = t.nearest > 0.0 ? Json(t.nearest) : Json(nullptr);
  out["lookahead"] = or_null(t.lookahead);
  out["surface"] = Json::array();
  for (const std::string& pattern : t.spec.surfaces)
    out["surface"].push_back(base::valid_utf8(pattern));
  out["ignore"] = Json::array();
  for (const std::string& pattern : t.spec.ignore)
    out["ignore"].push_back(base::valid_utf8(pattern));
  out["rate"] = or_null(report.wanted_rate());
  out["avatars"] = o.avatars;
  out["apart"] = o.apart;
  out["connections"] = report.outcome.connections;
  out["seconds"] = o.seconds;
  out["stagger"] = o.stagger;
  out["loss"] = o.loss;
  out["jitter_ms"] = o.jitter;
  out["duplicates"] = o.duplicates;
  out["seed"] = o.seed;
  out["coalesce"] = o.coalesce;
  out["float"] = o.floats;
  out["linked_joints"] = o.linked_only;
  out["world"] = o.tracker.poses.world;
  out["axes"] = o.tracker.poses.axes.are_ours() ? Json(nullptr) : Json(axes_text(t.tracker.axes));
  out["missing"] = o.tracker.missing;
  out["hold_missing"] = o.tracker.poses.hold_missing;
  out["meet"] = t.meet;
  out["self"] = t.spec.self;
  out["ignore_rest"] = t.ignore_rest;
  out["fail_on_contact"] = o.check.fail_on_contact;
  return out;
}

Json server_of(const SendReport& report) {
  const TrackOpened& opened = report.outcome.opened;
  const EnvironmentInfo& room = opened.environment;
  Json out{{"version", base::valid_utf8(opened.version)},
           {"backend", base::valid_utf8(opened.backend)},
           {"device", base::valid_utf8(opened.device)},
           {"fallback", base::valid_utf8(report.outcome.fallback)},
           {"avatar", base::valid_utf8(opened.avatar)},
           {"links", opened.links.size()}};
  out["environment"] = {{"name", base::valid_utf8(room.name)},
                        {"revision", room.revision},
                        {"objects", room.objects},
                        {"triangles", room.triangles}};
  out["max_pending_frames"] = opened.max_pending_frames;
  if (opened.meeting) {
    out["meeting"] = {{"rate", opened.meeting->rate}, {"member", opened.meeting->member}};
  }
  return out;
}

Json frames_of(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  Json out{{"sent", o.frames.sent},
           {"lost", o.frames.lost},
           {"overtaken", o.frames.overtaken},
           {"sent_twice", o.frames.again},
           {"unsent", o.frames.unsent},
           {"skipped", o.skipped_frames},
           {"stale", o.stale_frames},
           {"duplicate", o.duplicate_frames},
           {"bad", o.bad_frames},
           {"held_joints", o.held}};
  out["first_bad"] = o.bad_frames > 0 ? Json(base::valid_utf8(o.first_bad_frame)) : Json(nullptr);
  const auto apart = report.seconds_apart();
  out["seconds_apart"] = apart ? Json(*apart) : Json(nullptr);
  return out;
}

void add_distances(const SendOutcome& o, Json& out) {
  out["distances"] = Json::array();
  for (const SentDistance& one : o.distances) {
    out["distances"].push_back({{"link", base::valid_utf8(o.link_name(one.link))},
                                {"object", base::valid_utf8(one.object)},
                                {"metres", one.metres},
                                {"frame", one.frame},
                                {"seconds", one.seconds}});
  }
  out["more_distances"] = o.more_distances;
}

Json ahead_of(const SendReport& report) {
  if (!(report.plan.track.lookahead > 0.0)) return nullptr;
  const SendForesight& seen = report.outcome.foresight;
  const auto lead = seen.lead();
  return {{"told", seen.told()},
          {"begun", seen.begun()},
          {"foreseen", seen.foreseen()},
          {"lead_seconds", lead ? Json(*lead) : Json(nullptr)}};
}

Json contacts_of(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  Json out{{"contacts", o.tally.contacts}, {"hit", o.tally.hit},         {"graze", o.tally.graze},
           {"overlap", o.tally.overlap},   {"limited", o.tally.limited}, {"episodes", o.episodes}};
  out["met"] = o.met;
  out["hash"] = o.hash;
  out["all_equal"] = o.all_equal;
  add_distances(o, out);
  out["ahead"] = ahead_of(report);
  out["clearances"] = Json::array();
  for (std::size_t i = 0; i < o.clearances.size() && i < o.opened.links.size(); ++i) {
    const LeastClearance& least = o.clearances[i];
    // Infinite, which JSON lacks: there is nothing to touch.
    const Json metres = std::isfinite(least.metres) ? Json(least.metres) : Json(nullptr);
    out["clearances"].push_back({{"link", base::valid_utf8(o.opened.links[i])},
                                 {"metres", metres},
                                 {"seconds", least.seconds}});
  }
  return out;
}

/// What the server had covered when it shut down.
Json closed_of(const SendOutcome& o) {
  if (!o.closed) return nullptr;
  Json out{{"steps", o.closed->steps}, {"to", nullptr}};
  if (o.closed->to) {
    out["to"] = {{"id", o.closed->to->id}, {"capture_time", o.closed->to->capture_time}};
  }
  out["unchecked_frames"] = o.closed->unchecked_frames;
  return out;
}

}  // namespace

std::string render_send_json(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  Json out{{"format", "tocsin.send.v1"}, {"version", std::string(kVersion)}};
  out["options"] = options_of(report);
  out["server"] = server_of(report);
  out["sessions"] = {{"opened", o.sessions}, {"ended", o.ended},   {"closing", o.closing},
                     {"refused", o.refused}, {"broken", o.broken}, {"resumed", o.frames.resumed}};
  out["closed"] = closed_of(o);
  out["frames"] = frames_of(report);
  out["steps"] = o.steps;
  out["reports_sent_again"] = o.sent_again;
  out["gaps"] = o.gaps;
  out["first_gap"] = o.gaps > 0 ? Json(base::valid_utf8(o.first_gap)) : Json(nullptr);
  out["found"] = contacts_of(report);
  out["seconds"] = o.seconds;
  out["steps_per_second"] = report.steps_per_second();
  out["steps_per_second_wanted"] = or_null(report.wanted_rate() * static_cast<double>(o.sessions));
  out["microseconds"] = {{"round_trip", times_of(report.times.round_trip)},
                         {"server_total", times_of(report.times.total)},
                         {"server_waited", times_of(report.times.waited)},
                         {"server_checked", times_of(report.times.checked)},
                         {"sent_late", times_of(report.times.sent_late)}};
  out["client"] = {{"cpu_seconds", o.cpu_seconds},
                   {"cpu_percent", report.cpu_percent()},
                   {"too_slow", report.too_slow()}};
  out["interrupted"] = o.interrupted;
  out["problems"] = Json::array();
  for (const Error& problem : o.problems)
    out["problems"].push_back(base::valid_utf8(problem.message));
  return out.dump(2) + '\n';
}

}  // namespace tocsin::app
