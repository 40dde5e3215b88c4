#include "mending.hpp"

#include "storage_rows/row_stream.hpp"

#include <algorithm>

namespace adjourn::storage {

namespace {

std::optional<EngineRecord> with_one_bit_mended(EngineRecord engine,
                                                const std::string& fingerprint) {
    for (std::string* field : {&engine.name, &engine.version, &engine.options, &engine.network}) {
        for (std::size_t bit = 0; bit < field->size() * 8; ++bit) {
            char& byte = (*field)[bit / 8];
            const char before = byte;
            byte = static_cast<char>(byte ^ 1 << bit % 8);
            if (engine.fingerprint() == fingerprint) {
                return engine;
            }
            byte = before;
        }
    }
    return std::nullopt;
}

} // namespace

void mend_positions(Salvage& salvage) {
    std::map<std::int64_t, std::vector<std::uint8_t>> others;
    for (const char* order : {"ASC", "DESC"}) {
        try {
            Statement rows{salvage.from, std::string{"SELECT id, key FROM positions INDEXED BY "
                                                     "sqlite_autoindex_positions_1 ORDER BY key "} +
                                             order};
            Statement known{salvage.to, "SELECT key FROM positions WHERE id = ?"};
            while (rows.step()) {
                known.bind(rows.integer(0));
                const bool there = known.step();
                const Bytes key = rows.bytes(1);
                if (!there || !std::ranges::equal(known.bytes(0), key)) {
                    others[rows.integer(0)].assign(key.begin(), key.end());
                }
            }
            break;
        } catch (const SqliteError& error) {
            salvage.tell(std::string{"positions: not all of the index can be read: "} +
                         error.what());
        }
    }
    const auto proved = [&](std::int64_t id) {
        return salvage.sound_facts("WHERE evaluations.id BETWEEN ?1 << 16 AND (?1 << 16) + 65535",
                                   id);
    };
    for (const auto& [id, key] : others) {
        const std::int64_t before = proved(id);
        salvage.to.execute("SAVEPOINT key");
        try {
            Statement set{salvage.to, "INSERT INTO positions (id, key) VALUES (?, ?) "
                                      "ON CONFLICT (id) DO UPDATE SET key = excluded.key"};
            set.run(id, Bytes{key});
            if (proved(id) > before || before == 0) {
                salvage.to.execute("RELEASE key");
                salvage.tell("position " + std::to_string(id) +
                             ": its key was taken from the index");
                continue;
            }
        } catch (const SqliteError& error) {
            salvage.tell("position " + std::to_string(id) + ": " + error.what());
        }
        salvage.to.execute("ROLLBACK TO key; RELEASE key");
    }
}

void mend_engines(Salvage& salvage) {
    Statement rows{salvage.to,
                   "SELECT id, name, version, options, network, fingerprint FROM engines"};
    std::map<std::int64_t, std::optional<EngineRecord>> wrong;
    std::map<std::int64_t, std::string> fingerprints;
    while (rows.step()) {
        EngineRecord engine{{}, rows.text(1), rows.text(2), rows.text(3), rows.text(4)};
        if (engine.fingerprint() != rows.text(5)) {
            wrong[rows.integer(0)] = with_one_bit_mended(engine, rows.text(5));
            fingerprints[rows.integer(0)] = engine.fingerprint();
        }
    }
    for (const auto& [id, mended] : wrong) {
        const std::string name = "engine " + std::to_string(id);
        if (mended) {
            Statement set{salvage.to, "UPDATE engines SET name = ?, version = ?, options = ?, "
                                      "network = ? WHERE id = ?"};
            set.run(mended->name, mended->version, mended->options, mended->network, id);
            salvage.tell(name + ": one wrong bit was mended");
            continue;
        }
        // Perhaps the fingerprint itself is wrong: then its evaluations know the
        // right one.
        Statement set{salvage.to, "UPDATE engines SET fingerprint = ? WHERE id = ?"};
        set.run(fingerprints[id], id);
        if (salvage.sound_facts("WHERE engine = ?", id) > 0) {
            salvage.tell(name + ": its fingerprint was mended");
            continue;
        }
        Statement{salvage.to, "DELETE FROM engines WHERE id = ?"}.run(id);
        --salvage.tables["engines"].taken;
        ++salvage.tables["engines"].left_out;
        salvage.tell(name + ": its fingerprint is another; its evaluations mean nothing "
                            "without it");
    }
}

void mend_machines(Salvage& salvage) {
    std::map<std::int64_t, std::string> names;
    salvage.each(tables::machines, "", {}, [&](Cells row) {
        if (is_sound(tables::machines, row)) {
            names.emplace(integer(row[0]), text(row[1]));
        }
    });
    std::map<std::int64_t, std::string> mended;
    try {
        Statement rows{salvage.from, "SELECT id, name FROM machines INDEXED BY "
                                     "sqlite_autoindex_machines_1 WHERE name >= ''"};
        while (rows.step()) {
            if (!names.contains(rows.integer(0))) {
                mended.emplace(rows.integer(0), rows.text(1));
            }
        }
    } catch (const SqliteError& error) {
        salvage.tell(std::string{"machines: not all of the index can be read: "} + error.what());
    }
    salvage.each(tables::evaluations, "", {}, [&](Cells row) {
        Evaluation evaluation;
        const auto machine = decode_answer(bytes(row[6]), evaluation).value_or(0);
        if (machine != 0 && !names.contains(machine)) {
            mended.emplace(machine, "lost machine " + std::to_string(machine));
        }
    });
    salvage.to.execute("DELETE FROM machines");
    Statement set{salvage.to, copy_row(tables::machines)};
    const auto put = [&](std::int64_t id, const std::string& name) {
        const MachineRecord machine{id, name};
        set.bind_cells(row_of(machine).cells);
        set.step();
    };
    for (const auto& [id, name] : names) {
        put(id, name);
    }
    for (const auto& [id, name] : mended) {
        put(id, name);
        salvage.tell("machine " + std::to_string(id) + ": it is called '" + name + "' now");
    }
    salvage.tables["machines"].taken = names.size() + mended.size();
}

} // namespace adjourn::storage
