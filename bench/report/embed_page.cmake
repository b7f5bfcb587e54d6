# cmake -DPAGE=page.html -DINC=page.inc -P embed_page.cmake: the page as raw string literals of at most 32 KiB, each
# followed by a comma. Compilers bound the length of one literal: 64 KiB is the least that C++ asks for.
set(most 32768)

file(READ "${PAGE}" text)
string(FIND "${text}" ")page\"" delimiter)
if(NOT delimiter EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains the delimiter )page\" of the raw string literals; choose another one.")
endif()

string(LENGTH "${text}" length)
set(literals "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} ${most} piece)
  string(APPEND literals "R\"page(${piece})page\",\n")
  math(EXPR at "${at} + ${most}")
endwhile()
file(WRITE "${INC}" "${literals}")
