// A naive reader of CMU's ASF and AMC files: where bones end, frame by frame. Knows only what these
// files contain.
#pragma once

#include <Eigen/Geometry>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tocsin::test {

class NaiveAmc {
 public:
  NaiveAmc(const std::string& asf, const std::string& amc) {
    read_skeleton(asf);
    read_frames(amc);
  }

  /// World positions, in the file's unit, of the ends of all bones, and of the root.
  [[nodiscard]] std::map<std::string, Eigen::Vector3d> ends(std::size_t frame) const {
    const auto& values = frames_.at(frame);
    const std::vector<double>& root = values.at("root");
    std::map<std::string, Eigen::Vector3d> at{{"root", {root[0], root[1], root[2]}}};
    std::map<std::string, Eigen::Matrix3d> turned{{"root", euler(root[3], root[4], root[5])}};
    for (const auto& [parent, name] : order_) {
      const Bone& bone = bones_.at(name);
      std::map<std::string, double> angle{{"rx", 0}, {"ry", 0}, {"rz", 0}};
      for (std::size_t i = 0; i < bone.dof.size(); ++i) angle[bone.dof[i]] = values.at(name)[i];
      turned[name] = turned.at(parent) * bone.axis * euler(angle["rx"], angle["ry"], angle["rz"]) *
                     bone.axis.transpose();
      at[name] = at.at(parent) + turned[name] * bone.vector;
    }
    return at;
  }

  [[nodiscard]] std::size_t frame_count() const { return frames_.size(); }

 private:
  struct Bone {
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();
    double length = 0.0;
    Eigen::Matrix3d axis = Eigen::Matrix3d::Identity();
    std::vector<std::string> dof;
  };

  /// About x first, then y, then z.
  static Eigen::Matrix3d euler(double x, double y, double z) {
    constexpr double kRadians = 3.14159265358979323846 / 180.0;
    return (Eigen::AngleAxisd(z * kRadians, Eigen::Vector3d::UnitZ()) *
            Eigen::AngleAxisd(y * kRadians, Eigen::Vector3d::UnitY()) *
            Eigen::AngleAxisd(x * kRadians, Eigen::Vector3d::UnitX()))
        .toRotationMatrix();
  }

  void read_skeleton(const std::string& file) {
    std::ifstream in(file);
    bool in_hierarchy = false;
    std::string name;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == ":hierarchy") in_hierarchy = true;
      if (in_hierarchy) {
        for (std::string child; word != "begin" && word != "end" && words >> child;) {
          order_.emplace_back(word, child);
        }
        continue;
      }
      Eigen::Vector3d v;
      if (word == "name") words >> name;
      if (word == "direction" && words >> v.x() >> v.y() >> v.z()) bones_[name].vector = v;
      if (word == "length" && !name.empty()) {
        words >> bones_[name].length;
        bones_[name].vector *= bones_[name].length;
      }
      if (word == "axis" && words >> v.x() >> v.y() >> v.z()) {
        bones_[name].axis = euler(v.x(), v.y(), v.z());
      }
      for (std::string dof; word == "dof" && words >> dof;) bones_[name].dof.push_back(dof);
    }
  }

  void read_frames(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      if (name.empty() || name[0] == '#' || name[0] == ':') continue;
      std::vector<double> values;
      for (double value = 0; words >> value;) values.push_back(value);
      if (values.empty()) {
        frames_.emplace_back();  // a frame's number
      } else {
        frames_.back()[name] = values;
      }
    }
  }

  std::map<std::string, Bone> bones_;
  std::vector<std::pair<std::string, std::string>> order_;  ///< parent, child
  std::vector<std::map<std::string, std::vector<double>>> frames_;
};

}  // namespace tocsin::test
