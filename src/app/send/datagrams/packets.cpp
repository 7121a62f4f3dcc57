#include "app/send/datagrams/packets.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "app/send/datagrams/person.h"
#include "core/vector/compose.h"
#include "mocap/human_bones.h"
#include "mocap/plain.h"
#include "mocap/vmc.h"
#include "mocap/xsens.h"

namespace tocsin::app {
namespace {

using service::LiveProtocol;

class VmcPackets final : public Packets {
 public:
  explicit VmcPackets(Person person) : person_(std::move(person)) {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      joints_[i] = person_.joint_of(mocap::human_bones()[i].name);
    }
  }

  [[nodiscard]] std::vector<std::string> of(std::uint64_t /*id*/, double time,
                                            std::span<const Transform> pose) const override {
    const std::vector<Transform> places = person_.places(pose);
    std::array<Transform, mocap::kHumanBones> at;  // of each bone, or the nearest above
    std::vector<mocap::VmcBone> bones;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const int parent = mocap::human_bones()[i].parent;
      const Transform above = parent < 0 ? Transform{} : at[static_cast<std::size_t>(parent)];
      at[i] = above;
      if (joints_[i] < 0) continue;
      at[i] = places[static_cast<std::size_t>(joints_[i])];
      bones.push_back({static_cast<int>(i), core::seen_from(above, at[i])});
    }
    return mocap::write_vmc({}, bones, time);
  }

 private:
  Person person_;
  std::array<int, mocap::kHumanBones> joints_{};  ///< of the take; -1: none
};

class XsensPackets final : public Packets {
 public:
  explicit XsensPackets(Person person) : person_(std::move(person)) {
    const bool fingers = person_.joint_of("LeftSecondPP") >= 0;
    const int segments = mocap::kXsensBody + (fingers ? mocap::kXsensFingers : 0);
    for (int i = 0; i < segments; ++i) {
      joints_.push_back(person_.joint_of(mocap::xsens_segment_name(i, 0)));
    }
  }

  [[nodiscard]] std::vector<std::string> of(std::uint64_t id, double time,
                                            std::span<const Transform> pose) const override {
    const std::vector<Transform> places = person_.places(pose);
    std::vector<mocap::XsensSegment> segments;
    for (int i = 0; i < static_cast<int>(joints_.size()); ++i) {
      const int joint = joints_[static_cast<std::size_t>(i)];
      const int parent = mocap::xsens_parent(i, 0);
      const Transform above =
          parent < 0 ? Transform{} : segments[static_cast<std::size_t>(parent)].at;
      segments.push_back({static_cast<std::uint32_t>(i) + 1,
                          joint < 0 ? above : places[static_cast<std::size_t>(joint)]});
    }
    mocap::XsensHeader header;
    header.sample = static_cast<std::uint32_t>(id);
    header.milliseconds = static_cast<std::uint32_t>(time * 1e3 + 0.5);
    header.body = mocap::kXsensBody;
    header.fingers = static_cast<int>(joints_.size()) - mocap::kXsensBody;
    return mocap::write_xsens(header, segments);
  }

 private:
  Person person_;
  std::vector<int> joints_;  ///< of the take, for each segment; -1: none
};

class PlainPackets final : public Packets {
 public:
  explicit PlainPackets(std::uint32_t stream) : stream_(stream) {}

  [[nodiscard]] std::vector<std::string> of(std::uint64_t id, double time,
                                            std::span<const Transform> pose) const override {
    mocap::PlainFrame frame{stream_, id, time, {}, {}};
    for (const Transform& at : pose) {
      frame.rotations.push_back(at.rotation);
      frame.positions.push_back(at.translation);
    }
    return {mocap::write_plain(frame)};
  }

 private:
  const std::uint32_t stream_;
};

}  // namespace

Result<std::unique_ptr<Packets>> make_packets(LiveProtocol protocol, const Motion& motion,
                                              std::uint32_t stream) {
  if (protocol == LiveProtocol::kPlain) {
    const auto joints = static_cast<std::size_t>(motion.skeleton().size());
    if (joints > mocap::kMostPlainJoints) {
      return {ErrorCode::kInput, fmt::format("the take has {} joints; a datagram holds {}", joints,
                                             mocap::kMostPlainJoints)};
    }
    return std::unique_ptr<Packets>(std::make_unique<PlainPackets>(stream));
  }
  const bool vmc = protocol == LiveProtocol::kVmc;
  // Unity's names are those of VRM: of its version 0 where there are fingers.
  constexpr std::array<std::string_view, 2> kUnity{"vrm_and_unity", "unity_and_vrm_0"};
  constexpr std::array<std::string_view, 1> kXsens{"xsens_mvn"};
  using Names = std::span<const std::string_view>;
  auto person = Person::find(motion, vmc ? Names(kUnity) : Names(kXsens));
  if (!person) return person.error();
  if (vmc) return std::unique_ptr<Packets>(std::make_unique<VmcPackets>(std::move(*person)));
  return std::unique_ptr<Packets>(std::make_unique<XsensPackets>(std::move(*person)));
}

}  // namespace tocsin::app
