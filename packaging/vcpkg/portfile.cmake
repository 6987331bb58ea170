# An overlay port: vcpkg install dppair --overlay-ports=packaging/vcpkg. It installs this checkout.
get_filename_component(SOURCE "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(GLOB HEADERS "${SOURCE}/dppair*.h" "${SOURCE}/modules/*.h")
file(INSTALL ${HEADERS} DESTINATION "${CURRENT_PACKAGES_DIR}/include")
set(PREFIX "${CURRENT_PACKAGES_DIR}")
set(VERSION "0.1.0")
set(MAJOR "0")
foreach(FILE dppairConfig dppairConfigVersion)
  configure_file("${SOURCE}/packaging/${FILE}.cmake.in" "${CURRENT_PACKAGES_DIR}/share/dppair/${FILE}.cmake" @ONLY)
endforeach()
# vcpkg has configuration files two folders below its root, not three
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/dppair/dppairConfig.cmake" "/../../.." "/../..")
file(INSTALL "${SOURCE}/LICENSE" DESTINATION "${CURRENT_PACKAGES_DIR}/share/dppair" RENAME copyright)
