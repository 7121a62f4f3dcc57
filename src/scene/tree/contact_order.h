// The order of contacts in a report: the same from every backend.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

namespace tocsin::scene {

/// By link; of one link those with objects first, by object, then those with other links, by avatar
/// and link. `Contact` is tocsin::Contact, which stands above this floor.
template <class Contact>
void sort_contacts(std::vector<Contact>& contacts) {
  const auto place = [](const Contact& c) {
    const auto other = c.other.value_or(typename decltype(c.other)::value_type{});
    return std::tuple(c.link, c.other.has_value(), c.object, other.avatar, other.link);
  };
  std::sort(contacts.begin(), contacts.end(),
            [&](const Contact& p, const Contact& q) { return place(p) < place(q); });
}

}  // namespace tocsin::scene
