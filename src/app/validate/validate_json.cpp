// The JSON object of `tocsin validate --out`.
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/validate/validate_report.h"
#include "base/json_text.h"
#include "io/report/option_names.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

Json stage_counts(const BackendRun& run) {
  const bool sees_boxes = run.backend == Backend::kGl;
  Json out{{"near_links", run.counters.near_links}};
  out["box_pairs"] = sees_boxes ? Json(run.counters.box_pairs) : Json(nullptr);
  out["seen_pairs"] = sees_boxes ? Json(run.counters.seen_pairs) : Json(nullptr);
  return out;
}

Json times_json(const BackendRun& run) {
  const auto steps = static_cast<double>(run.tally.steps);
  return {{"build", run.build_ms},
          {"check", run.check_ms},
          {"per_step", run.tally.steps > 0 ? Json(run.check_ms / steps) : Json(nullptr)}};
}

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::kMissed:
      return "missed";
    case Fault::kExtra:
      return "extra";
    case Fault::kDifferent:
      return "different";
    case Fault::kLate:
      break;
  }
  return "late";
}

Json toc(const std::optional<Contact>& contact) {
  return contact ? Json(contact->toc) : Json(nullptr);
}

Json link_name(const Job& job, std::int32_t avatar, std::int32_t link) {
  const Avatar& whose = job.takes[static_cast<std::size_t>(avatar)].member.avatar;
  return base::valid_utf8(whose.links()[static_cast<std::size_t>(link)].name);
}

Json findings(const Job& job, const std::vector<Finding>& all) {
  Json out = Json::array();
  for (const Finding& finding : all) {
    const std::optional<Contact>& of = finding.reference ? finding.reference : finding.found;
    Json one{{"fault", name_of(finding.fault)}, {"step", finding.step}};
    one["avatar"] = finding.avatar;
    one["link"] = of ? link_name(job, finding.avatar, of->link) : Json(nullptr);
    const RoomTriangle* const room = of ? of->room() : nullptr;
    const OtherLink* const other = of ? of->other() : nullptr;
    one["object"] = room != nullptr
                        ? Json(base::valid_utf8(job.environment.objects()[room->object].name))
                        : Json(nullptr);
    one["other"] = other != nullptr ? Json{{"avatar", other->avatar},
                                           {"link", link_name(job, other->avatar, other->link)}}
                                    : Json(nullptr);
    one["reference"] = toc(finding.reference);
    one["found"] = toc(finding.found);
    out.push_back(std::move(one));
  }
  return out;
}

Json exact_row(const Job& job, const ExactRow& row, bool reference) {
  Json out{{"backend", io::name_of(row.run.backend)},
           {"device", base::valid_utf8(row.run.device)},
           {"reference", reference},
           {"milliseconds", times_json(row.run)}};
  Json left = stage_counts(row.run);
  left["candidates"] = row.run.counters.candidates;
  left["link_pairs"] = row.run.counters.link_pairs;
  out["left"] = std::move(left);
  out["contacts"] = row.run.tally.contacts;
  out["missed"] = row.differences.missed;
  out["extra"] = row.differences.extra;
  out["different"] = row.differences.different;
  out["hash"] = row.run.hash;
  out["equal"] = row.equal;
  out["findings"] = findings(job, row.differences.findings);
  return out;
}

Json spread(const std::vector<double>& numbers) {
  const auto found = spread_of(numbers);
  return found ? Json{{"median", found->median}, {"max", found->max}} : Json(nullptr);
}

Json image_row(const Job& job, const ImageRow& row, GlSurface surface) {
  const ImageDifferences& d = row.differences;
  return {{"backend", io::name_of(row.run.backend)},
          {"device", base::valid_utf8(row.run.device)},
          {"size", {row.size.first, row.size.second}},
          {"milliseconds", times_json(row.run)},
          {"left", stage_counts(row.run)},
          {"contacts", d.contacts},
          {"missed", d.missed},
          {"false", d.false_pairs},
          {"late", d.late},
          {"refuted", d.refuted},
          {"bracket_width", spread(d.widths)},
          {"early", spread(d.early)},
          {"wrong", is_wrong(row, surface)},
          {"findings", findings(job, d.findings)}};
}

}  // namespace

std::string validation_json(const Job& job, const Validation& validation, const std::string& run) {
  Json out{{"format", "tocsin.validation.v1"}, {"version", kVersion}};
  out["run"] = Json::parse(run);
  out["steps"] = validation.reference().run.tally.steps;
  out["holds"] = holds(validation);
  out["backends"] = Json::array();
  for (const ExactRow& row : validation.exact) {
    out["backends"].push_back(exact_row(job, row, &row == &validation.reference()));
  }
  out["absent"] = Json::array();
  for (const AbsentBackend& absent : validation.absent) {
    out["absent"].push_back(
        {{"backend", io::name_of(absent.backend)}, {"reason", base::valid_utf8(absent.reason)}});
  }
  out["surface"] = io::name_of(validation.surface);
  out["image_space"] = Json::array();
  for (const ImageRow& row : validation.image) {
    out["image_space"].push_back(image_row(job, row, validation.surface));
  }
  return out.dump() + '\n';
}

}  // namespace tocsin::app
