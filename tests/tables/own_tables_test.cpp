// Our own tables: made, stored, read, and right.
#include "files.hpp"
#include "positions.hpp"
#include "tables/own_tables.hpp"
#include "tables/syzygy.hpp"

using namespace adjourn::tables;
using chess::Outcome;
using chess::Position;

namespace {

chess::EndgameTableSet make_all(const std::vector<std::string>& names) {
    chess::EndgameTableSet tables;
    for (const std::string& name : names) {
        for (const auto& material :
             chess::EndgameTable::needed_for(*chess::Material::parse(name))) {
            if (!tables.contains(material.name())) {
                tables[material.name()] = chess::EndgameTable::make(material, tables);
            }
        }
    }
    return tables;
}

const chess::EndgameTableSet& three_men() {
    static const auto tables = make_all({"KPvK"});
    return tables;
}

void store(const chess::EndgameTableSet& tables, const std::filesystem::path& directory) {
    for (const auto& [name, table] : tables) {
        write_file(directory / (name + own_extension), write_own(*table));
    }
}

int sign(chess::Wdl wdl) {
    return static_cast<int>(wdl) > 0 ? 1 : static_cast<int>(wdl) < 0 ? -1 : 0;
}

} // namespace

TEST_CASE("table index: a number for every position, the same for its mirror images") {
    const chess::TableIndex index{*chess::Material::parse("KRRvK")};
    chess::TableIndex::Squares squares{0, 60, 9, 35};
    const auto number = index.number(squares, chess::Color::white);
    CHECK(index.number({0, 60, 35, 9}, chess::Color::white) == number);  // like rooks
    CHECK(index.number({7, 59, 14, 36}, chess::Color::white) == number); // files mirrored
    CHECK(index.number({56, 4, 49, 27}, chess::Color::white) == number); // ranks
    CHECK(index.number({0, 39, 9, 28}, chess::Color::white) == number);  // the long diagonal
    CHECK(index.number(squares, chess::Color::black) != number);
    CHECK(index.number(index.squares(number), index.turn(number)) == number);
}

TEST_CASE("own tables: every position of three men agrees with Syzygy") {
    CHECK(three_men().size() == 3); // KB and KN against K are draws that need no table
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{table_data()}) {
        if (entry.path().extension() != ".md") {
            files.push_back(entry.path());
        }
    }
    const Syzygy syzygy{files};
    std::size_t positions = 0;
    for (const auto& [name, table] : three_men()) {
        for_each_position(table->material(), [&, &known = *table](const Position& position) {
            if (position.terminal() == chess::Terminal::no) {
                ++positions;
                if (static_cast<int>(known.at(position).outcome) != sign(*syzygy.wdl(position))) {
                    FAIL_CHECK(position.fen());
                }
            }
        });
    }
    CHECK(positions == 1'097'374);
    // The longest wins are known: the rook mates in 16 moves, the queen in 10.
    const auto longest = [](const chess::EndgameTable& table) {
        int most = 0;
        for (const std::uint8_t code : table.codes()) {
            most = std::max(most, chess::decode(code).value_or(chess::Conversion{}).plies);
        }
        return most;
    };
    CHECK(longest(*three_men().at("KRvK")) == 32);
    CHECK(longest(*three_men().at("KQvK")) == 20);
}

TEST_CASE("own tables: stored as quiet positions only, they answer for all of them") {
    const TemporaryDirectory directory;
    store(three_men(), directory.path());
    Inventory inventory;
    const OwnTables own{directory.path().string(), inventory};
    CHECK(inventory.problems.empty());
    CHECK(inventory.own == std::vector<std::string>{"KPvK", "KQvK", "KRvK"});
    std::mt19937 random{3};
    for (const auto& [name, table] : three_men()) {
        for (int i = 0; i < 4'000; ++i) {
            const Position position = random_position(table->material(), random);
            if (position.terminal() != chess::Terminal::no) {
                continue;
            }
            const chess::Conversion expected = table->at(position);
            const auto found = own.value(position);
            INFO(position.fen());
            REQUIRE(found);
            REQUIRE(sign(found->wdl()) == static_cast<int>(expected.outcome));
            REQUIRE(found->plies() == expected.plies);
        }
    }
    // By distance, won endings are played out.
    Position position = *Position::from_fen("8/8/8/7k/8/8/P7/4K3 w - - 0 1");
    for (const chess::Move move : analysis::table_line(own, position, 200)) {
        position.play(move);
    }
    CHECK(position.terminal() == chess::Terminal::checkmate);
}

TEST_CASE("own tables: every damaged or misplaced file is refused") {
    const auto file = write_own(*three_men().at("KRvK"));
    REQUIRE(read_own(file));
    CHECK(unpack_own(*read_own(file)) == three_men().at("KRvK")->quiet_codes());
    for (std::size_t length = 0; length < file.size(); length += length < 64 ? 1 : 97) {
        CAPTURE(length);
        CHECK_FALSE(read_own({file.data(), length}));
    }
    for (std::size_t at = 0; at < file.size(); at += at < 64 ? 1 : 101) {
        for (int bit = 0; bit < 8; ++bit) {
            auto damaged = file;
            damaged[at] ^= static_cast<std::uint8_t>(1 << bit);
            CAPTURE(at, bit);
            CHECK_FALSE(read_own(damaged));
        }
    }
    const TemporaryDirectory directory;
    store(three_men(), directory.path());
    write_file(directory.path() / "KQvK.adt", file); // KRvK by another name
    Inventory inventory;
    const OwnTables own{directory.path().string(), inventory};
    CHECK(inventory.own == std::vector<std::string>{"KPvK", "KRvK"});
    REQUIRE(inventory.problems.size() == 2);
    CHECK(inventory.problems[0].find("KQvK.adt holds another table") != std::string::npos);
    CHECK(inventory.problems[1].find("KPvK.adt leads to KQvK") != std::string::npos);
    CHECK_FALSE(own.value(*Position::from_fen("8/8/8/3k4/8/8/4Q3/4K3 w - - 0 1")));
}

namespace {

// Makes the tables with all that they lead to, stores them, and compares random positions with
// Syzygy. How many of those had a pawn that could be taken en passant.
std::size_t compare_with_syzygy(const std::vector<std::string>& materials) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{shared_tables()}) {
        files.push_back(entry.path());
    }
    const Syzygy syzygy{files};
    const auto tables = make_all(materials);
    const TemporaryDirectory directory;
    store(tables, directory.path());
    Inventory inventory;
    const OwnTables own{directory.path().string(), inventory};
    CHECK(inventory.problems.empty());
    std::mt19937 random{4};
    std::size_t en_passant = 0;
    for (const auto& [name, table] : tables) {
        for (int i = 0; i < 2'000; ++i) {
            const Position position = random_position(table->material(), random);
            if (position.terminal() != chess::Terminal::no) {
                continue;
            }
            INFO(position.fen());
            REQUIRE(sign(own.value(position)->wdl()) == sign(*syzygy.wdl(position)));
            if (position.en_passant()) {
                ++en_passant;
            } else {
                REQUIRE(static_cast<int>(table->at(position).outcome) ==
                        sign(*syzygy.wdl(position)));
                REQUIRE(own.value(position)->plies() == table->at(position).plies);
            }
        }
    }
    return en_passant;
}

} // namespace

TEST_CASE("own tables: four men, and with all that a pawn each leads to", "[.][exhaustive]") {
    compare_with_syzygy({"KRRvK"});
    if (has_all_tables()) {
        CHECK(compare_with_syzygy({"KBNvK", "KPvKP"}) > 0);
    }
}

// Some minutes.
TEST_CASE("own tables: every position of four men agrees with Syzygy", "[.][exhaustive]") {
    if (!has_all_tables()) {
        return;
    }
    std::vector<std::filesystem::path> files;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{shared_tables()}) {
        files.push_back(entry.path());
        const std::string name = entry.path().stem();
        const auto material = chess::Material::parse(name);
        if (entry.path().extension() == ".rtbw" && material->men() == 4 && !material->is_dead()) {
            names.push_back(name);
        }
    }
    REQUIRE(names.size() >= 25);
    const Syzygy syzygy{files};
    chess::EndgameTableSet made;
    std::uint64_t all = 0;
    for (const std::string& name : names) {
        for (const auto& needed : chess::EndgameTable::needed_for(*chess::Material::parse(name))) {
            if (made.contains(needed.name())) {
                continue;
            }
            const auto table = chess::EndgameTable::make(needed, made);
            made[needed.name()] = table;
            REQUIRE(unpack_own(*read_own(write_own(*table))) == table->quiet_codes());
            const chess::TableIndex& index = table->index();
            std::uint64_t positions = 0;
            for (std::size_t number = 0; number < index.size(); ++number) {
                const auto placed = index.squares(number);
                const std::vector<int> squares{placed.begin(),
                                               placed.begin() + static_cast<int>(index.men())};
                const auto position = place(index.pieces(), squares, index.turn(number));
                if (!position || position->terminal() != chess::Terminal::no) {
                    continue;
                }
                ++positions;
                if (static_cast<int>(table->at(*position).outcome) !=
                    sign(*syzygy.wdl(*position))) {
                    FAIL_CHECK(position->fen());
                }
            }
            std::cout << "every position: " << needed.name() << " | " << positions << std::endl;
            all += positions;
        }
    }
    std::cout << "every position: all " << made.size() << " tables | " << all << std::endl;
}
