// SIMD within a word: two halves or four bytes.
#include "probe.h"

#define LIST(PROBE)                                           \
  PROBE(vabs2, (unsigned), __vabs2(x))                        \
  PROBE(vabsss2, (unsigned), __vabsss2(x))                    \
  PROBE(vneg2, (unsigned), __vneg2(x))                        \
  PROBE(vnegss2, (unsigned), __vnegss2(x))                    \
  PROBE(vabsdiffs2, (unsigned, unsigned), __vabsdiffs2(x, y)) \
  PROBE(vabsdiffu2, (unsigned, unsigned), __vabsdiffu2(x, y)) \
  PROBE(vadd2, (unsigned, unsigned), __vadd2(x, y))           \
  PROBE(vaddss2, (unsigned, unsigned), __vaddss2(x, y))       \
  PROBE(vaddus2, (unsigned, unsigned), __vaddus2(x, y))       \
  PROBE(vavgs2, (unsigned, unsigned), __vavgs2(x, y))         \
  PROBE(vavgu2, (unsigned, unsigned), __vavgu2(x, y))         \
  PROBE(vcmpeq2, (unsigned, unsigned), __vcmpeq2(x, y))       \
  PROBE(vcmpges2, (unsigned, unsigned), __vcmpges2(x, y))     \
  PROBE(vcmpgeu2, (unsigned, unsigned), __vcmpgeu2(x, y))     \
  PROBE(vcmpgts2, (unsigned, unsigned), __vcmpgts2(x, y))     \
  PROBE(vcmpgtu2, (unsigned, unsigned), __vcmpgtu2(x, y))     \
  PROBE(vcmples2, (unsigned, unsigned), __vcmples2(x, y))     \
  PROBE(vcmpleu2, (unsigned, unsigned), __vcmpleu2(x, y))     \
  PROBE(vcmplts2, (unsigned, unsigned), __vcmplts2(x, y))     \
  PROBE(vcmpltu2, (unsigned, unsigned), __vcmpltu2(x, y))     \
  PROBE(vcmpne2, (unsigned, unsigned), __vcmpne2(x, y))       \
  PROBE(vhaddu2, (unsigned, unsigned), __vhaddu2(x, y))       \
  PROBE(vmaxs2, (unsigned, unsigned), __vmaxs2(x, y))         \
  PROBE(vmaxu2, (unsigned, unsigned), __vmaxu2(x, y))         \
  PROBE(vmins2, (unsigned, unsigned), __vmins2(x, y))         \
  PROBE(vminu2, (unsigned, unsigned), __vminu2(x, y))         \
  PROBE(vsads2, (unsigned, unsigned), __vsads2(x, y))         \
  PROBE(vsadu2, (unsigned, unsigned), __vsadu2(x, y))         \
  PROBE(vseteq2, (unsigned, unsigned), __vseteq2(x, y))       \
  PROBE(vsetges2, (unsigned, unsigned), __vsetges2(x, y))     \
  PROBE(vsetgeu2, (unsigned, unsigned), __vsetgeu2(x, y))     \
  PROBE(vsetgts2, (unsigned, unsigned), __vsetgts2(x, y))     \
  PROBE(vsetgtu2, (unsigned, unsigned), __vsetgtu2(x, y))     \
  PROBE(vsetles2, (unsigned, unsigned), __vsetles2(x, y))     \
  PROBE(vsetleu2, (unsigned, unsigned), __vsetleu2(x, y))     \
  PROBE(vsetlts2, (unsigned, unsigned), __vsetlts2(x, y))     \
  PROBE(vsetltu2, (unsigned, unsigned), __vsetltu2(x, y))     \
  PROBE(vsetne2, (unsigned, unsigned), __vsetne2(x, y))       \
  PROBE(vsub2, (unsigned, unsigned), __vsub2(x, y))           \
  PROBE(vsubss2, (unsigned, unsigned), __vsubss2(x, y))       \
  PROBE(vsubus2, (unsigned, unsigned), __vsubus2(x, y))       \
  PROBE(vabs4, (unsigned), __vabs4(x))                        \
  PROBE(vabsss4, (unsigned), __vabsss4(x))                    \
  PROBE(vneg4, (unsigned), __vneg4(x))                        \
  PROBE(vnegss4, (unsigned), __vnegss4(x))                    \
  PROBE(vabsdiffs4, (unsigned, unsigned), __vabsdiffs4(x, y)) \
  PROBE(vabsdiffu4, (unsigned, unsigned), __vabsdiffu4(x, y)) \
  PROBE(vadd4, (unsigned, unsigned), __vadd4(x, y))           \
  PROBE(vaddss4, (unsigned, unsigned), __vaddss4(x, y))       \
  PROBE(vaddus4, (unsigned, unsigned), __vaddus4(x, y))       \
  PROBE(vavgs4, (unsigned, unsigned), __vavgs4(x, y))         \
  PROBE(vavgu4, (unsigned, unsigned), __vavgu4(x, y))         \
  PROBE(vcmpeq4, (unsigned, unsigned), __vcmpeq4(x, y))       \
  PROBE(vcmpges4, (unsigned, unsigned), __vcmpges4(x, y))     \
  PROBE(vcmpgeu4, (unsigned, unsigned), __vcmpgeu4(x, y))     \
  PROBE(vcmpgts4, (unsigned, unsigned), __vcmpgts4(x, y))     \
  PROBE(vcmpgtu4, (unsigned, unsigned), __vcmpgtu4(x, y))     \
  PROBE(vcmples4, (unsigned, unsigned), __vcmples4(x, y))     \
  PROBE(vcmpleu4, (unsigned, unsigned), __vcmpleu4(x, y))     \
  PROBE(vcmplts4, (unsigned, unsigned), __vcmplts4(x, y))     \
  PROBE(vcmpltu4, (unsigned, unsigned), __vcmpltu4(x, y))     \
  PROBE(vcmpne4, (unsigned, unsigned), __vcmpne4(x, y))       \
  PROBE(vhaddu4, (unsigned, unsigned), __vhaddu4(x, y))       \
  PROBE(vmaxs4, (unsigned, unsigned), __vmaxs4(x, y))         \
  PROBE(vmaxu4, (unsigned, unsigned), __vmaxu4(x, y))         \
  PROBE(vmins4, (unsigned, unsigned), __vmins4(x, y))         \
  PROBE(vminu4, (unsigned, unsigned), __vminu4(x, y))         \
  PROBE(vsads4, (unsigned, unsigned), __vsads4(x, y))         \
  PROBE(vsadu4, (unsigned, unsigned), __vsadu4(x, y))         \
  PROBE(vseteq4, (unsigned, unsigned), __vseteq4(x, y))       \
  PROBE(vsetges4, (unsigned, unsigned), __vsetges4(x, y))     \
  PROBE(vsetgeu4, (unsigned, unsigned), __vsetgeu4(x, y))     \
  PROBE(vsetgts4, (unsigned, unsigned), __vsetgts4(x, y))     \
  PROBE(vsetgtu4, (unsigned, unsigned), __vsetgtu4(x, y))     \
  PROBE(vsetles4, (unsigned, unsigned), __vsetles4(x, y))     \
  PROBE(vsetleu4, (unsigned, unsigned), __vsetleu4(x, y))     \
  PROBE(vsetlts4, (unsigned, unsigned), __vsetlts4(x, y))     \
  PROBE(vsetltu4, (unsigned, unsigned), __vsetltu4(x, y))     \
  PROBE(vsetne4, (unsigned, unsigned), __vsetne4(x, y))       \
  PROBE(vsub4, (unsigned, unsigned), __vsub4(x, y))           \
  PROBE(vsubss4, (unsigned, unsigned), __vsubss4(x, y))       \
  PROBE(vsubus4, (unsigned, unsigned), __vsubus4(x, y))

RUN_PROBES
