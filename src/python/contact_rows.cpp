#include "python/contact_rows.h"

#include <vector>

#include "python/arrays.h"

namespace tocsin::python {
namespace {

void copy(double (&to)[3], const Vec3& from) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

std::int32_t feature_of(const std::optional<std::uint32_t>& feature) {
  return feature ? static_cast<std::int32_t>(*feature) : -1;
}

}  // namespace

ContactRow row_of(const Step& step, const Contact& contact, std::int32_t avatar) {
  ContactRow row;
  row.step = step.index();
  for (std::size_t i = 0; i < 2; ++i) {
    row.frames[i] = step.frames()[i];
    row.toc[i] = contact.toc[i];
    row.seconds[i] = step.seconds(contact.toc[i]);
    if (contact.touching) row.touching[i] = (*contact.touching)[i];
  }
  copy(row.point, contact.point);
  if (contact.normal) copy(row.normal, *contact.normal);
  if (contact.depth) row.depth = *contact.depth;
  row.avatar = avatar;
  row.link = contact.link;
  if (const RoomTriangle* const room = contact.room()) {
    row.object = static_cast<std::int32_t>(room->object);
    row.triangle = static_cast<std::int32_t>(room->triangle);
  }
  if (const OtherLink* const other = contact.other()) {
    row.other_avatar = other->avatar;
    row.other_link = other->link;
  }
  row.link_feature = feature_of(contact.link_feature);
  row.other_feature = feature_of(contact.other_feature);
  row.status = static_cast<std::uint8_t>(contact.status);
  row.inside = contact.inside;
  row.limited = contact.limited;
  return row;
}

void register_contact_rows() {
  PYBIND11_NUMPY_DTYPE(ContactRow, step, frames, seconds, toc, touching, point, normal, depth,
                       avatar, link, object, triangle, other_avatar, other_link, link_feature,
                       other_feature, status, inside, limited);
}

py::array contact_array(const Step& step, std::span<const Contact> contacts, std::int32_t avatar) {
  std::vector<ContactRow> rows;
  rows.reserve(contacts.size());
  for (const Contact& contact : contacts) rows.push_back(row_of(step, contact, avatar));
  if (step.pose0().empty()) {  // no step of a motion: its seconds are not known
    for (ContactRow& row : rows) row.seconds[0] = row.seconds[1] = kNoNumber;
  }
  return moved(std::move(rows));
}

}  // namespace tocsin::python
