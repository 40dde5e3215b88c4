-- Files of games as people brought them, in versions: of each file and game the last one counts
-- (docs/internals/database-format.md).
CREATE TABLE files (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    analysis INTEGER REFERENCES analyses (id) ON DELETE CASCADE, -- NULL: none
    file     INTEGER NOT NULL,                                   -- the id of its first row
    number   INTEGER NOT NULL CHECK (number >= 0),               -- of the game, from 1; 0: the file itself
    version  INTEGER NOT NULL CHECK (version >= 1),
    before   INTEGER NOT NULL CHECK (before >= 0),               -- the version that undoing brings back; 0: none
    text     TEXT NOT NULL,                                      -- the file's name, or a game in PGN; '': deleted
    at       INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (file, number, version)
) STRICT;
CREATE INDEX files_by_analysis ON files (analysis);
