# Spack's recipe: in a repository of yours, packages/minas/package.py; or spack dev-build minas@0.1.0 in the sources.
from spack.package import *


class Minas(CMakePackage):
    """NUMA placement for OpenMP programs: memory on nodes, threads on CPUs, with little or no change to sources."""

    homepage = "https://minas.example"  # where your copy lies
    maintainers("minas")
    license("Apache-2.0 WITH LLVM-exception")

    version("0.1.0")
    version("main", branch="main")

    variant("tools", default=True, description="mai-trace, maicc, mai-names and mai-picture, which need LLVM")
    variant("rewrite", default=True, description="mapp-rewrite, which needs Clang", when="+tools")
    variant("map", default=True, description="mai-map, which needs LEMON", when="+tools")
    variant("scotch", default=False, description="mai-map --algorithm=scotch", when="+map")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")
    depends_on("hwloc@2.5:")
    depends_on("numactl@2.0.14:")
    depends_on("jansson@2.13:")
    depends_on("libpng@1.6:")
    depends_on("zlib-api")
    depends_on("zstd", when="+tools")
    depends_on("llvm@16:22", when="+tools")
    depends_on("llvm@16:22+clang", when="+rewrite")
    depends_on("lemon", when="+map")
    depends_on("scotch", when="+scotch")

    def cmake_args(self):
        return [
            self.define("MINAS_TESTS", False),
            self.define_from_variant("MINAS_TRACE", "tools"),
            self.define_from_variant("MINAS_MAPP", "rewrite"),
            self.define_from_variant("MINAS_MAP", "map"),
        ]
