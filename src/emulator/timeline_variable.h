// The environment variable that names the file for a program's timeline (execute/record/kernel_timeline.h); the file exists. By itself,
// since a library that is loaded into foreign programs includes it.
#pragma once

#define CUSET_TIMELINE_VARIABLE "CUSET_KERNEL_TIMELINE"
