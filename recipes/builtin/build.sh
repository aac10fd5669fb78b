#!/bin/sh
# Makes the built-in model from nothing: documents from the gym, a vocabulary, base training, and a second training in which
# instructions are answered.
#
# usage: recipes/builtin/build.sh CUSET OUTPUT [DOCUMENTS [MATCHING [MESSY]]]
#
# OUTPUT/base is the model of the first training, on 480,000 documents (about 260 M tokens): three in ten of its instructions are
# followed by what they ask for. OUTPUT/model is the result, after an eighth as many documents more, in which MATCHING of the
# instructions are, and MESSY of the programs are right but hard to read. A few hundred documents try the recipe on a CPU. What is there
# already is not made again, and training continues where it stopped.
set -eu
cuset=$1
output=$2
documents=${3:-480000}
matching=${4:-0.9}
messy=${5:-0}
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
  --output "$output/base" --resume

[ -f "$output/answers.jsonl" ] ||
  "$cuset" gym corpus --output "$output/answers.jsonl" --count $((documents / 8)) --seed 3 --instructions 0.2 \
    --matching "$matching" --messy "$messy"
"$cuset" train --config "$recipe/answers.yaml" --model "$output/base" --data "$output/answers.jsonl" \
  --output "$output/model" --resume
