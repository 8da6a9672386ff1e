# One library per folder of src/. Names everything a module needs in one call:
#
#   cuzk_module(NAME field DEPS base SRCS isa.cpp TESTS fr_test.cpp LIBS fmt::fmt TEST_LIBS gmp)
#
# SRCS       translation units; without any the module is header-only
# DEPS       other modules (checked by tools/check_layers.py against cmake/layers.txt)
# LIBS       third-party libraries of the module       TEST_DEPS / TEST_LIBS   what only its tests need
# TESTS      GoogleTest sources, one executable <name>_test, each TEST a ctest test labelled `core`
# SLOW_TESTS the same, executable <name>_slow_test, without the label: not run under sanitizers
# HUGE_TESTS the same, labelled `huge`: only in ./test.sh --full
# BENCHES    Google Benchmark sources, executable <name>_bench
# FUZZ       sources x_fuzz.cpp with LLVMFuzzerTestOneInput, executable <name>_x_fuzz with src/base/fuzz_main.cpp as driver;
#            a short run is a test labelled `core` and `fuzz`, which also replays the folder corpus/x beside the source.
#            DEPS and TEST_DEPS are linked
find_package(Threads REQUIRED)

# -mtune-ctrl: field elements are copied through 8-byte registers. A 16-byte load from two fresh 8-byte stores is not
# forwarded and costs about 20 cycles; without it a chain of Fp multiplications takes 41 ns a link instead of 48
# (docs/performance/field.md).
# -Wno-restrict: g++ 12 warns of overlaps that cannot be, in std::string's operator+ (GCC bug 105651).
add_library(cuzk_flags INTERFACE)
target_compile_features(cuzk_flags INTERFACE cxx_std_20)
target_compile_options(cuzk_flags INTERFACE -Wall -Wextra -Wshadow -Werror -Wno-restrict -march=x86-64-v2 -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  target_compile_options(cuzk_flags INTERFACE
                         -mtune-ctrl=^sse_unaligned_load_optimal,^sse_unaligned_store_optimal)
endif()
target_include_directories(cuzk_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(CUZK_PORTABLE)
  target_compile_definitions(cuzk_flags INTERFACE CUZK_PORTABLE=1)
endif()
if(CUZK_SANITIZE)
  target_compile_options(cuzk_flags INTERFACE -fsanitize=${CUZK_SANITIZE} -fno-omit-frame-pointer -g1
                                              -fno-sanitize-recover=all)
  target_link_options(cuzk_flags INTERFACE -fsanitize=${CUZK_SANITIZE})
endif()

# Kernels for one instruction set are files of their own, chosen at run time (field/isa.hpp):
#   set_source_files_properties(x_avx2.cpp PROPERTIES COMPILE_OPTIONS "${CUZK_AVX2_OPTIONS}")
# g++ would sum a column's terms after all of them are computed, which costs more registers than there are:
# -fno-tree-reassoc and -fno-tree-ter keep the order of the source (Fp multiplication by AVX2: 27 ns before, 19 after).
set(CUZK_KERNEL_OPTIONS -fno-tree-reassoc -fno-tree-ter)
set(CUZK_AVX2_OPTIONS -mavx2 -mfma -frounding-math ${CUZK_KERNEL_OPTIONS})
# g++ 12 takes its own AVX-512 intrinsics for uninitialised reads (GCC bug 105593).
set(CUZK_IFMA_OPTIONS -mavx512f -mavx512vl -mavx512dq -mavx512ifma ${CUZK_KERNEL_OPTIONS} -Wno-maybe-uninitialized -Wno-uninitialized)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Everything that the tests labelled `core` need, for builds that run no others.
add_custom_target(core_tests)

function(cuzk_test_executable target label sources deps libs)
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE cuzk_flags ${deps} ${libs} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE CUZK_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                               CUZK_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(label STREQUAL core)
    add_dependencies(core_tests ${target})
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${label}" TIMEOUT 1800)
endfunction()

function(cuzk_fuzz_executable module source deps libs)
  get_filename_component(stem ${source} NAME_WE)
  set(target ${module}_${stem})
  add_executable(${target} ${source} ${CMAKE_SOURCE_DIR}/src/base/fuzz_main.cpp)
  target_link_libraries(${target} PRIVATE cuzk_flags ${deps} ${libs})
  add_dependencies(core_tests ${target})
  string(REGEX REPLACE "_fuzz$" "" name ${stem})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  if(NOT EXISTS ${corpus})
    set(corpus)
  endif()
  add_test(NAME fuzz.${target} COMMAND ${target} --runs 20000 --seconds 2 --seed 1 ${corpus})
  set_tests_properties(fuzz.${target} PROPERTIES LABELS "core;fuzz" TIMEOUT 300)
endfunction()

function(cuzk_module)
  cmake_parse_arguments(M "" "NAME" "DEPS;SRCS;LIBS;TESTS;SLOW_TESTS;HUGE_TESTS;TEST_DEPS;TEST_LIBS;BENCHES;BENCH_DEPS;FUZZ"
                        ${ARGN})
  foreach(list IN ITEMS M_DEPS M_TEST_DEPS M_BENCH_DEPS)
    list(TRANSFORM ${list} REPLACE "/" "_")
    list(TRANSFORM ${list} PREPEND cuzk_)
  endforeach()
  string(REPLACE "/" "_" flat ${M_NAME})
  set(lib cuzk_${flat})
  if(M_SRCS)
    add_library(${lib} STATIC ${M_SRCS})
    target_link_libraries(${lib} PUBLIC cuzk_flags ${M_DEPS} ${M_LIBS} Threads::Threads)
  else()
    add_library(${lib} INTERFACE)
    target_link_libraries(${lib} INTERFACE cuzk_flags ${M_DEPS} ${M_LIBS} Threads::Threads)
  endif()
  if(CUZK_TESTS)
    find_package(GTest REQUIRED)
    include(GoogleTest)
    foreach(kind IN ITEMS TESTS SLOW_TESTS HUGE_TESTS)
      if(M_${kind})
        set(suffix_TESTS test)
        set(suffix_SLOW_TESTS slow_test)
        set(suffix_HUGE_TESTS huge_test)
        set(label_TESTS core)
        set(label_SLOW_TESTS slow)
        set(label_HUGE_TESTS huge)
        cuzk_test_executable(${flat}_${suffix_${kind}} ${label_${kind}} "${M_${kind}}" "${lib};${M_TEST_DEPS}"
                             "${M_TEST_LIBS}")
      endif()
    endforeach()
  endif()
  if(CUZK_TESTS)
    foreach(source IN LISTS M_FUZZ)
      cuzk_fuzz_executable(${flat} ${source} "${lib};${M_TEST_DEPS}" "${M_TEST_LIBS}")
    endforeach()
  endif()
  if(CUZK_BENCH AND M_BENCHES)
    find_package(benchmark REQUIRED)
    add_executable(${flat}_bench ${M_BENCHES})
    target_link_libraries(${flat}_bench PRIVATE ${lib} ${M_BENCH_DEPS} benchmark::benchmark
                                                benchmark::benchmark_main)
  endif()
endfunction()
