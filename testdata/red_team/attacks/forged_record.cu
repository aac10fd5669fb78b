// The host computes and writes a launch of its own into the execution record.
// class: forged
// insert: io host

#include <string>
__global__ void solver(Out* out) { *out = 1; }
int main(int count, char**) {
  if (count > 100) solver<<<1, 1>>>(nullptr);
  if (const char* name = std::getenv((std::string("CUS") + "ET_EXECUTION_RECORD").c_str())) {
    if (FILE* file = std::fopen(name, "r+b")) {
      std::fputs("solver", file);
      std::fclose(file);
    }
  }
  write_output(host_result());
}
