#!/bin/sh
# Instructions that samples of allocation add to the seven workloads of benches/peers, at the default distance: counted by callgrind
# without collections (-A1g), where both runs do the same, and in the functions that collections run for samples; beside all that
# the workload takes without samples. With samples a program comes to the slow path at other moments, so collections do too, and
# whole runs differ by several percent to either side: they are shown, and have no bar. The script fails above 1 %.
# BARROW_LIB: the directory of the release libbarrow.so; without it, cargo builds one.
. "$(dirname "$0")/library.sh"

# counted FLAGS PROGRAM ARGUMENTS: leaves the profile in $work/out
counted() {
  flags=$1
  shift
  BARROW_FLAGS=$flags valgrind --tool=callgrind --callgrind-out-file="$work/out" "$work/$@" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
# In collections: what is theirs alone, and what is looked up for it.
in_collections() {
  callgrind_annotate --auto=no --threshold=100 "$work/out" 2>/dev/null |
    awk '/gc::names|NameTable|alive::look_up|Sampler::take|Sampler::tidy/ { gsub(/,/, "", $1); sum += $1 } END { print sum + 0 }'
}

failed=0
printf '%-32s %12s %10s %12s %7s   %s\n' workload instructions samples collections '' 'whole run'
while read -r name arguments; do
  cc -O2 -I"$root/include" "$root/benches/peers/c/ours/$name.c" -o "$work/$name" -L"$BARROW_LIB" -lbarrow -lm -Wl,-rpath,"$work" || exit 1
  # shellcheck disable=SC2086
  {
    plain=$(counted "" $name $arguments)
    whole=$(counted "--samples=$work/file" $name $arguments)
    inside=$(in_collections)
    alone=$(($(counted "-A1g --samples=$work/file" $name $arguments) - $(counted -A1g $name $arguments)))
  }
  awk -v name="$name $arguments" -v plain="$plain" -v whole="$whole" -v inside="$inside" -v alone="$alone" 'BEGIN {
    share = 100 * (alone + inside) / plain
    printf "%-32s %12d %10d %12d %+5.2f %%%s   %+.2f %%\n", name, plain, alone, inside, share, (share > 1 ? " missed" : ""), 100 * (whole / plain - 1)
    exit alone <= 0 || share > 1 }' || failed=1
done <<'WORKLOADS'
binarytrees 13
gcbench 12 20000
longlived 100000 50000
mutation 100000 400000
queue 300000 150000 300000
bytes 60000
bytes 300000
bytes 600000 3000
rawalloc 3000000
WORKLOADS
exit $failed
