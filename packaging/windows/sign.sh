#!/bin/sh
# Signs one program for Windows where it lies: sign.sh FILE. SIGN is the command that can, without its last words: it is
# given `-in FILE -out ANOTHER`, as osslsigncode takes them, and asks nobody anything. Whose key that is, and where it
# lies, is in the command alone (docs/release.md).
set -eu
if [ $# != 1 ] || [ -z "${SIGN-}" ]; then
    echo "usage: SIGN='osslsigncode sign -certs FILE -key FILE -h sha256' sign.sh FILE" >&2
    exit 2
fi
file=$1 out=$1.signed
rm -f "$out"
# A signature that carries the time would be another each time; the command may name the commit's ($SOURCE_DATE_EPOCH).
if ! eval "$SIGN -in \"\$file\" -out \"\$out\"" </dev/null >&2 || [ ! -s "$out" ]; then
    rm -f "$out"
    echo "$file is not signed: the command in SIGN could not do it" >&2
    exit 1
fi
chmod --reference="$file" "$out"
mv -f "$out" "$file"
