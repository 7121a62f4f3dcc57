// The answers of a check. Rules for all functions are in tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// Holds the reports of one check; make it once and use it again. Every check replaces what it
/// holds, also one that fails. Used by one thread at a time.
typedef struct tocsin_reports_s* tocsin_reports;

TOCSIN_API tocsin_status tocsin_reports_create(tocsin_reports* out);
TOCSIN_API tocsin_status tocsin_reports_count(tocsin_reports reports, size_t* count);

/// The answer for one step of one avatar, or of one object of a scene that moves.
typedef struct tocsin_report {
  uint32_t size;         ///< sizeof(tocsin_report)
  tocsin_status status;  ///< not TOCSIN_OK: the step could not be checked, and nothing is proved
  int64_t step;          ///< index of the step's first frame
  int64_t frames[2];
  int32_t avatar;  ///< index into the avatars that are checked together; -1 of an object
  int32_t object;  ///< of an object: its index in the snapshot's environment; else -1
  /// Nothing active is touched on [0, safe_until): proved. 1: the whole step is free.
  double safe_until;
  /// Local time up to which the step is checked; 1 if complete.
  double checked_until;
  /// 0: the budget was spent. The contacts that begin before checked_until are there, and
  /// everything else is proved free until then.
  uint32_t complete;
  uint32_t reserved;
  uint64_t contact_count;
  uint64_t clearance_count;  ///< links, if clearances were asked for; else 0
} tocsin_report;

/// A report. Errors: USAGE: no such report.
TOCSIN_API tocsin_status tocsin_reports_get(tocsin_reports reports, size_t report,
                                            tocsin_report* out);
/// Why a step could not be checked; empty if it was.
TOCSIN_API tocsin_status tocsin_reports_error(tocsin_reports reports, size_t report, char* buffer,
                                              size_t capacity, size_t* length);

/// What is proved about a pair over a step. docs/exact.md, "Outcomes".
enum {
  TOCSIN_OVERLAP = 0,  ///< touching at t = 0
  TOCSIN_HIT = 1,      ///< free on [0, toc[0]), touching at toc[1]
  TOCSIN_GRAZE = 2     ///< free outside [toc[0], toc[1]]; inside neither could be proved
};
/// What a link touches.
enum {
  TOCSIN_TOUCHES_OBJECT = 0,  ///< `object` and `triangle` say which
  TOCSIN_TOUCHES_LINK = 1     ///< `other_avatar` and `other_link` say which
};
/// Bits of tocsin_contact::flags.
enum {
  TOCSIN_HAS_TOUCHING = 1,
  TOCSIN_HAS_NORMAL = 2,
  TOCSIN_HAS_DEPTH = 4,
  TOCSIN_HAS_LINK_FEATURE = 8,
  TOCSIN_HAS_OTHER_FEATURE = 16,
  /// Inside a solid object at t = 0, and no touch of its surface proved then. In an object's report
  /// also: it holds the other, one of whose corners is `point`; it has no depth then.
  TOCSIN_INSIDE = 32,
  TOCSIN_LIMITED = 64  ///< an iteration limit was reached: a graze that may be none
};

/// Where and when a link and an object, or two links, first touch in a step.
typedef struct tocsin_contact {
  uint32_t size;   ///< sizeof(tocsin_contact)
  int32_t status;  ///< TOCSIN_OVERLAP, TOCSIN_HIT or TOCSIN_GRAZE
  int32_t link;    ///< index into the avatar's links; of an object's report 0
  int32_t kind;    ///< TOCSIN_TOUCHES_OBJECT or TOCSIN_TOUCHES_LINK
  uint32_t object;
  uint32_t triangle;  ///< index within the object
  int32_t other_avatar;
  int32_t other_link;
  double toc[2];  ///< bracket of the time of collision, step-local
  /// With TOCSIN_HAS_TOUCHING: bracket of the touch itself, of a hit that began in a graze.
  double touching[2];
  /// On what is touched, nearest to the link at toc[0] (touching[0], if there is one); world,
  /// metres.
  tocsin_vec3 point;
  tocsin_vec3 normal;  ///< with TOCSIN_HAS_NORMAL: of unit length, from there to the link's axis
  double depth;        ///< with TOCSIN_HAS_DEPTH: how deep it is inside at t = 0, metres
  uint32_t flags;      ///< TOCSIN_HAS_... and others; fields without their flag are 0
  /// Of a link with a shape: which feature touches; of an object its own triangle.
  uint32_t link_feature;
  uint32_t other_feature;  ///< the same of the other link
  uint32_t reserved;
} tocsin_contact;

/// All contacts of a report, in order of link; of one link, objects first. Set contacts[0].size.
/// Errors: USAGE: no such report; what tocsin_report::status says, if that is an error.
TOCSIN_API tocsin_status tocsin_reports_contacts(tocsin_reports reports, size_t report,
                                                 tocsin_contact* contacts, size_t capacity,
                                                 size_t* count);
/// A link's proved least distance over the step from anything active, metres; 0 of one in contact.
/// One a link, if tocsin_detector_options::clearance asks for it. Errors: as above.
TOCSIN_API tocsin_status tocsin_reports_clearances(tocsin_reports reports, size_t report,
                                                   double* metres, size_t capacity, size_t* count);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
