# The same bytes whoever builds: no hash order, no time but the commit's, no name of a user's locale, no modes of theirs.
# Read by the build scripts with `.`, in the project's folder.
# What of the caller's would change what is built unseen, in both of two builds alike: how such names begin, as for
# packaging/release.py.
while read -r begins; do
    for name in $(env | sed -n "s/^\($begins[A-Za-z0-9_]*\)=.*/\1/p"); do unset "$name"; done
done <packaging/not_inherited.txt
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1577836800)}
BUILD_COMMIT=${BUILD_COMMIT:-$(git rev-parse HEAD 2>/dev/null || true)}
PYTHONHASHSEED=0
PYTHONDONTWRITEBYTECODE=1
LC_ALL=C.UTF-8
TZ=UTC
export SOURCE_DATE_EPOCH BUILD_COMMIT PYTHONHASHSEED PYTHONDONTWRITEBYTECODE LC_ALL TZ
umask 022
