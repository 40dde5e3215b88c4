# Shared by ./run and ./test: packages and builds. Quiet when there is nothing to do.
# shellcheck shell=bash

build_packages="g++ cmake ninja-build libboost1.81-dev libboost-url1.81-dev libsqlite3-dev nlohmann-json3-dev libspdlog-dev
  libcli11-dev libssl-dev libtomlplusplus-dev libyaml-cpp-dev libfathom-dev zlib1g-dev libzstd-dev stockfish ca-certificates"

# Where there is a compiler cache, it serves every clone of the project.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

die() {
  echo "$0: $*" >&2
  exit 1
}

have_package() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_packages NAME…: installs what is missing, as root or by sudo.
need_packages() {
  local missing=()
  local name
  for name in "$@"; do
    have_package "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get >/dev/null || die "these Debian packages are missing: ${missing[*]}"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing packages (${missing[*]}): run as root or install sudo"
    sudo=(sudo)
  fi
  echo "installing ${missing[*]} …"
  "${sudo[@]}" apt-get update -qq </dev/null
  # Debian's package of PostgreSQL's server makes and starts one, unless a file says no: tests start their own.
  local no_server=/etc/postgresql-common/createcluster.conf
  if [[ " ${missing[*]} " == *" postgresql-15 "* ]] && [ ! -e $no_server ]; then
    "${sudo[@]}" mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' | "${sudo[@]}" tee $no_server >/dev/null
  fi
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${missing[@]}" </dev/null >/dev/null || die "apt-get could not install ${missing[*]}"
}

# Node and npm, from wherever they come; Debian's own will do.
need_node() {
  command -v node >/dev/null || need_packages nodejs
  command -v npm >/dev/null || need_packages npm
}

# lacks_cases LOG: whether a test program says there that it has no case of a name or tag that it was given. Catch2 ends
# with 0 all the same. The line may stand in ctest's output.
lacks_cases() {
  grep -qaE '^([0-9]+: )?(Invalid Filter|No test cases matched|No tests ran)' "$1"
}

# wants_postgresql WORD…: whether the store of `adjourn serve WORD…` is a database, by these words or by the configuration.
wants_postgresql() {
  local config=${XDG_CONFIG_HOME-}
  [[ $config = /* ]] || config=~/.config
  config+=/adjourn/adjourn.toml
  while [ $# -gt 0 ]; do
    case $1 in
      --data | --data=*) return 1 ;;
      --store | --store=*) return 0 ;;
      --config) config=${2-} ;;
      --config=*) config=${1#*=} ;;
    esac
    shift
  done
  grep -qsE "^[[:space:]]*[\"']?store[\"']?[[:space:]]*=[[:space:]]*[\"']{1,3}postgres(ql)?://" "$config"
}

# build PRESET TARGET…
build() {
  local preset=$1
  shift
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >"/tmp/adjourn-configure.$$" 2>&1 || {
    cat "/tmp/adjourn-configure.$$" >&2
    die "cmake --preset $preset failed"
  }
  rm -f "/tmp/adjourn-configure.$$"
  # What was configured before libpq came knows nothing of it.
  if have_package libpq-dev && grep -q '^ADJOURN_LIBPQ:.*NOTFOUND' "build/$preset/CMakeCache.txt"; then
    cmake --preset "$preset" -U ADJOURN_POSTGRESQL >/dev/null || die "cmake --preset $preset failed"
  fi
  local targets=()
  [ $# -gt 0 ] && targets=(--target "$@")
  # Debian's ninja says that there is no work even where it is to be quiet. Both callers have pipefail.
  cmake --build "build/$preset" "${targets[@]}" -- --quiet | { grep -vxF 'ninja: no work to do.' || true; } ||
    die "the $preset build failed"
}

# npm_install DIR: npm ci, once for each package-lock.json.
npm_install() {
  local stamp="$1/node_modules/.adjourn-lock"
  cmp -s "$1/package-lock.json" "$stamp" && return
  echo "npm ci in $1 …"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error </dev/null >/dev/null) || die "npm ci failed in $1"
  cp "$1/package-lock.json" "$stamp"
}

# The page, built when one of its sources is newer than the result.
build_page() {
  need_node
  npm_install web
  if [ ! -f web/dist/index.html ] ||
    [ docs/openapi.yaml -nt web/dist/index.html ] ||
    [ -n "$(find web -path web/node_modules -prune -o -path web/dist -prune -o -type f -newer web/dist/index.html -print -quit)" ]; then
    (cd web && npm run --silent build </dev/null) || die "the page does not build"
    touch web/dist/index.html
  fi
}
