#!/usr/bin/env bash
# The whole training on one GPU in under eight minutes: bash .gpu_persian/run.sh [--tiny]; the results are put in $OUT.
# All parts begin at once, so that each is ready by the time that the one before it is done.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
T0=$(date +%s.%N)
export T0 PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true OMP_NUM_THREADS=${OMP_NUM_THREADS:-4}
OUT=${OUT:?}
work=$(mktemp -d)
seeds=${SEEDS:-3}
fit() { timeout -k 5 "${LIMIT:-470}" python3 "$here/fit.py" "$@" 2>&1; }
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
    fit start "$here" "$work" --until "${FIRST:-75,140}" "$@" || touch "$work/failed" &
    for seed in $(seq 0 $((seeds - 1))); do
        fit teacher "$here" "$work" --seed "$seed" --until "${SECOND:-290}" "$@" &
    done
    fit student "$here" "$work" --back "$OUT" --seeds "$seeds" --until "${THIRD:-435}" "$@" &
    wait
    ls -l "$work" "$OUT"
} | tee "$OUT/log.txt"
rm -rf "$work"
