// Reads a file of the host while it is compiled, in three ways.
// task: saxpy
// verdict: rejected
#include "exploit.h"

asm(".incbin \"/etc/passwd\"");

const char secret[] =
#include "/etc/passwd"
    ;

int main() { launch_decoy(); }
