#!/bin/sh
# What tuning adds to the built-in model: adapters on clean and on noisy gym data, several seeds, beside the base model.
#
# usage: recipes/builtin/study.sh CUSET OUTPUT PART...
#
# PART is data, train, generate or verify; each continues where it stopped, so they may run on different machines with OUTPUT
# copied between. Variables: MODEL (assets/model), SEEDS ("1 2 3 4 5"), METHODS ("sft profit cuset"), TASKS (500: four in five of
# all families, the rest of those that no training data has), SAMPLES (3, at temperature 0.8), BATCH (32; on a
# large GPU 2048).
# recipes/builtin/compare.py OUTPUT prints the tables.
set -eu
cuset=$1
output=$2
shift 2
model=${MODEL:-assets/model}
seeds=${SEEDS:-1 2 3 4 5}
methods=${METHODS:-sft profit cuset}
tasks=${TASKS:-500}
samples=${SAMPLES:-3}
held_out=softplus,row_bias,instance_norm,adagrad,triangular_mask,matrix_product_a_bt,row_min,exclusive_prefix_sum_rows

make_data() {
  mkdir -p "$output"
  "$cuset" gym tasks --output "$output/seen.jsonl" --split held_out --count $((tasks * 4 / 5)) --seed 100
  "$cuset" gym tasks --output "$output/new.jsonl" --split held_out --count $((tasks / 5)) --seed 101 --families "$held_out"
  cat "$output/seen.jsonl" "$output/new.jsonl" > "$output/tasks.jsonl"
  for seed in $seeds; do
    "$cuset" gym data --output "$output/clean-$seed.jsonl" --count 3000 --seed "$seed"
    "$cuset" gym data --output "$output/noisy-$seed.jsonl" --count 3000 --seed "$seed" --noise 0.3
  done
}

# One adapter: METHOD DATA SEED. 16 samples a step in one pack, so that a small model fills the machine.
train_one() {
  "$cuset" train --model "$model" --data "$output/$2-$3.jsonl" --output-dir "$output/$1-$2-$3" --objective "$1" --seed "$3" \
    --learning-rate 2e-3 --num-train-epochs 3 --per-device-train-batch-size 16 --batching packed_samples --cutoff-len 16384 \
    --warmup-ratio 0.03 --save-strategy no --logging-steps 20 --resume
}

all_adapters() {
  for seed in $seeds; do
    for data in clean noisy; do
      for method in $methods; do echo "$method $data $seed"; done
    done
  done
}

# Every adapter writes its greedy and its sampled answers at the same time; the base model too.
generate() {
  { echo base; all_adapters | tr ' ' '-'; } | while read -r run; do
    adapter=
    [ "$run" = base ] || adapter="--adapter $output/$run"
    # shellcheck disable=SC2086  # the adapter is two words
    set -- --model "$model" $adapter --tasks "$output/tasks.jsonl" --max-new-tokens 1000 --batch-size "${BATCH:-32}"
    "$cuset" generate "$@" --output "$output/greedy/$run" < /dev/null &
    "$cuset" generate "$@" --output "$output/sampled/$run" --temperature 0.8 --samples "$samples" < /dev/null &
    wait
  done
}

for part in "$@"; do
  case $part in
    data) make_data ;;
    train) all_adapters | while read -r method data seed; do train_one "$method" "$data" "$seed" < /dev/null; done ;;
    generate) generate ;;
    verify)
      for folder in "$output"/greedy/* "$output"/sampled/*; do
        "$cuset" verify --tasks "$output/tasks.jsonl" --answers "$folder/answers.jsonl" --output "$folder" --seed 1
      done ;;
    *) echo "study.sh: $part is none of data, train, generate, verify" >&2; exit 2 ;;
  esac
done
