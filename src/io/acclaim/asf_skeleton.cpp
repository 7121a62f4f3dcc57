#include "io/acclaim/asf_skeleton.h"

#include "base/lower_case.h"
#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

/// A name as it is compared.
std::string folded(std::string_view name) {
  bool changed = false;
  return base::lower(base::clean_name(name, changed));
}

}  // namespace

bool AsfNames::add(std::string_view name, std::int32_t index) {
  return by_name_.try_emplace(folded(name), index).second;
}

std::int32_t AsfNames::find(std::string_view name) const {
  const auto at = by_name_.find(folded(name));
  return at == by_name_.end() ? -1 : at->second;
}

}  // namespace tocsin::io
