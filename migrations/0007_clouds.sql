-- What clouds, collections of evaluations elsewhere, said of positions (docs/internals/database-format.md).
CREATE TABLE clouds (
    position BLOB NOT NULL,    -- a position's key
    source   TEXT NOT NULL,    -- the cloud
    at       INTEGER NOT NULL, -- when it came
    text     TEXT NOT NULL,    -- as it came; '': the cloud does not know the position
    checksum INTEGER NOT NULL,
    PRIMARY KEY (position, source)
) STRICT, WITHOUT ROWID;
