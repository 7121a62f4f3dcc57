// A plan: joint values of a robot at successive times, and the motion that it makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/robot/robot.h"
#include "tocsin/io.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Rows of joint values. value_names() says what a column may be called.
struct PlanTable {
  std::string file;                 ///< empty: from memory
  std::vector<std::string> names;   ///< of the columns behind the time
  std::vector<double> times;        ///< seconds, in increasing order, one a row
  std::vector<double> values;       ///< row by row, as many as names each; rad and m
  std::vector<std::int64_t> lines;  ///< of the rows in the file; empty: rows are counted from 0
};

/// Which value of the robot each column is: all values are numbered, link by link. Errors (kInput),
/// naming the column (`first` is the number of names[0]): a name that is empty, that no joint has,
/// that comes twice, of a joint that is fixed or mimics another; some columns of a planar or
/// floating joint and not all; no column.
Result<std::vector<std::size_t>> plan_columns(const Robot& robot,
                                              const std::vector<std::string>& names, int first);

/// The skeleton of a robot: a joint for each link, called like it, at rest where all values are 0.
/// `up` turns the root. Errors: as Skeleton::create().
Result<Skeleton> robot_skeleton(const Robot& robot, UpAxis up);

/// The motion of robot_skeleton(), one frame a row, frame 0 at 0 s. Joints that have no column stay
/// at 0. Warnings in MotionSource tell, with counts: those joints; values outside of limits; moves
/// that are faster than limits; links without a shape. Errors (kInput), naming file and line, or
/// the row: columns as plan_columns(); no row; times that do not increase, or beyond 1e6 s; a value
/// that is not finite or beyond 1e6; a quaternion whose length is off 1 by more than 1e-3; a joint
/// that turns by pi or more between two rows, so that it would be taken the shorter way round.
Result<Motion> plan_motion(const Robot& robot, const PlanTable& table, UpAxis up);

/// The same from the text of a .csv: a header `time,NAME,...`, then a row for each time. Blank
/// lines do not count. Errors also, naming the column: a cell that is empty or no finite number,
/// another number of cells than the header has.
Result<Motion> parse_plan(std::string_view text, const std::string& file, const Robot& robot,
                          UpAxis up);

}  // namespace tocsin::io
