#include "io/report/option_names.h"

#include <array>
#include <utility>

namespace tocsin::io {
namespace {

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Names<UpAxis, 3> kUpAxes{{{UpAxis::kY, "y"}, {UpAxis::kZ, "z"}, {UpAxis::kX, "x"}}};
constexpr Names<InBetween, 2> kInBetweens{
    {{InBetween::kScrew, "screw"}, {InBetween::kTranslateRotate, "translate_rotate"}}};
constexpr Names<Contacts, 2> kContacts{{{Contacts::kPairs, "pairs"}, {Contacts::kFirst, "first"}}};
constexpr Names<Backend, 4> kBackends{{{Backend::kAuto, "auto"},
                                       {Backend::kCpu, "cpu"},
                                       {Backend::kGl, "gl"},
                                       {Backend::kCuda, "cuda"}}};
constexpr Names<GlMethod, 2> kGlMethods{{{GlMethod::kFlags, "flags"}, {GlMethod::kQuery, "query"}}};
constexpr Names<GlSurface, 2> kGlSurfaces{
    {{GlSurface::kSkin, "skin"}, {GlSurface::kPaper, "paper"}}};
constexpr Names<ContactStatus, 3> kStatuses{{{ContactStatus::kOverlap, "overlap"},
                                             {ContactStatus::kHit, "hit"},
                                             {ContactStatus::kGraze, "graze"}}};
constexpr Names<Absence, 2> kAbsences{{{Absence::kGone, "gone"}, {Absence::kStays, "stays"}}};

constexpr const auto& names_of(UpAxis) { return kUpAxes; }
constexpr const auto& names_of(InBetween) { return kInBetweens; }
constexpr const auto& names_of(Contacts) { return kContacts; }
constexpr const auto& names_of(Backend) { return kBackends; }
constexpr const auto& names_of(GlMethod) { return kGlMethods; }
constexpr const auto& names_of(GlSurface) { return kGlSurfaces; }
constexpr const auto& names_of(ContactStatus) { return kStatuses; }
constexpr const auto& names_of(Absence) { return kAbsences; }

template <class Enum>
std::string_view find_name(Enum value) {
  for (const auto& [candidate, name] : names_of(value)) {
    if (candidate == value) return name;
  }
  return {};
}

}  // namespace

std::string_view name_of(UpAxis value) { return find_name(value); }
std::string_view name_of(InBetween value) { return find_name(value); }
std::string_view name_of(Contacts value) { return find_name(value); }
std::string_view name_of(Backend value) { return find_name(value); }
std::string_view name_of(GlMethod value) { return find_name(value); }
std::string_view name_of(GlSurface value) { return find_name(value); }
std::string_view name_of(ContactStatus value) { return find_name(value); }
std::string_view name_of(Absence value) { return find_name(value); }

template <class Enum>
std::optional<Enum> value_named(std::string_view name) {
  for (const auto& [value, candidate] : names_of(Enum{})) {
    if (candidate == name) return value;
  }
  return std::nullopt;
}

template <class Enum>
std::string all_names() {
  std::string out;
  for (const auto& [value, name] : names_of(Enum{})) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

template std::optional<UpAxis> value_named(std::string_view);
template std::optional<InBetween> value_named(std::string_view);
template std::optional<Contacts> value_named(std::string_view);
template std::optional<Backend> value_named(std::string_view);
template std::optional<GlMethod> value_named(std::string_view);
template std::optional<GlSurface> value_named(std::string_view);
template std::optional<ContactStatus> value_named(std::string_view);
template std::optional<Absence> value_named(std::string_view);
template std::string all_names<UpAxis>();
template std::string all_names<InBetween>();
template std::string all_names<Contacts>();
template std::string all_names<Backend>();
template std::string all_names<GlMethod>();
template std::string all_names<GlSurface>();
template std::string all_names<ContactStatus>();
template std::string all_names<Absence>();

}  // namespace tocsin::io
