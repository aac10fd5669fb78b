# Writes OUTPUT, a C++ source with the page's files as texts: page_files.h.
#
# cmake -DOUTPUT=page_files.cc -DPAGE=folder -DSCRIPTS=a.js,b.js -DCHARTS=d3.min.js -DLICENSE=copyright -P embed.cmake
# CHARTS and LICENSE may be empty.

# Texts of any content, as raw strings in pieces. Together they are longer than the standard asks of a compiler; ours
# take them.
function(append_text file)
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 12000 piece)
    file(APPEND ${OUTPUT}.new "R\"cuset_page(${piece})cuset_page\"\n")
    math(EXPR begin "${begin} + 12000")
  endwhile()
endfunction()

file(WRITE ${OUTPUT}.new "// Made by src/report/embed.cmake.\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#include \"report/page_files.h\"\n\nnamespace cuset::report {\n\n")
file(APPEND ${OUTPUT}.new "const PageFiles kPageFiles = {\n.html = ")
append_text(${PAGE}/page.html)
file(APPEND ${OUTPUT}.new ",\n.style = ")
append_text(${PAGE}/look.css)
append_text(${PAGE}/page.css)
file(APPEND ${OUTPUT}.new ",\n.script = \"\\\"use strict\\\";\\n\"\n")
string(REPLACE "," ";" scripts "${SCRIPTS}")
foreach(script IN LISTS scripts)
  append_text(${PAGE}/${script})
endforeach()
file(APPEND ${OUTPUT}.new ",\n.charts = \"\"\n")
if(CHARTS)
  if(LICENSE)
    file(APPEND ${OUTPUT}.new "\"/*\\n\"\n")
    append_text(${LICENSE})
    file(APPEND ${OUTPUT}.new "\"*/\\n\"\n")
  endif()
  append_text(${CHARTS})
endif()
file(APPEND ${OUTPUT}.new "};\n\n}  // namespace cuset::report\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
