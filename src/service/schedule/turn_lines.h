// A fair queue: one line of tasks for each key, and the lines have turns.
#pragma once

#include <list>
#include <new>
#include <unordered_map>
#include <utility>

namespace tocsin::service {

/// Takes constant time a task, however many keys there are. Keys are only compared, so they may
/// dangle. Not thread-safe.
template <class TaskType>
class TurnLines {
 public:
  using Task = TaskType;
  using Key = const void*;
  struct Waiting {
    Task task;
    Key key = nullptr;
  };
  /// A list, so that tasks move between owners without allocation. So they can be made and freed
  /// without a lock.
  using Tasks = std::list<Waiting>;

  [[nodiscard]] bool empty() const { return turn_ == nullptr; }

  /// Moves each task to the end of its key's line. A new line goes behind all others. Throws
  /// std::bad_alloc; then nothing was added.
  void add(Tasks& tasks) {
    try {
      for (const Waiting& waiting : tasks) make_line(waiting.key);
    } catch (const std::bad_alloc&) {
      std::erase_if(lines_, [](const auto& line) { return line.second.tasks.empty(); });
      throw;
    }
    while (!tasks.empty()) {
      Line& line = lines_.find(tasks.front().key)->second;
      if (line.tasks.empty()) line_up(line);
      line.tasks.splice(line.tasks.end(), tasks, tasks.begin());
    }
  }

  /// Takes the first task of the line whose turn it is. That line goes behind the others.
  /// Precondition: not empty().
  Tasks take() {
    Line& line = *turn_;
    turn_ = line.next;
    if (turn_ == nullptr) behind_ = nullptr;
    Tasks out;
    out.splice(out.end(), line.tasks, line.tasks.begin());
    if (!line.tasks.empty()) {
      line_up(line);
    } else if (spare_.empty()) {
      spare_ = lines_.extract(out.front().key);
    } else {
      lines_.erase(out.front().key);
    }
    return out;
  }

 private:
  struct Line {
    Tasks tasks;  ///< empty: the line is not in the order of turns
    Line* next = nullptr;
  };
  using Lines = std::unordered_map<Key, Line>;

  void make_line(Key key) {
    if (lines_.contains(key)) return;
    if (spare_.empty()) {
      lines_.try_emplace(key);
      return;
    }
    spare_.key() = key;
    lines_.insert(std::move(spare_));
  }

  void line_up(Line& line) {
    line.next = nullptr;
    (behind_ == nullptr ? turn_ : behind_->next) = &line;
    behind_ = &line;
  }

  Lines lines_;
  Line* turn_ = nullptr;    ///< the line whose turn it is
  Line* behind_ = nullptr;  ///< the last line in the order of turns
  typename Lines::node_type
      spare_;  ///< node of an emptied line, for reuse: mostly there is one key only
};

}  // namespace tocsin::service
