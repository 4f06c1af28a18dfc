#include <linux/rtnetlink.h>
