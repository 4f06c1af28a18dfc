// Debian keeps libpq's header in a folder that is no compiler's own. With pkg-config for it every build of the package,
// also of what does not use it, would warn where libpq is missing.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
