#include "service/events/contact_event.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/report/json_line.h"
#include "io/report/option_names.h"

namespace tocsin::service {
namespace {

using io::JsonLine;

/// On the client's clock.
double seconds_at(const TrackReport& report, double t) {
  const double from = report.from.capture_time;
  return t >= 1.0 ? report.to.capture_time : from + t * (report.to.capture_time - from);
}

void append_contact(JsonLine& json, const TrackReport& report, const Contact& contact,
                    const ContactNames& names) {
  json.open('{').key("link").value(names.link);
  if (contact.room() != nullptr) {
    json.key("object").value(names.object);
  } else {
    json.key("other").open('{').key("link").value(names.other_link);
    json.key("label").value(names.other_label).close('}');
  }
  json.key("status").value(io::name_of(contact.status));
  json.key("seconds").array(std::array<double, 2>{seconds_at(report, contact.toc[0]),
                                                  seconds_at(report, contact.toc[1])});
  json.key("point").array(contact.point).close('}');
}

}  // namespace

EventAudience audience_of(const SessionIdentity& identity) {
  const bool shared =
      identity.meets && (identity.room->owner.empty() || !identity.room->shares.empty());
  return {identity.principal->name, shared ? identity.principal->circle() : std::string()};
}

std::string contact_event(const SessionIdentity& identity, const TrackReport& report,
                          const MemberCards& others) {
  const std::vector<Contact>& contacts = report.result.contacts;
  const std::size_t told = std::min(contacts.size(), kMostEventContacts);
  std::string out = "event: contacts\ndata: ";
  JsonLine json(out);
  json.open('{').key("principal").value(identity.principal->name);
  json.key("session").value(identity.shown()).key("label").value(identity.label);
  json.key("room").value(identity.room->name);
  json.key("frames").array(std::array<std::uint64_t, 2>{report.from.id, report.to.id});
  json.key("contacts").open('[');
  for (std::size_t i = 0; i < told; ++i) {
    append_contact(json, report, contacts[i], identity.names_of(contacts[i], others));
  }
  json.close(']').key("more").value(static_cast<std::uint64_t>(contacts.size() - told));
  json.close('}');
  return out + "\n\n";
}

}  // namespace tocsin::service
