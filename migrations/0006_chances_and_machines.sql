-- Answers say how likely each result is, and which machine made them (docs/internals/database-format.md): bits 6 and
-- 7 of their first byte. Older answers say neither, and stay as they are.
CREATE TABLE machines (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    checksum INTEGER NOT NULL
) STRICT;

-- The first byte of an answer with a move and an exact score is one of these, whatever those two bits are.
DROP TRIGGER evaluations_once;
CREATE TRIGGER evaluations_once AFTER INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations
             WHERE id BETWEEN NEW.id & ~65535 AND NEW.id | 65535 AND id <> NEW.id
               AND limit_amount = NEW.limit_amount AND limit_kind = NEW.limit_kind
               AND engine = NEW.engine AND excluded = NEW.excluded
               AND (substr(answer, 1, 1) IN (x'05', x'06', x'09', x'0A', x'45', x'46', x'49', x'4A',
                                             x'85', x'86', x'89', x'8A', x'C5', x'C6', x'C9', x'CA')
                    OR substr(NEW.answer, 1, 1) NOT IN (x'05', x'06', x'09', x'0A', x'45', x'46', x'49', x'4A',
                                                        x'85', x'86', x'89', x'8A', x'C5', x'C6', x'C9', x'CA')))
BEGIN SELECT RAISE(ABORT, 'the question is answered already'); END;
