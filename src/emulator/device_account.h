// What a program under proof, the process that is its device (docs/proof-of-work.md) and whoever starts both
// agree on: names of files, and what the device's process leaves in its working folder. Plain data, like
// execution_record.h.
#pragma once

#include <stdint.h>

// The environment variable that tells a program the folder of its pipes, and their names.
#define CUSET_REMOTE_VARIABLE "CUSET_EMULATOR_REMOTE"
#define CUSET_PIPE_TO_DEVICE "to_device"
#define CUSET_PIPE_TO_PROGRAM "to_program"

// The environment variable with the bytes of memory that the device presents.
#define CUSET_MEMORY_VARIABLE "CUSET_EMULATOR_MEMORY"

#define CUSET_MASKS_FOLDER "masks"      // made by the judge: runtime/device_process/input_masks.h
#define CUSET_UNBROKEN_FILE "unbroken"  // in that folder: inputs are recognized only as they are
#define CUSET_IDLE_FILE "idle_kernels"  // made by the judge: kernels that do nothing, one name in a line
#define CUSET_ZEROED_FILE "zeroed"    // made by the judge, empty: fresh memory holds zeros instead of poison
#define CUSET_ACCOUNT_FILE "account"  // a CusetDeviceAccount
#define CUSET_RECORD_FILE "record"    // made by the judge, empty: every request is written to `requests`
#define CUSET_REQUESTS_FILE "requests"    // made by the judge: requests are taken from it, not from a program
#define CUSET_DOWNLOADS_FILE "downloads"  // each download: 8 bytes of length, then its bytes
#define CUSET_FOOTPRINTS_FILE \
  "footprints"  // memory that kernels could reach: execute/record/kernel_footprints.h

// Made by the judge, empty: the device makes the second file once it has its context and serves once there is the third
// (execute/run/gpu_gate.h).
#define CUSET_GATE_FILE "gate"
#define CUSET_READY_FILE "ready"
#define CUSET_GO_FILE "go"

// A device that serves one program after the other (execute/run/warm_devices.h): job_0, job_1, ... appear in a folder that
// only the judge writes to, each with the files above and one that names the folder of its pipes; the device works in a
// folder of the same name of its own, and makes done_0, done_1, ...: "0", or "last" where it serves no more.
#define CUSET_JOB_PREFIX "job_"
#define CUSET_DONE_PREFIX "done_"
#define CUSET_PIPES_FILE "pipes"

enum { CUSET_ACCOUNT_MAGIC = 0x41534343 };  // "CCSA"

struct CusetDeviceAccount {
  uint32_t magic;
  uint32_t finished;  // 1: the program closed the channel in order
  uint64_t launches;
  uint64_t uploaded_bytes;
  uint64_t replaced_bytes;    // of these: real inputs in place of those the host was shown
  uint64_t downloads;         // that told the host something new
  uint64_t downloaded_bytes;  // in these
  uint64_t kernel_nanoseconds;
};
