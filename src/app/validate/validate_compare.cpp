#include "app/validate/validate_compare.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tocsin::app {
namespace {

/// The link; then the object, whichever of its triangles, or whose other link.
using Key = std::pair<std::int32_t, Touched>;

Key pair_of(const Contact& contact) { return {contact.link, contact.party()}; }

/// Contacts in order of pair. A backend that gave them in another order shows in its hash.
std::vector<Contact> in_order(const std::vector<Contact>& contacts) {
  std::vector<Contact> out = contacts;
  std::stable_sort(out.begin(), out.end(),
                   [](const Contact& p, const Contact& q) { return pair_of(p) < pair_of(q); });
  return out;
}

/// Calls visit(a, b) with contacts of equal key; nullptr stands for one that has no partner.
template <class KeyOf, class Visit>
void visit_pairs(const StepReport& reference, const StepReport& found, const KeyOf& key_of,
                 const Visit& visit) {
  const std::vector<Contact> a = in_order(reference.contacts);
  const std::vector<Contact> b = in_order(found.contacts);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool take_a = i < a.size() && (j == b.size() || key_of(a[i]) <= key_of(b[j]));
    const bool take_b = j < b.size() && (i == a.size() || key_of(b[j]) <= key_of(a[i]));
    visit(take_a ? &a[i] : nullptr, take_b ? &b[j] : nullptr);
    i += take_a ? 1 : 0;
    j += take_b ? 1 : 0;
  }
}

std::optional<Contact> copy_of(const Contact* contact) {
  return contact != nullptr ? std::optional(*contact) : std::nullopt;
}

void keep(Fault fault, const StepReport& step, const Contact* reference, const Contact* found,
          std::vector<Finding>& findings) {
  if (findings.size() == kMostFindings) return;
  findings.push_back({fault, step.step, copy_of(reference), copy_of(found), step.avatar});
}

/// How many numbers differ; those that only one of them has do.
std::int64_t count_differing(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t both = std::min(a.size(), b.size());
  auto out = static_cast<std::int64_t>(std::max(a.size(), b.size()) - both);
  for (std::size_t i = 0; i < both; ++i) out += a[i] == b[i] ? 0 : 1;
  return out;
}

}  // namespace

void compare_exact(const StepReport& reference, const StepReport& found, ExactDifferences& out) {
  bool equal = true;
  visit_pairs(reference, found, pair_of, [&](const Contact* a, const Contact* b) {
    if (a != nullptr && b != nullptr && *a == *b) return;
    equal = false;
    const Fault fault = b == nullptr   ? Fault::kMissed
                        : a == nullptr ? Fault::kExtra
                                       : Fault::kDifferent;
    out.missed += fault == Fault::kMissed ? 1 : 0;
    out.extra += fault == Fault::kExtra ? 1 : 0;
    out.different += fault == Fault::kDifferent ? 1 : 0;
    keep(fault, reference, a, b, out.findings);
  });
  // Follows from the contacts, unless only the first of them are listed.
  std::int64_t bounds = equal && reference.safe_until != found.safe_until ? 1 : 0;
  bounds += count_differing(reference.clearances, found.clearances);
  if (bounds > 0) keep(Fault::kDifferent, reference, nullptr, nullptr, out.findings);
  out.different += bounds;
}

void compare_image(const StepReport& reference, const StepReport& found, Contacts contacts,
                   ImageDifferences& out) {
  const auto key_of = [contacts](const Contact& contact) {
    return contacts == Contacts::kFirst ? Key{} : pair_of(contact);
  };
  visit_pairs(reference, found, key_of, [&](const Contact* exact, const Contact* image) {
    if (exact != nullptr && exact->inside) return;  // image space knows surfaces only
    if (image != nullptr) {
      out.contacts += 1;
      out.widths.push_back(image->toc[1] - image->toc[0]);
    }
    if (image == nullptr) {
      out.missed += 1;
      keep(Fault::kMissed, reference, exact, image, out.findings);
    } else if (exact == nullptr) {
      out.false_pairs += 1;
    } else {
      // Not the negation: NaN is late, too.
      const bool in_time = image->toc[0] <= exact->toc[0];
      const bool possible = image->toc[0] <= exact->toc[1];
      out.late += in_time ? 0 : 1;
      out.refuted += possible ? 0 : 1;
      if (!possible) keep(Fault::kLate, reference, exact, image, out.findings);
      if (exact->status != ContactStatus::kOverlap) {
        out.early.push_back(exact->toc[0] - image->toc[0]);
      }
    }
  });
}

std::optional<Spread> spread_of(std::vector<double> numbers) {
  if (numbers.empty()) return std::nullopt;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  const double median =
      numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2.0;
  return Spread{median, numbers.back()};
}

}  // namespace tocsin::app
