-- What clouds, collections of evaluations elsewhere, said of positions, as in the file of SQLite.
CREATE TABLE clouds (
    position bytea NOT NULL,  -- a position's key
    source   bytea NOT NULL,  -- the cloud
    at       bigint NOT NULL, -- when it came
    text     bytea NOT NULL,  -- as it came; '': the cloud does not know the position
    checksum bigint NOT NULL,
    PRIMARY KEY (position, source)
);
