// A fair queue: a queue of tasks for each key, served round-robin.
#pragma once

#include <cstddef>
#include <list>
#include <new>
#include <unordered_map>
#include <utility>

namespace tocsin::service {

/// Adding and taking cost constant time for each task, however many keys there are. Keys are only
/// compared, so they may dangle. Not thread-safe.
template <class TaskType>
class FairQueue {
 public:
  using Task = TaskType;
  using Key = const void*;
  struct Pending {
    Task task;
    Key key = nullptr;
  };
  /// A list, so that tasks move between owners without allocation. So they can be made and freed
  /// without a lock.
  using Tasks = std::list<Pending>;

  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Moves each task to the end of its key's queue. The queue of a new key is served after all
  /// others. Throws std::bad_alloc; then nothing was added.
  void add(Tasks& tasks) {
    try {
      for (const Pending& pending : tasks) make_queue(pending.key);
    } catch (const std::bad_alloc&) {
      std::erase_if(queues_, [](const auto& entry) { return entry.second.tasks.empty(); });
      throw;
    }
    while (!tasks.empty()) {
      KeyQueue& queue = queues_.find(tasks.front().key)->second;
      if (queue.tasks.empty()) append(queue);
      queue.tasks.splice(queue.tasks.end(), tasks, tasks.begin());
      ++size_;
    }
  }

  /// Takes the first task of the next key. That key is served again after the others.
  /// Precondition: not empty().
  Tasks take() {
    KeyQueue& queue = *first_;
    first_ = queue.next;
    if (first_ == nullptr) last_ = nullptr;
    Tasks out;
    out.splice(out.end(), queue.tasks, queue.tasks.begin());
    --size_;
    if (!queue.tasks.empty()) {
      append(queue);
    } else if (spare_.empty()) {
      spare_ = queues_.extract(out.front().key);
    } else {
      queues_.erase(out.front().key);
    }
    return out;
  }

 private:
  struct KeyQueue {
    Tasks tasks;  ///< empty: the queue is not in the round
    KeyQueue* next = nullptr;
  };
  using Queues = std::unordered_map<Key, KeyQueue>;

  void make_queue(Key key) {
    if (queues_.contains(key)) return;
    if (spare_.empty()) {
      queues_.try_emplace(key);
      return;
    }
    spare_.key() = key;
    queues_.insert(std::move(spare_));
  }

  /// Puts the queue at the end of the round.
  void append(KeyQueue& queue) {
    queue.next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = &queue;
    last_ = &queue;
  }

  Queues queues_;
  KeyQueue* first_ = nullptr;  ///< served next
  KeyQueue* last_ = nullptr;   ///< served last
  std::size_t size_ = 0;       ///< tasks
  /// The node of an emptied queue, for reuse. Mostly there is only one key.
  typename Queues::node_type spare_;
};

}  // namespace tocsin::service
