# cmake -DPROGRAM=FILE -DSAYS=REGEX -P run.cmake: runs a program, which must end with status 0 and print what matches.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE said RESULT_VARIABLE status)
message("${said}")
if(NOT status EQUAL 0 OR NOT said MATCHES "${SAYS}")
  message(FATAL_ERROR "it ended with status ${status}, and should say: ${SAYS}")
endif()
