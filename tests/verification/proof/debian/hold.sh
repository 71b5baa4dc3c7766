#!/bin/sh
# hold.sh BASE FOLDER SHARE: a machine whose files are those of BASE, each written one being its own and in memory, with
# SHARE to be read at /mnt; in a view of files and processes that ends with standard input. Says its process's number.
set -eu
base=$1 at=$2 share=$3
mount -t tmpfs -o mode=755 none "$at"
mkdir "$at/upper" "$at/work" "$at/root"
# Not on every file system can a folder lie over another.
mount -t overlay overlay -o "lowerdir=$base,upperdir=$at/upper,workdir=$at/work" "$at/root" 2>/dev/null ||
    cp -a "$base/." "$at/root"
read -r number _ </proc/self/stat
mount -t proc proc "$at/root/proc"
mount --rbind /dev "$at/root/dev"
mount -t tmpfs none "$at/root/dev/shm"
mount -t tmpfs -o mode=755 none "$at/root/run"
mount --bind "$share" "$at/root/mnt"
echo "$number"
exec cat
