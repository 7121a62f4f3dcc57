// What differed while OpenGL was measured, as questions that can be asked again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "selftest/compare/compare.h"
#include "selftest/compare/write_case.h"
#include "selftest/measure/carry.h"

namespace tocsin::selftest {

enum class GlWrong : std::uint8_t {
  kContacts,  ///< certified contacts are not the CPU's
  kImage,     ///< image space misses a contact of the CPU's, or has it later
  kMethods,   ///< the two methods keep other pairs of a slab and a cluster
};

/// A step of one avatar alone in the room. All objects are surfaces, as they were when measured.
struct GlFault {
  GlWrong wrong = GlWrong::kContacts;
  GlWay way;
  Case question;
};

/// Of each row that differs its first step, in order of the rows: table, frames, crowds.
std::vector<GlFault> gl_faults(const CarriedGl& carried);

/// True if a part of the question still shows the fault. Pairs are compared by their number.
bool shows(const GlFault& fault, const Case& part, const Asker& asker);

/// How files ask about it, and "gl 64 x 64, flags".
HowToAsk how_to_ask(const GlFault& fault);
std::string name_of_way(const GlFault& fault);

}  // namespace tocsin::selftest
