// iostreams for the files.
// insert: io solve device

#include <fstream>
#include <iostream>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  const std::vector<Out> result = from_device(out, kOut);
  std::ofstream file("data/out.bin", std::ios::binary);
  file.write(reinterpret_cast<const char*>(result.data()),
             static_cast<std::streamsize>(result.size() * sizeof(Out)));
  if (!file) {
    std::cerr << "cannot write\n";
    return 1;
  }
  std::cout << "wrote " << result.size() << " numbers\n";
}
