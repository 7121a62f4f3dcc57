#include "tocsin/c/reports.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "c/answers.h"
#include "c/convert.h"

namespace tocsin::c {
namespace {

/// Seconds. A longer budget is none: the clock's numbers would not hold its end.
constexpr double kMostSeconds = 1e9;

const Reports::Entry& entry_of(const Reports& reports, std::size_t report) {
  if (report >= reports.entries.size()) {
    refuse("there is no report " + std::to_string(report) + ": there are " +
           std::to_string(reports.entries.size()));
  }
  return reports.entries[report];
}

void need_answer(const Reports::Entry& entry, std::string_view before = {}) {
  const auto& error = entry.report.error;
  if (error) throw Failure{status_of(error->code), std::string(before) + error->message};
}

tocsin_report report_of(const Reports::Entry& entry) {
  const StepReport& from = entry.report;
  tocsin_report out{};
  out.status = from.error ? status_of(from.error->code) : TOCSIN_OK;
  out.step = from.step;
  out.frames[0] = from.frames[0];
  out.frames[1] = from.frames[1];
  out.avatar = entry.object < 0 ? from.avatar : -1;
  out.object = entry.object;
  out.safe_until = from.safe_until;
  out.checked_until = from.error ? 0.0 : from.checked_until;
  out.complete = !from.error && from.complete ? 1 : 0;
  out.contact_count = from.contacts.size();
  out.clearance_count = from.clearances.size();
  return out;
}

void set_touched(const Contact& from, tocsin_contact& out) {
  if (const RoomTriangle* const at = from.room()) {
    out.kind = TOCSIN_TOUCHES_OBJECT;
    out.object = at->object;
    out.triangle = at->triangle;
  } else if (const OtherLink* const other = from.other()) {
    out.kind = TOCSIN_TOUCHES_LINK;
    out.other_avatar = other->avatar;
    out.other_link = other->link;
  }
}

/// If there is a value: it, and its flag.
template <class Value, class Field>
void set_if(const std::optional<Value>& value, std::uint32_t flag, tocsin_contact& out,
            Field& field) {
  if (!value) return;
  out.flags |= flag;
  if constexpr (std::is_same_v<Value, Vec3>) {
    field = same_bytes<tocsin_vec3>(*value);
  } else {
    field = *value;
  }
}

tocsin_contact contact_of(const Contact& from) {
  tocsin_contact out{};
  out.status = static_cast<std::int32_t>(from.status);
  out.link = from.link;
  set_touched(from, out);
  std::copy(from.toc.begin(), from.toc.end(), out.toc);
  if (from.touching) {
    out.flags |= TOCSIN_HAS_TOUCHING;
    std::copy(from.touching->begin(), from.touching->end(), out.touching);
  }
  out.point = same_bytes<tocsin_vec3>(from.point);
  set_if(from.normal, TOCSIN_HAS_NORMAL, out, out.normal);
  set_if(from.depth, TOCSIN_HAS_DEPTH, out, out.depth);
  set_if(from.link_feature, TOCSIN_HAS_LINK_FEATURE, out, out.link_feature);
  set_if(from.other_feature, TOCSIN_HAS_OTHER_FEATURE, out, out.other_feature);
  if (from.inside) out.flags |= TOCSIN_INSIDE;
  if (from.limited) out.flags |= TOCSIN_LIMITED;
  return out;
}

static_assert(static_cast<int>(ContactStatus::kOverlap) == TOCSIN_OVERLAP &&
              static_cast<int>(ContactStatus::kHit) == TOCSIN_HIT &&
              static_cast<int>(ContactStatus::kGraze) == TOCSIN_GRAZE);

}  // namespace

Asked asked_of(const tocsin_check_options* options) {
  const auto from = read_options(options, "options");
  Asked out;
  out.run.meet = from.meet != 0;
  if (from.threads < 0) refuse("there are no " + std::to_string(from.threads) + " threads");
  out.run.threads = from.threads;
  if (from.cancel != nullptr) {
    out.run.stop = borrow(from.cancel)->source.get_token();
    out.budget.stop = out.run.stop;
  }
  if (!(from.seconds >= 0.0)) refuse("`seconds` is not 0 or above");
  if (from.work > 0) out.budget.work = from.work;
  if (from.seconds > 0.0 && from.seconds < kMostSeconds) {
    out.budget.until = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           std::chrono::duration<double>(from.seconds));
  }
  out.limited = from.work > 0 || out.budget.until;
  if (out.limited) {
    out.run.budget = out.budget;
    out.run.budget->stop = {};
  }
  return out;
}

void answer(Reports& out, StepReport report) { out.entries.push_back({std::move(report)}); }

void answer(Reports& out, std::vector<StepReport> reports) {
  for (StepReport& report : reports) answer(out, std::move(report));
}

void need_answers(const Reports& reports) {
  for (std::size_t i = 0; i < reports.entries.size(); ++i) {
    need_answer(reports.entries[i],
                reports.entries.size() == 1 ? "" : "report " + std::to_string(i) + ": ");
  }
}

}  // namespace tocsin::c

using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_reports_create(tocsin_reports* out) {
  return making(out, [] { return give<tocsin_reports>(std::make_shared<Reports>()); });
}

tocsin_status tocsin_reports_count(tocsin_reports reports, size_t* count) {
  return guarded([&] {
    const Use from(reports);
    need(count, "count");
    *count = from->entries.size();
  });
}

tocsin_status tocsin_reports_get(tocsin_reports reports, size_t report, tocsin_report* out) {
  return guarded([&] {
    const Use from(reports);
    fill(out, report_of(entry_of(*from, report)), "out");
  });
}

tocsin_status tocsin_reports_error(tocsin_reports reports, size_t report, char* buffer,
                                   size_t capacity, size_t* length) {
  return guarded([&] {
    const Use from(reports);
    const auto& error = entry_of(*from, report).report.error;
    hand_out_text(error ? error->message : "", buffer, capacity, length);
  });
}

tocsin_status tocsin_reports_contacts(tocsin_reports reports, size_t report,
                                      tocsin_contact* contacts, size_t capacity, size_t* count) {
  return guarded([&] {
    const Use from(reports);
    const Reports::Entry& entry = entry_of(*from, report);
    need_answer(entry);
    const auto& all = entry.report.contacts;
    const std::size_t fit = room_for(contacts, capacity, all.size(), count);
    if (contacts != nullptr && capacity > 0) {
      const std::size_t size = size_of_struct(contacts, sizeof *contacts, "contacts");
      auto* const bytes = reinterpret_cast<std::byte*>(contacts);
      for (std::size_t i = 0; i < fit; ++i)
        write_struct(contact_of(all[i]), bytes + i * size, size);
    }
    need_room(contacts, capacity, all.size());
  });
}

tocsin_status tocsin_reports_clearances(tocsin_reports reports, size_t report, double* metres,
                                        size_t capacity, size_t* count) {
  return guarded([&] {
    const Use from(reports);
    const Reports::Entry& entry = entry_of(*from, report);
    need_answer(entry);
    hand_out(std::span<const double>(entry.report.clearances), metres, capacity, count);
  });
}
}
