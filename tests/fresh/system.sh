# A fresh Debian 12 in a directory: shared by tests/fresh/run and tests/package/run, which set $fresh, its directory.
# shellcheck shell=bash

suite=bookworm
mirror=http://deb.debian.org/debian
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*)

# The host's mirror of Debian, where it names one; lines of apt's two formats.
named=$(sed -nE 's/^(URIs: *|deb +(\[[^]]*\] +)?)(https?:[^ ]+\/debian\/?)( .*)?$/\3/p' "${sources[@]}" 2>/dev/null | head -n 1)
mirror=${named:-$mirror}

mounted=()
clean_up() {
  local at
  for ((at = ${#mounted[@]} - 1; at >= 0; at--)); do
    umount "${mounted[$at]}" || umount --lazy "${mounted[$at]}"
  done
  mounted=()
  # What is still mounted there belongs to the host: nothing is removed then.
  grep -qF " $fresh/" /proc/mounts || rm -rf --one-file-system "$fresh"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# timed NAME COMMAND…: runs it, says how long it took, and notes a failure.
failed=0
timed() {
  local name=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  echo "== $name: exit code $status, $((SECONDS - start)) s"
  [ $status -eq 0 ] || failed=1
  return $status
}

make_system() {
  local kept=${XDG_CACHE_HOME:-$HOME/.cache}/adjourn/$suite.tar
  if [ ! -s "$kept" ]; then
    mkdir -p "$(dirname "$kept")" || return
    # debootstrap empties the directory that it makes the archive in.
    debootstrap --variant=minbase --make-tarball="$kept.new" "$suite" "$fresh/packages" "$mirror" >"$fresh.log" 2>&1 ||
      { tail -n 20 "$fresh.log"; rm -f "$kept.new" "$fresh.log"; return 1; }
    mv "$kept.new" "$kept"
    rm -rf "$fresh/packages"
  fi
  debootstrap --variant=minbase --unpack-tarball="$kept" "$suite" "$fresh" "$mirror" >"$fresh.log" 2>&1 ||
    { tail -n 20 "$fresh.log"; rm -f "$fresh.log"; return 1; }
  rm -f "$fresh.log"
}

# copy FILE…: to the same place in the fresh system.
copy() {
  local file
  for file in "$@"; do
    [ -f "$file" ] || continue
    mkdir -p "$fresh$(dirname "$file")"
    cp -L "$file" "$fresh$file"
  done
}

# carried VALUE: what stands for it in the fresh system. A file gets a place of its own, since installing certificates there
# writes Debian's bundle anew, without what the host adds.
carried() {
  if [ ! -f "$1" ]; then
    printf '%s' "$1"
    return
  fi
  mkdir -p "$fresh/host$(dirname "$1")"
  cp -L "$1" "$fresh/host$1"
  printf '/host%s' "$1"
}

# What the host needs to reach the network: certificates, proxies, registries.
connect() {
  local name file setting
  copy /etc/resolv.conf /etc/hosts /root/.npmrc /etc/npmrc /etc/ssl/certs/ca-certificates.crt
  mkdir -p "$fresh/root"
  [ ! -f "$HOME/.npmrc" ] || cp -L "$HOME/.npmrc" "$fresh/root/.npmrc"
  for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if [ -f "$file" ] && grep -qiE 'proxy|verify|cainfo' "$file"; then
      copy "$file"
    fi
  done
  environment=(HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  while IFS='=' read -r name _; do
    case $name in
      http_proxy | https_proxy | no_proxy | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | *_CERT* | *_CA_* | *_CAINFO | [nN][pP][mM]_[cC][oO][nN][fF][iI][gG]_*)
        environment+=("$name=$(carried "${!name}")")
        ;;
    esac
  done < <(env)
  if command -v npm >/dev/null; then
    for setting in registry cafile proxy https-proxy strict-ssl; do
      file=$(npm config get "$setting" 2>/dev/null)
      case $file in
        '' | null | undefined) ;;
        *)
          environment+=("npm_config_${setting//-/_}=$(carried "$file")")
          ;;
      esac
    done
  fi
  printf 'deb %s %s main\ndeb %s %s-updates main\n' "$mirror" $suite "$mirror" $suite >"$fresh/etc/apt/sources.list"
}

bind() {
  mkdir -p "$fresh/$2"
  mount "${@:3}" "$1" "$fresh/$2" && mounted+=("$fresh/$2")
}

mount_system() {
  bind proc proc -t proc && bind /sys sys --bind && bind /dev dev --bind && bind shm dev/shm -t tmpfs -o mode=1777 &&
    { [ ! -d /dev/pts ] || bind /dev/pts dev/pts --bind; }
}
