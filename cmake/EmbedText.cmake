# cmake -DINPUT=… -DOUTPUT=… -DNAME=… -P EmbedText.cmake: a text file as a C++ string constant.
file(READ ${INPUT} text)
string(LENGTH "${text}" length)
set(body "")
set(at 0)
while(at LESS length) # compilers limit the length of one literal
  string(SUBSTRING "${text}" ${at} 16000 part)
  string(APPEND body "R\"~~~~(${part})~~~~\"\n")
  math(EXPR at "${at} + 16000")
endwhile()
file(WRITE ${OUTPUT} "// Made from ${INPUT}.\nextern const char ${NAME}[];\nconst char ${NAME}[] =\n${body};\n")
