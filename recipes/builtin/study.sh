#!/bin/sh
# What tuning adds to the built-in model: adapters on clean and on noisy gym data, several seeds, beside the base model.
#
# usage: recipes/builtin/study.sh CUSET OUTPUT PART...
#
# PART is data, train, generate or verify; each continues where it stopped, so they may run on different machines with OUTPUT
# copied between. Variables: MODEL (assets/model), SEEDS ("1 2 3 4 5"), METHODS ("sft profit cuset"; options_of has more), DATA
# ("clean noisy"), TASKS (500: four in five of all families, the rest of those that no training data has), DECODINGS ("greedy
# sampled"), SAMPLES (3, at temperature 0.8), BATCH (32; on a large GPU 2048), JOBS (1: adapters trained at a time; a large GPU has
# room for 4).
# recipes/builtin/compare.py OUTPUT prints the tables.
set -eu
cuset=$1
output=$2
shift 2
model=${MODEL:-assets/model}
seeds=${SEEDS:-1 2 3 4 5}
methods=${METHODS:-sft profit cuset}
kinds=${DATA:-clean noisy}
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

# A method is an objective, or CuSeT with a part left out or added.
options_of() {
  case $1 in
    cuset_without_cuda_mask) echo --objective cuset --no-cuda-mask ;;
    cuset_without_sample_weight) echo --objective cuset --no-sample-weight ;;
    cuset_with_tau_ramp) echo --objective cuset --tau-ramp 0.5 ;;
    *) echo --objective "$1" ;;
  esac
}

# One adapter: METHOD DATA SEED. 16 samples a step in one pack, so that a small model fills the machine.
train_one() {
  "$cuset" train --model "$model" --data "$output/$2-$3.jsonl" --output "$output/$1-$2-$3" $(options_of "$1") --seed "$3" \
    --learning-rate 2e-3 --num-train-epochs 3 --per-device-train-batch-size 16 --batching packed_samples --cutoff-len 16384 \
    --warmup-ratio 0.03 --save-strategy no --logging-steps 20 --resume
}

all_adapters() {
  for seed in $seeds; do
    for data in $kinds; do
      for method in $methods; do echo "$method $data $seed"; done
    done
  done
}

# The base model and all adapters in one batch, greedy and sampled answers at the same time.
generate() {
  set -- --model "$model" --base --tasks "$output/tasks.jsonl" --max-new-tokens 1000 --batch-size "${BATCH:-32}"
  for run in $(all_adapters | tr ' ' '-'); do set -- "$@" --adapter "$output/$run"; done
  running=
  for decoding in ${DECODINGS:-greedy sampled}; do
    case $decoding in
      greedy) "$cuset" generate "$@" --output "$output/greedy" & ;;
      sampled) "$cuset" generate "$@" --output "$output/sampled" --temperature 0.8 --samples "$samples" & ;;
      *) echo "study.sh: $decoding is none of greedy, sampled" >&2; exit 2 ;;
    esac
    running="$running $!"
  done
  for process in $running; do wait "$process"; done
}

if [ "${1-}" = adapter ]; then
  train_one "$2" "$3" "$4"
  exit
fi
for part in "$@"; do
  case $part in
    data) make_data ;;
    train) all_adapters | xargs -L 1 -P "${JOBS:-1}" "$0" "$cuset" "$output" adapter ;;
    generate) generate ;;
    verify)
      for folder in "$output"/greedy/* "$output"/sampled/*; do
        "$cuset" verify --tasks "$output/tasks.jsonl" --answers "$folder/answers.jsonl" --output "$folder" --seed 1
      done ;;
    *) echo "study.sh: $part is none of data, train, generate, verify" >&2; exit 2 ;;
  esac
done
