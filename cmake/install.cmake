# What `cmake --install` puts into one folder: the program and what it finds beside itself at run time. setup/package.py
# makes the wheel, the archive and the installation from that folder.
#
#   bin/                 cuset, and the helper programs that it starts
#   lib/                 libraries that are loaded into programs under test
#   lib/cuset/emulator/  headers, runtime and compiler pass of the CPU executor
#   lib/cuset/libraries/ shared libraries of packages; setup/package.py copies them
#   share/cuset/         the built-in model, the LibTorch that the program was built for
if(NOT TARGET cuset)
  return()
endif()

# LibTorch in the folder torch/ beside ours, as in site-packages; before ours, because it may bring a libgomp.
set_target_properties(cuset PROPERTIES INSTALL_RPATH "$ORIGIN/../../torch/lib:$ORIGIN/../lib/cuset/libraries")
install(TARGETS cuset cuset_gpu_device cuset_gpu_probe RUNTIME DESTINATION bin)
foreach(library cuset_cuda_record cuset_cuda_interpose)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION lib)
  endif()
endforeach()

set(emulator lib/cuset/emulator)
foreach(library cuset_pass cuset_emulator_runtime)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION ${emulator})
  endif()
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/${emulator}/device_main.o DESTINATION ${emulator})
install(DIRECTORY src/emulator/include src/emulator/torch DESTINATION ${emulator} PATTERN __pycache__ EXCLUDE)
install(DIRECTORY assets DESTINATION share/cuset)
install(FILES LICENSE DESTINATION share/doc/cuset)

string(TOLOWER ${libtorch_kind} kind)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/libtorch.json CONTENT
  "{\"version\": \"@libtorch_version@\", \"kind\": \"@kind@\", \"folder\": \"@LIBTORCH_FOLDER@\", \"program\": \"@PROJECT_VERSION@\"}\n" @ONLY)
