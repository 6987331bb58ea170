# SPDX-License-Identifier: MIT
"""conan create packaging/conan (Conan 2): the four headers and the modules, as the target dppair::dppair."""
import os

from conan import ConanFile
from conan.tools.files import copy


class Dppair(ConanFile):
    name = "dppair"
    version = "0.1.0"
    license = "MIT"
    description = "Pairwise learning with differential privacy, in headers"
    topics = ("differential-privacy", "ranking", "auc", "metric-learning", "header-only")
    settings = "os"
    package_type = "header-library"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("dppair*.h", "modules/*.h", "LICENSE"):
            copy(self, pattern, root, self.export_sources_folder)

    def package(self):
        copy(self, "*.h", self.source_folder, os.path.join(self.package_folder, "include"), keep_path=False)
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["bcrypt"] if self.settings.os == "Windows" else ["m"]
