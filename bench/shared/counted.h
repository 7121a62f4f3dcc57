// Work whose instructions are counted by callgrind, which collects in one function only.
#pragma once

#include <cstdint>
#include <functional>

/// Does the work. Of this name and never inlined, so that callgrind finds it:
/// bench/guard/callgrind.py names it.
extern "C" std::uint64_t tocsin_counted(const std::function<std::uint64_t()>& work);
