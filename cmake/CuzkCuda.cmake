# Finds nvcc and compiles CUDA sources with it. CUZK_NVCC is the compiler, or empty: then the build is for the CPU only and
# says so. Looked for in a Python environment ($VIRTUAL_ENV) with the packages of tools/nvcc.txt, in $CUDA_HOME, on the PATH, in
# /usr/local/cuda and in build/nvcc (tools/install_nvcc.sh).
option(CUZK_CUDA "Build the CUDA device where nvcc is found" ON)
set(CUZK_CUDA_ARCHITECTURES "80;86;89;90;100;120" CACHE STRING "Machine code for these; PTX for the last one too")
set(CUZK_NVCC "")
if(CUZK_CUDA)
  file(GLOB cuzk_environment_cuda $ENV{VIRTUAL_ENV}/lib/python3*/site-packages/nvidia/cu13/bin)
  file(GLOB cuzk_installed_cuda ${CMAKE_SOURCE_DIR}/build/nvcc/lib/python3*/site-packages/nvidia/cu13/bin)
  find_program(CUZK_NVCC_PROGRAM nvcc HINTS ${cuzk_environment_cuda} $ENV{CUDA_HOME}/bin
                                      PATHS /usr/local/cuda/bin ${cuzk_installed_cuda})
  if(CUZK_NVCC_PROGRAM)
    set(CUZK_NVCC ${CUZK_NVCC_PROGRAM})
  endif()
endif()

if(CUZK_NVCC)
  execute_process(COMMAND ${CUZK_NVCC} --version OUTPUT_VARIABLE cuzk_nvcc_text)
  string(REGEX MATCH "release [0-9.]+" cuzk_nvcc_release "${cuzk_nvcc_text}")
  message(STATUS "CUDA device: ${CUZK_NVCC} (${cuzk_nvcc_release}) with ${CMAKE_CXX_COMPILER} "
                 "${CMAKE_CXX_COMPILER_VERSION}, architectures ${CUZK_CUDA_ARCHITECTURES}")
  get_filename_component(cuzk_cuda_real ${CUZK_NVCC} REALPATH)
  get_filename_component(cuzk_cuda_bin ${cuzk_cuda_real} DIRECTORY)
  get_filename_component(cuzk_cuda_root ${cuzk_cuda_bin} DIRECTORY)
  find_library(CUZK_CUDART cudart_static HINTS ${cuzk_cuda_root} PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib REQUIRED
                                                                 NO_DEFAULT_PATH)
  set(cuzk_cuda_code)
  foreach(arch IN LISTS CUZK_CUDA_ARCHITECTURES)
    list(APPEND cuzk_cuda_code -gencode=arch=compute_${arch},code=sm_${arch})
    set(cuzk_cuda_last ${arch})
  endforeach()
  list(APPEND cuzk_cuda_code -gencode=arch=compute_${cuzk_cuda_last},code=compute_${cuzk_cuda_last})
else()
  message(STATUS "CUDA device: not built, no nvcc (CPU only)")
endif()

# cuzk_cuda_objects(OUT source.cu …): objects of the sources of this folder, for the SRCS of a library.
function(cuzk_cuda_objects out)
  set(objects)
  foreach(source IN LISTS ARGN)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${source}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CUZK_NVCC} -std=c++20 -O3 -DNDEBUG ${cuzk_cuda_code} --expt-relaxed-constexpr -diag-suppress 550
              -ccbin ${CMAKE_CXX_COMPILER} -Xcompiler -march=x86-64-v2 -I ${CMAKE_SOURCE_DIR}/src -MD -MF ${object}.d
              -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
      DEPFILE ${object}.d
      COMMENT "nvcc ${source}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()
