// The entry point of the program that device code is linked into, in place of the host code (device_process.cc).
extern "C" int cuset_device_main(int count, char** words);

int main(int count, char** words) { return cuset_device_main(count, words); }
