#define _GNU_SOURCE
#include "avahi.h"

#include <dlfcn.h>
#include <stddef.h>

_Bool bump_avahi_core_load(struct bump_avahi_core *core) {
  // RTLD_LOCAL: nobody else finds its names here. RTLD_DEEPBIND: it finds its own before anybody else's.
  void *library = dlopen("libavahi-core.so.7", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == NULL) return 0;
#define F(name) \
  if ((core->name = (__typeof__(core->name))dlsym(library, "avahi_" #name)) == NULL) return 0;
  BUMP_AVAHI_CORE(F)
#undef F
  return 1;
}
