-- What Lmod does with a modulefile: prints the variables and the folders that come in front.  lua modulefile.lua FILE
function myFileName() return arg[1] end
function pathJoin(folder, name) return folder .. "/" .. name end
function whatis() end
function conflict() end
function prepend_path(variable, folder) print(variable, folder) end
dofile(arg[1])
