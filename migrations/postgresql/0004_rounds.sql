-- The server's part of what machines do, in one call: whoever is far away, or on a machine with much to do, waits once
-- for a round and not for each of its statements.

-- All of it or nothing. Pairs of arrays have the same length; 0 in `prefer` and `avoid`: none.
CREATE FUNCTION carry_out(welcomed bigint[], welcomes bytea[], drained bigint[], drains bigint[], forgotten bigint[],
                          ended bigint[], had bigint[], hurried bigint[], leases bigint[], profiles bytea[],
                          urgents bigint[], prefer bigint[], avoid bigint[], texts bytea[], woken bigint[])
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true); -- what is lost is seen by the next look
    -- Machines before questions, as they do it themselves: nobody waits for each other.
    IF cardinality(welcomed) > 0 THEN
        UPDATE machines m SET welcome = told.text FROM unnest(welcomed, welcomes) AS told (machine, text)
        WHERE m.machine = told.machine;
    END IF;
    IF cardinality(drained) > 0 THEN
        UPDATE machines m SET drain = told.flag FROM unnest(drained, drains) AS told (machine, flag)
        WHERE m.machine = told.machine;
    END IF;
    IF cardinality(forgotten) > 0 THEN
        DELETE FROM machines WHERE machine = ANY (forgotten);
    END IF;
    IF cardinality(ended) > 0 THEN
        DELETE FROM questions WHERE lease = ANY (ended);
    END IF;
    IF cardinality(had) > 0 THEN
        DELETE FROM answers WHERE number = ANY (had);
    END IF;
    IF cardinality(hurried) > 0 THEN
        UPDATE questions SET urgent = 1 WHERE lease = ANY (hurried);
    END IF;
    IF cardinality(leases) > 0 THEN
        INSERT INTO questions (lease, profile, urgent, prefers, avoids, question)
            SELECT q.lease, q.profile, q.urgent, nullif(q.prefers, 0), nullif(q.avoids, 0), q.text
            FROM unnest(leases, profiles, urgents, prefer, avoid, texts)
                AS q (lease, profile, urgent, prefers, avoids, text);
    END IF;
    IF cardinality(woken) > 0 THEN
        PERFORM pg_notify('adjourn_machine_' || m, '') FROM unnest(woken) AS m;
    END IF;
    RETURN 1;
END $$;

-- As before, but it tells the server nothing: who has which question is seen when the server looks the next time, which
-- it does soon where questions lie open.
CREATE OR REPLACE FUNCTION take_questions(this bigint, profiles bytea[], most bigint[], held bigint[])
RETURNS SETOF machine_state LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true); -- a take that is lost is none
    IF EXISTS (SELECT FROM machines WHERE machine = this AND drain = 0 AND gone = 0 FOR SHARE) THEN
        FOR i IN 1 .. coalesce(array_length(profiles, 1), 0) LOOP
            WITH chosen AS MATERIALIZED (
                SELECT lease FROM questions WHERE machine IS NULL AND profile = profiles[i]
                ORDER BY avoids IS NOT DISTINCT FROM this, urgent DESC, prefers IS NOT DISTINCT FROM this DESC,
                         prefers IS NOT NULL, lease
                LIMIT most[i] FOR UPDATE SKIP LOCKED)
            UPDATE questions SET machine = this FROM chosen WHERE questions.lease = chosen.lease;
        END LOOP;
    END IF;
    RETURN QUERY SELECT * FROM state_of(this, held);
END $$;
