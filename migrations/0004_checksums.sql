-- Rows prove themselves: a checksum over what each says (docs/internals/database-format.md). The table of the
-- evaluations is written anew, so that its pages are full again. What stands in a file from before is taken as
-- it is, also where it breaks a rule: reading tells of it.
PRAGMA ignore_check_constraints = ON;

CREATE TABLE evaluations_4 (
    id           INTEGER PRIMARY KEY CHECK (id >= 65536),
    position     INTEGER GENERATED ALWAYS AS (id >> 16) VIRTUAL REFERENCES positions (id),
    engine       INTEGER NOT NULL REFERENCES engines (id),
    limit_kind   INTEGER NOT NULL CHECK (limit_kind BETWEEN 0 AND 2), -- depth, nodes, movetime
    limit_amount INTEGER NOT NULL CHECK (limit_amount >= 1),          -- plies, nodes, ms
    excluded     BLOB NOT NULL,                                       -- moves
    at           INTEGER NOT NULL,                                    -- ms since 1970, UTC
    answer       BLOB NOT NULL CHECK (length(answer) >= 5),
    checksum     INTEGER NOT NULL                                     -- 24 bits
) STRICT;
INSERT INTO evaluations_4 (id, engine, limit_kind, limit_amount, excluded, at, answer, checksum)
SELECT v.id, v.engine, limit_kind, limit_amount, excluded, at, answer,
       adjourn_checksum((SELECT fingerprint FROM engines e WHERE e.id = v.engine),
                        (SELECT key FROM positions p WHERE p.id = v.id >> 16),
                        v.id, limit_kind, limit_amount, excluded, at, answer)
FROM evaluations v ORDER BY v.id;
DROP TABLE evaluations;
ALTER TABLE evaluations_4 RENAME TO evaluations;

CREATE TRIGGER evaluations_once AFTER INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations
             WHERE id BETWEEN NEW.id & ~65535 AND NEW.id | 65535 AND id <> NEW.id
               AND limit_amount = NEW.limit_amount AND limit_kind = NEW.limit_kind
               AND engine = NEW.engine AND excluded = NEW.excluded
               AND (substr(answer, 1, 1) IN (x'05', x'06', x'09', x'0A')
                    OR substr(NEW.answer, 1, 1) NOT IN (x'05', x'06', x'09', x'0A')))
BEGIN SELECT RAISE(ABORT, 'the question is answered already'); END;
CREATE TRIGGER evaluations_stay BEFORE UPDATE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are never changed'); END;
CREATE TRIGGER evaluations_remain BEFORE DELETE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are never deleted'); END;

-- The others have few rows.
ALTER TABLE failures ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE failures SET checksum = adjourn_checksum(
    (SELECT fingerprint FROM engines e WHERE e.id = engine),
    (SELECT key FROM positions p WHERE p.id = position),
    limit_kind, limit_amount, excluded, reason, attempts, at);
ALTER TABLE analyses ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE analyses SET checksum = adjourn_checksum(
    id, name, root_fen, root_moves, profile,
    coalesce((SELECT fingerprint FROM engines e WHERE e.id = engine), ''),
    limit_kind, limit_amount, parameters, priority, rank, state, state_reason, created_at);
ALTER TABLE directives ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE directives SET checksum = adjourn_checksum(
    id, analysis, (SELECT key FROM positions p WHERE p.id = position),
    coalesce(move, -1), line, action, text, at);
ALTER TABLE snapshots ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE snapshots SET checksum = adjourn_checksum(id, analysis, refine, at, data);
ALTER TABLE seeds ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE seeds SET checksum = adjourn_checksum(
    id, analysis, (SELECT key FROM positions p WHERE p.id = position), move,
    (SELECT text FROM sources o WHERE o.id = source), at);
ALTER TABLE usage ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE usage SET checksum = adjourn_checksum(analysis, evaluations_new, nodes, engine_ms);

-- Of the rows of `asked`, for each analysis the sum of their checksums. Stays when the analysis goes, as they do.
CREATE TABLE asked_sums (
    analysis INTEGER PRIMARY KEY,
    sum      INTEGER NOT NULL
) STRICT;
INSERT INTO asked_sums (analysis, sum)
SELECT analysis, sum(adjourn_checksum(analysis, evaluation)) FROM asked GROUP BY analysis;

PRAGMA ignore_check_constraints = OFF;
