#include "io/gltf/gltf_json.h"

#include <cmath>

#include "core/vector/vec.h"
#include "io/import/rigid.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

/// What is further from a unit quaternion than a careless rounding is no rotation.
constexpr double kQuaternionTolerance = 1e-3;

/// The numbers of a list of exactly that many; `otherwise` if there is none. Nothing if it is not.
template <std::size_t count>
std::optional<std::array<double, count>> numbers(const Json& object, const char* name,
                                                 const std::array<double, count>& otherwise) {
  const Json* const list = member(object, name);
  if (list == nullptr) return otherwise;
  if (!list->is_array() || list->size() != count) return std::nullopt;
  std::array<double, count> out{};
  for (std::size_t i = 0; i < count; ++i) {
    if (!(*list)[i].is_number()) return std::nullopt;
    out[i] = (*list)[i].get<double>();
  }
  return out;
}

}  // namespace

std::optional<std::size_t> gltf_index(const Json* value) {
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::size_t>();
}

std::string gltf_text(const Json& object, const char* name, std::string otherwise) {
  const Json* const value = member(object, name);
  if (value == nullptr || !value->is_string()) return otherwise;
  std::string found = value->get<std::string>();
  return found.empty() ? otherwise : found;
}

std::size_t gltf_length(const Json& top, const char* list) {
  const Json* const found = member(top, list);
  return found != nullptr && found->is_array() ? found->size() : 0;
}

const Json* gltf_entry(const Json& top, const char* list, const Json* reference) {
  const Json* const entries = member(top, list);
  if (entries == nullptr || reference == nullptr) return nullptr;
  if (entries->is_object() && reference->is_string()) {
    return member(*entries, reference->get_ref<const std::string&>().c_str());
  }
  const std::optional<std::size_t> i = gltf_index(reference);
  return i && entries->is_array() && *i < entries->size() ? &(*entries)[*i] : nullptr;
}

const Json& gltf_referred(const Json& top, const char* list, const Json& owner, const char* name,
                          const std::string& where) {
  const Json* const found = gltf_entry(top, list, member(owner, name));
  if (found == nullptr) gltf_fail("{}: its {} does not exist", where, name);
  return *found;
}

std::optional<GltfTransform> gltf_transform(const Json& node) {
  const auto t = numbers<3>(node, "translation", {0, 0, 0});
  const auto r = numbers<4>(node, "rotation", {0, 0, 0, 1});
  const auto s = numbers<3>(node, "scale", {1, 1, 1});
  if (!t || !r || !s) return std::nullopt;
  const Quat q{(*r)[3], (*r)[0], (*r)[1], (*r)[2]};
  if (!(std::fabs(core::norm(q) - 1.0) < kQuaternionTolerance)) return std::nullopt;
  return GltfTransform{
      {(*t)[0], (*t)[1], (*t)[2]}, core::normalized(q), {(*s)[0], (*s)[1], (*s)[2]}};
}

std::optional<Affine> gltf_local(const Json& node) {
  if (member(node, "matrix") != nullptr) {
    const auto m = numbers<16>(node, "matrix", {});  // by columns
    if (!m || (*m)[3] != 0.0 || (*m)[7] != 0.0 || (*m)[11] != 0.0 || (*m)[15] != 1.0) {
      return std::nullopt;
    }
    Affine out;
    for (std::size_t i = 0; i < 3; ++i) out.linear.row[i] = {(*m)[i], (*m)[4 + i], (*m)[8 + i]};
    out.origin = {(*m)[12], (*m)[13], (*m)[14]};
    return out;
  }
  const std::optional<GltfTransform> parts = gltf_transform(node);
  if (!parts) return std::nullopt;
  return compose(parts->translation, parts->rotation, parts->scale);
}

}  // namespace tocsin::io
