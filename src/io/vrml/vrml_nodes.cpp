#include "io/vrml/vrml_nodes.h"

#include <algorithm>
#include <array>

namespace tocsin::io {
namespace {

using Form = VrmlType::Form;

constexpr VrmlType kPassed{Form::kPassed, 1, false};
constexpr VrmlType kBool{Form::kBool, 1, false};
constexpr VrmlType kFloat{Form::kNumber, 1, false};
constexpr VrmlType kInt = kFloat;  // that it is whole is looked at where it is used
constexpr VrmlType kFloats{Form::kNumber, 1, true};
constexpr VrmlType kInts = kFloats;
constexpr VrmlType kVec2s{Form::kNumber, 2, true};
constexpr VrmlType kVec3{Form::kNumber, 3, false};
constexpr VrmlType kVec3s{Form::kNumber, 3, true};
constexpr VrmlType kRotation{Form::kNumber, 4, false};
constexpr VrmlType kRotations{Form::kNumber, 4, true};
constexpr VrmlType kNode{Form::kNode, 1, false};
constexpr VrmlType kNodes{Form::kNode, 1, true};
constexpr VrmlType kStrings{Form::kString, 1, true};

template <std::size_t N>
using Fields = std::array<VrmlFieldSpec, N>;

constexpr Fields<7> kGroupFields{{{"children", kNodes},
                                  {"bboxCenter", kPassed},
                                  {"bboxSize", kPassed},
                                  {"description", kPassed},
                                  {"parameter", kPassed},
                                  {"url", kPassed},
                                  {"axisOfRotation", kPassed}}};
constexpr Fields<8> kTransformFields{{{"children", kNodes},
                                      {"translation", kVec3},
                                      {"rotation", kRotation},
                                      {"scale", kVec3},
                                      {"center", kVec3},
                                      {"scaleOrientation", kRotation},
                                      {"bboxCenter", kPassed},
                                      {"bboxSize", kPassed}}};
constexpr Fields<5> kCollisionFields{{{"children", kNodes},
                                      {"collide", kBool},
                                      {"proxy", kNode},
                                      {"bboxCenter", kPassed},
                                      {"bboxSize", kPassed}}};
constexpr Fields<2> kSwitchFields{{{"choice", kNodes}, {"whichChoice", kInt}}};
constexpr Fields<3> kLodFields{{{"level", kNodes}, {"center", kPassed}, {"range", kPassed}}};
constexpr Fields<3> kInlineFields{
    {{"url", kStrings}, {"bboxCenter", kPassed}, {"bboxSize", kPassed}}};
constexpr Fields<2> kShapeFields{{{"geometry", kNode}, {"appearance", kPassed}}};
constexpr Fields<14> kFaceSetFields{{{"coord", kNode},
                                     {"coordIndex", kInts},
                                     {"ccw", kBool},
                                     {"convex", kBool},
                                     {"color", kPassed},
                                     {"normal", kPassed},
                                     {"texCoord", kPassed},
                                     {"colorIndex", kPassed},
                                     {"colorPerVertex", kPassed},
                                     {"creaseAngle", kPassed},
                                     {"normalIndex", kPassed},
                                     {"normalPerVertex", kPassed},
                                     {"solid", kPassed},
                                     {"texCoordIndex", kPassed}}};
constexpr Fields<13> kGridFields{{{"xDimension", kInt},
                                  {"zDimension", kInt},
                                  {"xSpacing", kFloat},
                                  {"zSpacing", kFloat},
                                  {"height", kFloats},
                                  {"ccw", kBool},
                                  {"color", kPassed},
                                  {"normal", kPassed},
                                  {"texCoord", kPassed},
                                  {"colorPerVertex", kPassed},
                                  {"normalPerVertex", kPassed},
                                  {"creaseAngle", kPassed},
                                  {"solid", kPassed}}};
constexpr Fields<10> kExtrusionFields{{{"crossSection", kVec2s},
                                       {"spine", kVec3s},
                                       {"scale", kVec2s},
                                       {"orientation", kRotations},
                                       {"beginCap", kBool},
                                       {"endCap", kBool},
                                       {"ccw", kBool},
                                       {"convex", kBool},
                                       {"creaseAngle", kPassed},
                                       {"solid", kPassed}}};
constexpr Fields<1> kBoxFields{{{"size", kVec3}}};
constexpr Fields<1> kSphereFields{{{"radius", kFloat}}};
constexpr Fields<5> kCylinderFields{
    {{"radius", kFloat}, {"height", kFloat}, {"side", kBool}, {"top", kBool}, {"bottom", kBool}}};
constexpr Fields<4> kConeFields{
    {{"bottomRadius", kFloat}, {"height", kFloat}, {"side", kBool}, {"bottom", kBool}}};
constexpr Fields<1> kCoordinateFields{{{"point", kVec3s}}};

constexpr std::array kNodesOfTheStandard = std::to_array<VrmlNodeSpec>({
    {"Anchor", VrmlKind::kGroup, kGroupFields},
    {"Appearance", VrmlKind::kPassed, {}},
    {"AudioClip", VrmlKind::kPassed, {}},
    {"Background", VrmlKind::kPassed, {}},
    {"Billboard", VrmlKind::kBillboard, kGroupFields},
    {"Box", VrmlKind::kBox, kBoxFields},
    {"Collision", VrmlKind::kCollision, kCollisionFields},
    {"Color", VrmlKind::kPassed, {}},
    {"ColorInterpolator", VrmlKind::kPassed, {}},
    {"Cone", VrmlKind::kCone, kConeFields},
    {"Coordinate", VrmlKind::kCoordinate, kCoordinateFields},
    {"CoordinateInterpolator", VrmlKind::kPassed, {}},
    {"Cylinder", VrmlKind::kCylinder, kCylinderFields},
    {"CylinderSensor", VrmlKind::kPassed, {}},
    {"DirectionalLight", VrmlKind::kPassed, {}},
    {"ElevationGrid", VrmlKind::kGrid, kGridFields},
    {"Extrusion", VrmlKind::kExtrusion, kExtrusionFields},
    {"Fog", VrmlKind::kPassed, {}},
    {"FontStyle", VrmlKind::kPassed, {}},
    {"Group", VrmlKind::kGroup, kGroupFields},
    {"ImageTexture", VrmlKind::kPassed, {}},
    {"IndexedFaceSet", VrmlKind::kFaceSet, kFaceSetFields},
    {"IndexedLineSet", VrmlKind::kUntouchable, {}},
    {"Inline", VrmlKind::kInline, kInlineFields},
    {"LOD", VrmlKind::kLod, kLodFields},
    {"Material", VrmlKind::kPassed, {}},
    {"MovieTexture", VrmlKind::kPassed, {}},
    {"NavigationInfo", VrmlKind::kPassed, {}},
    {"Normal", VrmlKind::kPassed, {}},
    {"NormalInterpolator", VrmlKind::kPassed, {}},
    {"OrientationInterpolator", VrmlKind::kPassed, {}},
    {"PixelTexture", VrmlKind::kPassed, {}},
    {"PlaneSensor", VrmlKind::kPassed, {}},
    {"PointLight", VrmlKind::kPassed, {}},
    {"PointSet", VrmlKind::kUntouchable, {}},
    {"PositionInterpolator", VrmlKind::kPassed, {}},
    {"ProximitySensor", VrmlKind::kPassed, {}},
    {"ScalarInterpolator", VrmlKind::kPassed, {}},
    {"Script", VrmlKind::kPassed, {}},
    {"Shape", VrmlKind::kShape, kShapeFields},
    {"Sound", VrmlKind::kPassed, {}},
    {"Sphere", VrmlKind::kSphere, kSphereFields},
    {"SphereSensor", VrmlKind::kPassed, {}},
    {"SpotLight", VrmlKind::kPassed, {}},
    {"Switch", VrmlKind::kSwitch, kSwitchFields},
    {"Text", VrmlKind::kUntouchable, {}},
    {"TextureCoordinate", VrmlKind::kPassed, {}},
    {"TextureTransform", VrmlKind::kPassed, {}},
    {"TimeSensor", VrmlKind::kPassed, {}},
    {"TouchSensor", VrmlKind::kPassed, {}},
    {"Transform", VrmlKind::kTransform, kTransformFields},
    {"Viewpoint", VrmlKind::kPassed, {}},
    {"VisibilitySensor", VrmlKind::kPassed, {}},
    {"WorldInfo", VrmlKind::kPassed, {}},
});

/// Fields of these types can stand for geometry's; an image cannot.
constexpr std::array kFieldTypes = std::to_array<VrmlFieldSpec>({
    {"SFBool", kBool},         {"SFColor", kVec3},
    {"SFFloat", kFloat},       {"SFImage", kPassed},
    {"SFInt32", kInt},         {"SFNode", kNode},
    {"SFRotation", kRotation}, {"SFString", {Form::kString, 1, false}},
    {"SFTime", kFloat},        {"SFVec2f", {Form::kNumber, 2, false}},
    {"SFVec3f", kVec3},        {"MFColor", kVec3s},
    {"MFFloat", kFloats},      {"MFInt32", kInts},
    {"MFNode", kNodes},        {"MFRotation", kRotations},
    {"MFString", kStrings},    {"MFTime", kFloats},
    {"MFVec2f", kVec2s},       {"MFVec3f", kVec3s},
});

template <class Table>
auto find(const Table& table, std::string_view name) {
  const auto at = std::find_if(table.begin(), table.end(),
                               [name](const auto& entry) { return entry.name == name; });
  return at == table.end() ? nullptr : &*at;
}

}  // namespace

const VrmlNodeSpec* find_vrml_node(std::string_view name) {
  return find(kNodesOfTheStandard, name);
}

const VrmlFieldSpec* find_vrml_type(std::string_view name) { return find(kFieldTypes, name); }

}  // namespace tocsin::io
