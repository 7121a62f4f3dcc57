// The order of contacts in a report: the same from every backend.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "tocsin/contact.h"

namespace tocsin::scene {

/// By link; of one link those with objects first, by object, then those with other links, by avatar
/// and link.
inline void sort_contacts(std::vector<Contact>& contacts) {
  const auto place = [](const Contact& c) { return std::tuple(c.link, c.touched); };
  std::sort(contacts.begin(), contacts.end(),
            [&](const Contact& p, const Contact& q) { return place(p) < place(q); });
}

}  // namespace tocsin::scene
