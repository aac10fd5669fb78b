
template <typename T>
static T* on_device(const std::vector<T>& values) {
  T* device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <typename T>
static T* device_zeros(int count) {
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemset(device, 0, count * sizeof(T));
  return device;
}

template <typename T>
static std::vector<T> from_device(const T* device, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}
