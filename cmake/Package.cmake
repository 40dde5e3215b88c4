# `cmake --install` and the Debian package (`cpack --config build/release/CPackConfig.cmake`, or the target `package`).
include(GNUInstallDirs)

set(package ${CMAKE_CURRENT_SOURCE_DIR}/server/program/package)

install(TARGETS adjourn RUNTIME DESTINATION bin)
# The page, where the program looks for it.
install(DIRECTORY web/dist/ DESTINATION share/adjourn/web OPTIONAL)

# What the archive of ./package starts with. Whole, so that it needs nothing of the system.
add_executable(launcher EXCLUDE_FROM_ALL server/program/package/launcher.cpp)
target_compile_options(launcher PRIVATE -Os)
target_link_options(launcher PRIVATE -static)
target_link_libraries(launcher PRIVATE adjourn_flags)

# In the package alone. The date is that of $SOURCE_DATE_EPOCH, if it is set.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/changelog
  "adjourn (${PROJECT_VERSION}) bookworm; urgency=medium\n\n  * What changed: CHANGELOG.md of the source.\n\n"
  " -- The authors of Adjourn <adjourn@example.org>  ${date}\n")
execute_process(COMMAND gzip -9nf ${CMAKE_CURRENT_BINARY_DIR}/changelog)
set(in_package COMPONENT package EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz DESTINATION share/doc/adjourn ${in_package})
install(FILES ${package}/copyright DESTINATION share/doc/adjourn ${in_package})
install(FILES ${package}/adjourn.service DESTINATION /lib/systemd/system ${in_package})
install(FILES ${package}/adjourn.toml DESTINATION /etc/adjourn ${in_package})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME adjourn)
set(CPACK_PACKAGE_CONTACT "The authors of Adjourn <adjourn@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "persistent deep-analysis server for chess")
set(CPACK_PACKAGE_DESCRIPTION "Adjourn asks UCI engines about positions and keeps every answer for good.
It grows an analysis tree, backs the answers up by minimax, and shows the
tree in a web page while it grows.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL Unspecified package)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "init-system-helpers (>= 1.54~)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS stockfish)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${package}/postinst ${package}/prerm ${package}/postrm ${package}/conffiles)
include(CPack)
