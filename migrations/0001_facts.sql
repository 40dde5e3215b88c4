-- The facts. docs/internals/database-format.md explains every table, blob and encoding.
PRAGMA application_id = 1097099886; -- "Adjn"

CREATE TABLE positions (
    id  INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 24 AND substr(key, -1) <> x'00')
) STRICT;

CREATE TABLE engines (
    id          INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    version     TEXT NOT NULL,
    options     TEXT NOT NULL,
    network     TEXT NOT NULL
) STRICT;

-- The id is position × 65536 + a number that counts up within the position: the facts of a position
-- lie side by side, and no index is needed to find the answer to a question.
CREATE TABLE evaluations (
    id           INTEGER PRIMARY KEY CHECK (id >= 65536),
    position     INTEGER GENERATED ALWAYS AS (id >> 16) VIRTUAL REFERENCES positions (id),
    engine       INTEGER NOT NULL REFERENCES engines (id),
    limit_kind   INTEGER NOT NULL CHECK (limit_kind BETWEEN 0 AND 2), -- depth, nodes, movetime
    limit_amount INTEGER NOT NULL CHECK (limit_amount >= 1),          -- plies, nodes, ms
    excluded     BLOB NOT NULL,                                       -- moves
    at           INTEGER NOT NULL,                                    -- ms since 1970, UTC
    answer       BLOB NOT NULL CHECK (length(answer) >= 5)
) STRICT;

-- The same question is answered once.
CREATE TRIGGER evaluations_once AFTER INSERT ON evaluations
WHEN EXISTS (SELECT 1 FROM evaluations
             WHERE id BETWEEN NEW.id & ~65535 AND NEW.id | 65535 AND id <> NEW.id
               AND limit_amount = NEW.limit_amount AND limit_kind = NEW.limit_kind
               AND engine = NEW.engine AND excluded = NEW.excluded)
BEGIN SELECT RAISE(ABORT, 'the question is answered already'); END;

-- Facts stay as they are.
CREATE TRIGGER evaluations_stay BEFORE UPDATE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are never changed'); END;
CREATE TRIGGER evaluations_remain BEFORE DELETE ON evaluations
BEGIN SELECT RAISE(ABORT, 'evaluations are never deleted'); END;
CREATE TRIGGER positions_stay BEFORE UPDATE ON positions
BEGIN SELECT RAISE(ABORT, 'positions are never changed'); END;
CREATE TRIGGER positions_remain BEFORE DELETE ON positions
BEGIN SELECT RAISE(ABORT, 'positions are never deleted'); END;
CREATE TRIGGER engines_stay BEFORE UPDATE ON engines
BEGIN SELECT RAISE(ABORT, 'engines are never changed'); END;
CREATE TRIGGER engines_remain BEFORE DELETE ON engines
BEGIN SELECT RAISE(ABORT, 'engines are never deleted'); END;

CREATE TABLE failures (
    engine       INTEGER NOT NULL REFERENCES engines (id),
    position     INTEGER NOT NULL REFERENCES positions (id),
    limit_kind   INTEGER NOT NULL CHECK (limit_kind BETWEEN 0 AND 2),
    limit_amount INTEGER NOT NULL CHECK (limit_amount >= 1),
    excluded     BLOB NOT NULL,
    reason       TEXT NOT NULL,
    attempts     INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    PRIMARY KEY (engine, position, limit_kind, limit_amount, excluded)
) STRICT, WITHOUT ROWID;

CREATE TABLE analyses (
    id           INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
    name         TEXT NOT NULL,
    root_fen     TEXT NOT NULL,
    root_moves   BLOB NOT NULL,
    profile      TEXT NOT NULL,
    engine       INTEGER REFERENCES engines (id), -- NULL: not known yet
    limit_kind   INTEGER NOT NULL CHECK (limit_kind BETWEEN 0 AND 2),
    limit_amount INTEGER NOT NULL CHECK (limit_amount >= 1),
    parameters   TEXT NOT NULL,
    priority     INTEGER NOT NULL,
    rank         REAL NOT NULL,
    state        TEXT NOT NULL
        CHECK (state IN ('queued', 'running', 'paused', 'settled', 'exhausted', 'failed')),
    state_reason TEXT NOT NULL,
    created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE directives (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
    position INTEGER NOT NULL REFERENCES positions (id),
    move     INTEGER, -- raw; NULL: the position itself
    line     BLOB NOT NULL,
    action   TEXT NOT NULL,
    text     TEXT NOT NULL,
    at       INTEGER NOT NULL
) STRICT;
CREATE INDEX directives_by_analysis ON directives (analysis);

CREATE TABLE snapshots (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
    refine   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    data     TEXT NOT NULL
) STRICT;
CREATE INDEX snapshots_by_analysis ON snapshots (analysis);

CREATE TABLE sources (
    id   INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

-- Moves that people and games brought in, apart from those that engines proposed.
CREATE TABLE seeds (
    id       INTEGER PRIMARY KEY,
    analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
    position INTEGER NOT NULL REFERENCES positions (id),
    move     INTEGER NOT NULL,
    source   INTEGER NOT NULL REFERENCES sources (id),
    at       INTEGER NOT NULL,
    UNIQUE (analysis, position, move)
) STRICT;

CREATE TABLE usage (
    analysis           INTEGER PRIMARY KEY REFERENCES analyses (id) ON DELETE CASCADE,
    evaluations_new    INTEGER NOT NULL CHECK (evaluations_new >= 0),
    evaluations_reused INTEGER NOT NULL CHECK (evaluations_reused >= 0),
    unneeded           INTEGER NOT NULL CHECK (unneeded >= 0),
    nodes              INTEGER NOT NULL CHECK (nodes >= 0),
    engine_ms          INTEGER NOT NULL CHECK (engine_ms >= 0)
) STRICT;

-- Counting 10 million rows takes seconds; this is kept up with every commit.
CREATE TABLE totals (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO totals VALUES ('evaluations', 0);
