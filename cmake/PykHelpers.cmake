# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The three functions that keep every CMakeLists.txt to a few lines.

# pyk_add_library(<name> SOURCES <file>... [DEPENDS <tablegen target>...]
#                 [LINK <target>...])
# One static library for one folder, installed and exported as PyK::<name>.
# All libraries share the precompiled header of PykPCH.
function(pyk_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(PyK::${name} ALIAS ${name})
  target_precompile_headers(${name} REUSE_FROM PykPCH)
  add_dependencies(${name} PykTableGen ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PykMLIR)
  set_property(GLOBAL APPEND PROPERTY PYK_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT PyKCompilerTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# pyk_add_tool(<name> SOURCES <file>... LINK <target>...)
# One executable, installed. It is position-independent in another way than the
# libraries, so that it cannot share their precompiled header.
function(pyk_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  add_dependencies(${name} PykTableGen)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} PykMLIR)
  file(RELATIVE_PATH libraries
       ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# pyk_tablegen(<td file> <output> <generator flags>...)
# Runs mlir-tblgen in the folder of the caller; PykTableGen collects the result.
function(pyk_tablegen source output)
  set(LLVM_TARGET_DEFINITIONS ${source})
  mlir_tablegen(${output} ${ARGN} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR}/include)
  string(MAKE_C_IDENTIFIER "${CMAKE_CURRENT_BINARY_DIR}/${output}" id)
  add_custom_target(tablegen-${id}
                    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${output})
  add_dependencies(PykTableGen tablegen-${id})
endfunction()
