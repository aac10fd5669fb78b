# cuset_read_page(VARIABLE FILE): the text of an HTML page with the look that all our pages share: {{look}} stands for
# src/report/page/look.css, {{theme}} for theme.js beside it.
function(cuset_read_page variable file)
  set(shared ${CMAKE_SOURCE_DIR}/src/report/page)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file} ${shared}/look.css ${shared}/theme.js)
  file(READ ${file} page)
  file(READ ${shared}/look.css look)
  file(READ ${shared}/theme.js theme)
  string(REPLACE "{{look}}" "${look}" page "${page}")
  string(REPLACE "{{theme}}" "${theme}" page "${page}")
  set(${variable} "${page}" PARENT_SCOPE)
endfunction()
