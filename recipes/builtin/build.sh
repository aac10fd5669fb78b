#!/bin/sh
# Makes the built-in model from nothing: documents from the gym, a vocabulary, base training.
#
# usage: recipes/builtin/build.sh CUSET OUTPUT [DOCUMENTS]
#
# OUTPUT/model is the result. 480,000 documents (about 260 M tokens) are the model that comes with the program; a few hundred
# try the recipe on a CPU. What is there already is not made again, and training continues where it stopped.
set -eu
cuset=$1
output=$2
documents=${3:-480000}
recipe=$(dirname "$0")

mkdir -p "$output/begin"
[ -f "$output/corpus.jsonl" ] ||
  "$cuset" gym corpus --output "$output/corpus.jsonl" --count "$documents" --seed 1 --instructions 0.2 --matching 0.3
[ -f "$output/vocabulary.jsonl" ] ||
  "$cuset" gym corpus --output "$output/vocabulary.jsonl" --count 20000 --seed 2 --instructions 0.3 --matching 1
[ -f "$output/begin/tokenizer.json" ] ||
  "$cuset" vocabulary --data "$output/vocabulary.jsonl" --size 2048 --special-tokens "<|endoftext|>" \
    --output "$output/begin/tokenizer.json"
cp "$recipe"/model/*.json "$output/begin/"
"$cuset" train --config "$recipe/train.yaml" --model "$output/begin" --data "$output/corpus.jsonl" \
  --output "$output/model" --resume
