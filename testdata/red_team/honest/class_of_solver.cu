// A class with virtual functions around the kernel.
// insert: io solve device

#include <memory>
class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::vector<Out> run(const std::vector<In>& in) = 0;
};
class GpuSolver : public Solver {
 public:
  GpuSolver() : out_(device_zeros<Out>(kOut)) {}
  ~GpuSolver() override { cudaFree(out_); }
  std::vector<Out> run(const std::vector<In>& in) override {
    solve<<<kGrid, kBlock>>>(on_device(in), out_);
    return from_device(out_, kOut);
  }

 private:
  Out* out_;
};
int main() {
  const std::unique_ptr<Solver> solver = std::make_unique<GpuSolver>();
  write_output(solver->run(read_inputs()));
}
