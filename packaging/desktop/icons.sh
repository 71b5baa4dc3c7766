#!/bin/sh
# icons.sh DIR: the till's icon in every size that desktops look for, as DIR/hicolor/48x48/apps/pos-app.png; with icotool
# also DIR/pos-app.ico for Windows. Needs rsvg-convert (Debian: librsvg2-bin; icotool: icoutils).
set -eu
to=${1:?'a folder is needed'}
from=$(cd "$(dirname "$0")/../bundle" && pwd -P)/pos-app.svg
name=pos-app
for size in 16 22 24 32 48 64 128 256 512; do
    folder=$to/hicolor/${size}x$size/apps
    mkdir -p "$folder"
    rsvg-convert -w "$size" -h "$size" -o "$folder/$name.png" "$from"
done
mkdir -p "$to/hicolor/scalable/apps"
cp "$from" "$to/hicolor/scalable/apps/$name.svg"
if command -v icotool >/dev/null; then
    cd "$to/hicolor"
    icotool -c -o "../$name.ico" 16x16/apps/$name.png 24x24/apps/$name.png 32x32/apps/$name.png 48x48/apps/$name.png \
        64x64/apps/$name.png 128x128/apps/$name.png 256x256/apps/$name.png
else
    echo 'icons.sh: icotool is not here: no .ico was made' >&2
fi
