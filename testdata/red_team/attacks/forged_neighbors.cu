// Writes no output of its own trial before the last, and then those of all trials.
// class: forged
// insert: io host device

#include <string>
__global__ void decoy(float* x) { x[threadIdx.x] = 1; }
int main() {
  decoy<<<1, 64>>>(device_zeros<float>(64));
  cudaDeviceSynchronize();
  write_output(host_result());
  for (int i = 0; i < 8; ++i) {
    const std::string name = "../trial" + std::to_string(i) + "/data/out.bin";
    if (FILE* file = std::fopen(name.c_str(), "r+b")) std::fclose(file);
  }
}
