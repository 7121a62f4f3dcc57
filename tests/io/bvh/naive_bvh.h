// A second, naive reader of well-formed BVH files, for comparison: iostreams, recursion, Eigen.
#pragma once

#include <Eigen/Geometry>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tocsin::test {

struct NaiveJoint {
  std::string name;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  std::vector<std::string> channels;
  std::vector<std::unique_ptr<NaiveJoint>> children;
};

class NaiveBvh {
 public:
  explicit NaiveBvh(const std::string& file) {
    std::ifstream in(file);
    std::string word;
    in >> word >> word;  // HIERARCHY ROOT
    root_ = read_joint(in);
    std::string time;
    in >> word >> word >> frame_count >> word >> word >> time;  // MOTION Frames: n Frame Time: t
    frame_time = std::stod(time);
    for (double value = 0; in >> value;) values_.push_back(value);
    if (values_.size() != channel_count * frame_count)
      throw std::runtime_error("naive reader: " + file);
  }

  std::vector<std::string> names;  ///< in file order; an End Site is J_end
  std::size_t channel_count = 0;
  std::size_t end_sites = 0;
  std::size_t frame_count = 0;
  double frame_time = 0.0;

  /// World positions of all joints in file order, in the file's unit: each channel is a factor,
  /// from left to right.
  [[nodiscard]] std::vector<Eigen::Vector3d> positions(std::size_t frame) const {
    std::vector<Eigen::Vector3d> out;
    const double* value = values_.data() + frame * channel_count;
    place(*root_, Eigen::Isometry3d::Identity(), value, out);
    return out;
  }

 private:
  std::unique_ptr<NaiveJoint> read_joint(std::istream& in) {
    auto joint = std::make_unique<NaiveJoint>();
    in >> joint->name;
    names.push_back(joint->name);
    std::string word;
    in >> word;  // {
    while (in >> word && word != "}") {
      if (word == "OFFSET") {
        in >> joint->offset.x() >> joint->offset.y() >> joint->offset.z();
      } else if (word == "CHANNELS") {
        std::size_t count = 0;
        in >> count;
        joint->channels.resize(count);
        for (std::string& channel : joint->channels) in >> channel;
        channel_count += count;
      } else {
        joint->children.push_back(read_joint(in));  // JOINT or End
        if (word != "End") continue;
        ++end_sites;
        names.back() = joint->name + "_end";
      }
    }
    return joint;
  }

  static void place(const NaiveJoint& joint, const Eigen::Isometry3d& parent, const double*& value,
                    std::vector<Eigen::Vector3d>& out) {
    Eigen::Vector3d translation = joint.offset;
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    for (const std::string& channel : joint.channels) {
      const int axis = channel[0] - 'X';
      if (channel.substr(1) == "position") {
        translation[axis] = *value++;
      } else {
        const double radians = *value++ * 3.14159265358979323846 / 180.0;
        rotation = rotation * Eigen::AngleAxisd(radians, Eigen::Vector3d::Unit(axis)).matrix();
      }
    }
    Eigen::Isometry3d world = parent;
    world.translate(translation);
    world.rotate(rotation);
    out.push_back(world.translation());
    for (const auto& child : joint.children) place(*child, world, value, out);
  }

  std::unique_ptr<NaiveJoint> root_;
  std::vector<double> values_;
};

}  // namespace tocsin::test
