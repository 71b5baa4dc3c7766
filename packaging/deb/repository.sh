#!/bin/sh
# A signed repository of packages, for a fleet's web server or a stick: repository.sh KEY FOLDER PACKAGE.deb…
# KEY: a file with the private OpenPGP key (Ed25519, as `gpg --armor --export-secret-keys` writes it), kept outside the
# repository of the code. FOLDER is made, or added to: packages of earlier versions stay. FOLDER/pos-app.gpg is what the
# machines get for Signed-By.
set -eu
[ $# -ge 3 ] || { echo 'usage: repository.sh KEY FOLDER PACKAGE.deb...' >&2; exit 2; }
key=$1 folder=$2
shift 2
LC_ALL=C.UTF-8
TZ=UTC
export LC_ALL TZ
umask 022

# The key is in a folder of its own while this runs, and nothing of the caller's keyring is read. gpg's agent listens in
# that folder, and the name of a socket has 107 letters at most: a long TMPDIR would leave it none.
place=${TMPDIR:-/tmp}
[ ${#place} -le 60 ] || place=/tmp
GNUPGHOME=$(mktemp -d "$place/pos-app.XXXXXXXX")
export GNUPGHOME
trap 'gpgconf --kill all 2>/dev/null || true; rm -rf "$GNUPGHOME"' EXIT
# A shell that a signal ends does not come by there: the key would stay.
trap 'exit 1' HUP INT TERM
gpg --batch --quiet --import "$key"

pool=pool/main/p/pos-app
mkdir -p "$folder/$pool"
for package in "$@"; do
    name=$(basename "$package")
    # One number, one package: machines that have it would never ask for another of the same number.
    if [ -e "$folder/$pool/$name" ] && ! cmp -s "$package" "$folder/$pool/$name"; then
        echo "$name is in $folder already, with another content: give the new one a new version" >&2
        exit 1
    fi
    # Under its name when it is whole: a part, left by a full disk, would be listed, signed, and never replaced.
    install -m 644 "$package" "$folder/$pool/$name.new"
    mv -f "$folder/$pool/$name.new" "$folder/$pool/$name"
done

cd "$folder"
index=dists/stable/main/binary-amd64
rm -rf dists.new pos-app.gpg.new
mkdir -p "dists.new/${index#dists/}"
apt-ftparchive packages pool >"dists.new/${index#dists/}/Packages"
gzip -9nk "dists.new/${index#dists/}/Packages"
# Not in the folder that it describes: it would list itself.
apt-ftparchive -o APT::FTPArchive::Release::Origin=pos-app -o APT::FTPArchive::Release::Label=pos-app \
    -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Codename=stable \
    -o APT::FTPArchive::Release::Components=main -o APT::FTPArchive::Release::Architectures=amd64 \
    release dists.new/stable >"$GNUPGHOME/Release"
mv "$GNUPGHOME/Release" dists.new/stable/Release
gpg --batch --quiet --clearsign -o dists.new/stable/InRelease dists.new/stable/Release
gpg --batch --quiet --armor --detach-sign -o dists.new/stable/Release.gpg dists.new/stable/Release
gpg --batch --quiet --export -o pos-app.gpg.new
# A machine that asks meanwhile finds the old lists whole, or the new ones.
mv -f pos-app.gpg.new pos-app.gpg
rm -rf dists.old
[ ! -e dists ] || mv dists dists.old
mv dists.new dists
rm -rf dists.old
