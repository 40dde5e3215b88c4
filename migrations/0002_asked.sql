-- Which analysis asked for an evaluation, and its effort, are written in the evaluation's own
-- transaction. docs/internals/database-format.md explains both tables.

-- Stays when the analysis goes, as the evaluation does: so `analysis` is no reference. Ids of
-- analyses are never given twice.
CREATE TABLE asked (
    analysis   INTEGER NOT NULL,
    evaluation INTEGER NOT NULL REFERENCES evaluations (id),
    PRIMARY KEY (analysis, evaluation)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER asked_stay BEFORE UPDATE ON asked
BEGIN SELECT RAISE(ABORT, 'who asked is never changed'); END;
CREATE TRIGGER asked_remain BEFORE DELETE ON asked
BEGIN SELECT RAISE(ABORT, 'who asked is never deleted'); END;

-- Both follow from the facts and from who asked for them.
ALTER TABLE usage DROP COLUMN evaluations_reused;
ALTER TABLE usage DROP COLUMN unneeded;
