# What `joshua init` does: makes the secrets of one installation, the Redis ACL that knows them, a
# first SSH key, and a .env that names them. The launcher reads this file, and has set $home and say;
# docker-compose reads it for check_secrets alone.
#
# Each file is written only if it isn't there: whole or not at all, and for its owner alone. No
# secret is printed, or an argument of a program, where others could see it.

secrets=configs/secrets
acl=configs/redis/users.acl
redis_users='grace fiedler rogers guest'

# Whose the secrets are that root makes: no container runs as root.
instead_of_root=10001

# What containers read: files and directories, each a mount of its own or within one.
tokens=$secrets/clients/tokens
files="$acl $tokens $secrets/metrics.token $secrets/ssh/authorized_keys"
for user in $redis_users; do
  files="$files $secrets/redis-$user.password"
done
mounted="$secrets/clients $secrets/ssh $secrets/model $files"

there() { [ -e "$1" ] || [ -L "$1" ]; }

left_alone() { printf 'left alone  %s\n' "$1"; }

give_up() {
  say "$*"
  exit 1
}

# Gives $fresh/new its name, $1, unless another init was quicker: ln never replaces a file.
keep() {
  if ln "$fresh/new" "$1" 2>/dev/null; then
    printf 'wrote       %s\n' "$1"
  elif there "$1"; then
    left_alone "$1"
  else
    give_up "can't write $home/$1. Look whether its directory can be written, and has hard links."
  fi
  rm -f "$fresh/new"
}

# A secret of 256 random bits behind prefix $2, as a line in file $1.
make_secret() {
  {
    printf '%s' "$2"
    od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'
    echo
  } >"$fresh/new"
  [ $(($(wc -c <"$fresh/new"))) = $((${#2} + 65)) ] \
    || give_up "can't make $1: /dev/urandom can't be read, or the disk is full."
  keep "$1"
}

# Gives up if what stands in file $1, by whomever, is no secret.
check_secret() {
  again="delete it and have ./joshua init make another."
  [ -f "$1" ] && [ -r "$1" ] || give_up "$1 can't be read as a file. Give it to whom init runs as, or $again"
  if [ $(($(LC_ALL=C grep -c '' "$1"))) != 1 ] || ! LC_ALL=C grep -Eq '^[!-~]{16,200}$' "$1"; then
    give_up "$1 must be one line of 16 to 200 visible ASCII characters. Correct it, or $again"
  fi
  if LC_ALL=C grep -Eqi "$placeholders" "$1" || LC_ALL=C grep -q '^\(.\)\1*$' "$1"; then
    give_up "$1 holds a placeholder, no secret. Write a real one, or $again"
  fi
}

# What stands in examples until somebody has thought of a secret.
placeholders='change.?(me|this|it)|passw|secret|example|placeholder|replace|insert|your.?(own|redis|key|token)|fixme|todo|default|qwert|12345'

# What the first of docker-compose's services does: gives up unless everything is there that containers
# are given. A model's key may be of any form; the tokens and keys of a file may be none.
check_secrets() {
  say() { printf 'joshua: %s\n' "$*" >&2; }
  for user in $redis_users; do
    check_secret "$secrets/redis-$user.password"
  done
  for file in "$acl" "$tokens"; do
    [ -f "$file" ] && [ -r "$file" ] && [ -s "$file" ] \
      || give_up "$file is missing, empty or can't be read. Run ./joshua init, and look whose it is."
  done
  for file in "$secrets"/ssh/* "$secrets"/model/*; do
    [ ! -f "$file" ] || [ -r "$file" ] || give_up "$file can't be read. Give it to whom containers run as, MAD_UID."
  done
  for file in "$secrets"/model/*; do
    [ ! -f "$file" ] || grep -q '[!-~]' "$file" || give_up "$file is empty. Write the model's key into it, or delete it."
  done
  printf 'the secrets can be read\n'
}

# The SHA-256 of the secret in file $1 as $hash.
hash_secret() {
  check_secret "$1"
  hash=$(tr -d '\n' <"$1" | sha256 | cut -c 1-64)
  case $hash in
    *[!0-9a-f]*) hash= ;;
  esac
  [ ${#hash} = 64 ] || give_up "can't hash $1."
}

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum
  elif command -v shasum >/dev/null; then
    shasum -a 256
  else
    openssl dgst -sha256 -r
  fi
}

# Docker makes an empty directory, root's, where a file should be that it was told to mount.
remove_dockers_directories() {
  for file in $files; do
    [ -d "$file" ] && [ ! -L "$file" ] || continue
    rmdir "$file" 2>/dev/null \
      || give_up "$file is a directory, where a file belongs. Delete it, and run ./joshua init again."
    printf 'removed     %s: an empty directory, as Docker makes where a file is missing\n' "$file"
  done
}

make_redis_passwords() {
  # Asked first: an ACL is never there before the passwords, whoever makes them.
  known=
  if there "$acl"; then known=yes; fi
  for user in $redis_users; do
    file=$secrets/redis-$user.password
    if there "$file"; then
      check_secret "$file"
      left_alone "$file"
    elif [ -n "$known" ]; then
      say "$file is gone, and $acl has only its hash. Put it back; or delete $acl, too, and run ./joshua init again: then $user gets a new password, and the others keep theirs."
      status=1
    else
      make_secret "$file" ''
    fi
  done
}

# User $1 with the rights $2, beyond those that every connection needs.
acl_user() {
  hash_secret "$secrets/redis-$1.password"
  printf 'user %s on #%s resetkeys resetchannels -@all +hello +auth +ping +echo +info +quit +reset +client|setname +client|getname +client|id +unsubscribe +punsubscribe %s\n' \
    "$1" "$hash" "$2"
}

# Redis compares the pattern of a PSUBSCRIBE with the permitted ones letter by letter: who may ask
# for any pattern of mad.* must be granted all there are. Nothing is overheard by that, because
# nobody may publish elsewhere.
acl_users() {
  everything='(+subscribe &mad.*) (+psubscribe &*)'
  alive='&mad.system.heartbeat &mad.system.presence'
  work='&mad.direct.* &mad.stream.* &mad.topic.system_events'
  printf 'user default off resetpass resetkeys resetchannels -@all\n'
  acl_user grace "+pubsub|numsub +pubsub|numpat $everything (+publish &mad.direct.* &mad.topic.* &mad.broadcast $alive &mad.system.ledger)"
  acl_user fiedler "(+subscribe &mad.direct.fiedler &mad.system.presence) (+publish $work $alive)"
  acl_user rogers "+pubsub|numsub +pubsub|numpat (+subscribe &mad.direct.rogers &mad.system.presence) (+psubscribe &mad.*) (+publish $work $alive)"
  acl_user guest "+command|docs +command|count $everything (+publish &mad.direct.* &mad.topic.* &mad.broadcast $alive)"
}

make_acl() {
  if there "$acl"; then
    left_alone "$acl"
  elif [ "$status" = 0 ]; then
    acl_users >"$fresh/new" || give_up "can't write $home/$acl."
    keep "$acl"
  fi
}

# Whoever has taken a token or the key elsewhere isn't given another.
make_tokens() {
  if there "$tokens"; then
    left_alone "$tokens"
    return
  fi
  : >"$fresh/lines"
  # An admin, and who may only look, for what scrapes /metrics.
  for client in 'admin admin' 'metrics viewer'; do
    file=$secrets/${client% *}.token
    if there "$file"; then
      left_alone "$file"
    else
      make_secret "$file" jt_
    fi
    hash_secret "$file"
    printf '%s %s\n' "$hash" "$client" >>"$fresh/lines" || give_up "can't write $home/$tokens."
  done
  cat "$fresh/lines" >"$fresh/new" || give_up "can't write $home/$tokens."
  keep "$tokens"
}

make_ssh_key() {
  key=$secrets/admin_ssh_key
  keys=$secrets/ssh/authorized_keys
  if there "$keys"; then
    left_alone "$keys"
    return
  fi
  if ! command -v ssh-keygen >/dev/null; then
    printf 'left out    %s: there is no ssh-keygen. Install openssh-client and run ./joshua init again.\n' "$key"
    return
  fi
  if there "$key"; then
    left_alone "$key"
  else
    ssh-keygen -q -t ed25519 -N '' -C admin -f "$fresh/new" </dev/null >&2 \
      || give_up "ssh-keygen can't make $key."
    keep "$key"
  fi
  public=$(ssh-keygen -y -P '' -f "$key" </dev/null) \
    || give_up "$key can't be read as a private key without a passphrase. Delete it and have ./joshua init make another, or let in a key of your own by ./joshua keys add."
  # Its type and itself; what stands behind, if anything, is a comment.
  type=${public%% *}
  public=${public#* }
  printf 'environment="JOSHUA_ROLE=admin" %s %s admin\n' "$type" "${public%% *}" >"$fresh/new" \
    || give_up "can't write $home/$keys."
  keep "$keys"
}

# The numbers of the owner and the group of $1, as $uid and $gid.
owner_of() {
  listed=$(LC_ALL=C ls -dn "$1") || give_up "can't look at $home/$1."
  read -r mode links uid gid rest <<END
$listed
END
}

# Has what root has made belong to somebody whom containers can run as.
hand_over() {
  [ "$(id -u)" = 0 ] || return 0
  for file in $mounted "$secrets"/model/*; do
    there "$file" || continue
    owner_of "$file"
    if [ "$uid" = 0 ]; then
      chown -h "$instead_of_root:$instead_of_root" "$file" || give_up "can't give $home/$file to $instead_of_root."
      printf 'gave        %s to %s\n' "$file" "$instead_of_root"
    fi
  done
}

# The owner of all that containers read, as $owner and $group.
find_owner() {
  owner=
  for file in $mounted "$secrets"/model/*; do
    there "$file" || continue
    owner_of "$file"
    if [ "$uid" = 0 ]; then
      give_up "$file belongs to root, and no container runs as root. Run once: sudo ./joshua init"
    elif [ -z "$owner" ]; then
      owner=$uid
      group=$gid
      first=$file
    elif [ "$uid" != "$owner" ]; then
      give_up "$file belongs to user $uid, and $first to user $owner. Containers run as one user that reads both: give them to one (chown)."
    fi
  done
  # The group of a file may be its directory's. No right depends on it: all is the owner's alone.
  [ "$group" != 0 ] || group=$instead_of_root
}

make_env() {
  find_owner
  if there .env; then
    left_alone .env
    said=
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in MAD_UID=*) said=${line#MAD_UID=} ;; esac
    done <.env
    case $said in
      "$owner") ;;
      '' | *[!0-9]*)
        say ".env has no number as MAD_UID. Write there: MAD_UID=$owner MAD_GID=$group MAD_SECRETS=./$secrets, a line each; or delete .env and run ./joshua init again."
        status=1
        ;;
      0)
        say ".env has MAD_UID=0, and no container runs as root. Write MAD_UID=$owner."
        status=1
        ;;
      *)
        say ".env has MAD_UID=$said, but the secrets belong to user $owner: containers couldn't read them. Write MAD_UID=$owner, or give $secrets and $acl to user $said."
        status=1
        ;;
    esac
    return
  fi
  cat >"$fresh/new" <<END || give_up "can't write $home/.env."
# Written by ./joshua init, and yours from then on. Only docker-compose reads it, and .env.example
# has every variable there is. Secrets don't stand here, only where they are.

# The user and the group that containers run as: who owns the files below.
MAD_UID=$owner
MAD_GID=$group

# The directory of the passwords, the tokens and the SSH keys.
MAD_SECRETS=./$secrets
END
  # Docker refuses a container that may use more processors than there are.
  if [ "$(getconf _NPROCESSORS_ONLN 2>/dev/null)" = 1 ]; then
    printf 'MAD_%s_CPUS=1\n' REDIS GRACE FIEDLER ROGERS | { echo; cat; } >>"$fresh/new" \
      || give_up "can't write $home/.env."
  fi
  keep .env
}

init() {
  case ${1:-} in
    '') ;;
    -h | --help)
      printf '%s\n' 'Usage: joshua init' \
        'Makes the secrets, the Redis ACL, a first SSH key and a .env, each only if it is not there.' \
        'Asks nothing, overwrites nothing, needs no JDK. See docs/operating/secrets.md.'
      exit 0
      ;;
    *)
      say "init takes no arguments (\"$1\" is one). Say only: ./joshua init"
      exit 2
      ;;
  esac
  umask 077
  cd "$home" || exit 1
  status=0
  fresh=$secrets/.new.$$
  mkdir -p "$secrets/clients" "$secrets/ssh" "$secrets/model" configs/redis && mkdir "$fresh" \
    || give_up "can't make directories in $home/configs."
  trap 'rm -rf "$fresh"' EXIT
  trap 'exit 130' INT TERM HUP
  remove_dockers_directories
  make_redis_passwords
  make_acl
  make_tokens
  make_ssh_key
  hand_over
  make_env
  exit "$status"
}
