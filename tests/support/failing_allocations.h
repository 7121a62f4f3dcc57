// Memory that runs out at the n-th allocation of a thread. The program that is linked with
// failing_allocations.cpp has all its operators new and delete replaced.
#pragma once

namespace tocsin::test {

/// Allocations of this thread until one fails, once; negative: none does. After the one that
/// failed it is -1.
extern thread_local long allocations_left;

/// What an allocation does: throws std::bad_alloc if it is the one that fails.
void count_allocation();

}  // namespace tocsin::test
