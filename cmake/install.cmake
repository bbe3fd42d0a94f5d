# What `make install` puts in place: headers, both libraries, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)

install(FILES ${wend_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wend)
install(TARGETS ${wend_libraries} EXPORT wend
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wend)
install(EXPORT wend NAMESPACE wend:: FILE wendTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/wendConfig.cmake.in wendConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(wendConfigVersion.cmake COMPATIBILITY ${wend_compatible})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/wendConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/wendConfigVersion.cmake
        DESTINATION ${package_dir})

# pkg-config finds its own way from the .pc file to the prefix, so that the tree can be moved.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_INCLUDEDIR includedir_is_absolute)
if(libdir_is_absolute)
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
             OUTPUT_VARIABLE up)
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(includedir_is_absolute)
  set(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# Where the loader does not look by itself, programs get the way to the library. The prefix is known when installing.
set(pc_rpath "")
configure_file(cmake/wend.pc.in pkgconfig/searched/wend.pc @ONLY)
set(pc_rpath " -Wl,-rpath,\${libdir}")
configure_file(cmake/wend.pc.in pkgconfig/own/wend.pc @ONLY)
install(CODE "set(pc_folder \"${CMAKE_CURRENT_BINARY_DIR}/pkgconfig\")\nset(pc_libdir \"${CMAKE_INSTALL_LIBDIR}\")")
install(CODE [[
  set(pc_kind own)
  if(CMAKE_INSTALL_PREFIX MATCHES "^(/usr|/usr/local)?/?$")
    set(pc_kind searched)
  endif()
  cmake_path(ABSOLUTE_PATH pc_libdir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  file(INSTALL "${pc_folder}/${pc_kind}/wend.pc" DESTINATION "${pc_libdir}/pkgconfig")
]])
