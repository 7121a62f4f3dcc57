// Waiting for what others do.
#pragma once

#include <chrono>
#include <thread>

namespace tocsin::test {

/// True once `holds` does. Two minutes tell a hang: so long only where others take the machine.
template <typename Holds>
bool eventually(Holds holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return holds();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace tocsin::test
