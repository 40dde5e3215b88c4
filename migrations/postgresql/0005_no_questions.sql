-- Machines are given questions by the server, over HTTP. The tables in which they took them are gone.

DROP FUNCTION carry_out(bigint[], bytea[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bytea[],
                        bigint[], bigint[], bigint[], bytea[], bigint[]);
DROP FUNCTION take_questions(bigint, bytea[], bigint[], bigint[]);
DROP FUNCTION beat(bigint, bytea, bigint[]);
DROP FUNCTION give_answers(bigint, bigint[], bytea[]);
DROP FUNCTION leave(bigint);
DROP FUNCTION state_of(bigint, bigint[]);
DROP TYPE machine_state;
DROP TABLE answers, questions, machines;
