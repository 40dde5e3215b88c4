-- An answer without exact score is none (docs/internals/database-format.md): beside it the question may be answered once.
-- The first byte of an answer with a move and an exact score is one of these four.
DROP TRIGGER evaluations_once;
CREATE TRIGGER evaluations_once AFTER INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations
             WHERE id BETWEEN NEW.id & ~65535 AND NEW.id | 65535 AND id <> NEW.id
               AND limit_amount = NEW.limit_amount AND limit_kind = NEW.limit_kind
               AND engine = NEW.engine AND excluded = NEW.excluded
               AND (substr(answer, 1, 1) IN (x'05', x'06', x'09', x'0A')
                    OR substr(NEW.answer, 1, 1) NOT IN (x'05', x'06', x'09', x'0A')))
BEGIN SELECT RAISE(ABORT, 'the question is answered already'); END;
