#!/usr/bin/env python3
"""cuset serve against OpenAI's own Python package: what its client sends is understood, what it gets back it can parse.

usage: openai_client.py CUSET MODEL
"""
import subprocess
import sys

try:
    import openai
except ImportError:
    print("skipped: no package openai here (pip install openai)")
    sys.exit(77)

PROMPT = [{"role": "user", "content": "Write a CUDA program that adds two vectors."}]


def check(condition, what):
    if not condition:
        sys.exit(f"openai_client: {what}")


def chats(client, model):
    settings = {"model": model, "messages": PROMPT, "max_tokens": 20, "temperature": 0.7, "seed": 3}
    whole = client.chat.completions.create(**settings)
    text = whole.choices[0].message.content
    check(text and whole.choices[0].finish_reason in ("stop", "length"), "a chat has no text")
    check(whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens, "usage does not add up")
    pieces, usage = [], None
    for chunk in client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **settings):
        check("usage" in chunk.model_fields_set, "a chunk has no usage, not even null")
        usage = chunk.usage or usage
        pieces += [choice.delta.content or "" for choice in chunk.choices]
    check("".join(pieces) == text, "the stream has another text")
    check(usage.completion_tokens == whole.usage.completion_tokens, "the stream has another usage")
    every = {"include_usage": True, "continuous_usage_stats": True}
    counts = [chunk.usage.completion_tokens for chunk in client.chat.completions.create(stream=True, stream_options=every, **settings)]
    check(counts == sorted(counts) and counts[0] == 0 and counts[-2:] == [usage.completion_tokens] * 2, f"usage grows as {counts}")
    two = client.chat.completions.create(n=2, logprobs=True, top_logprobs=2, stop=["zzz"], **settings)
    check(len(two.choices) == 2 and two.choices[0].message.content == text, "n = 2 changes the first answer")
    tokens = two.choices[0].logprobs.content
    check(len(tokens) == whole.usage.completion_tokens, "log-probabilities of another number of tokens")
    check(all(token.logprob <= 0 and len(token.top_logprobs) == 2 for token in tokens), "log-probabilities are wrong")


def completions(client, model):
    plain = client.completions.create(model=model, prompt="__global__ void", max_tokens=8, temperature=0, echo=True)
    check(plain.choices[0].text.startswith("__global__ void"), "echo does not begin with the prompt")
    streamed = client.completions.create(model=model, prompt="__global__ void", max_tokens=8, temperature=0, stream=True)
    text = "".join(chunk.choices[0].text for chunk in streamed)
    check("__global__ void" + text == plain.choices[0].text, "the stream of a completion has another text")
    tokens = client.completions.create(model=model, prompt=[[5, 6], [7]], max_tokens=3, logprobs=1)
    check(len(tokens.choices) == 2 and len(tokens.choices[1].logprobs.tokens) == 3, "prompts of tokens fail")
    ids = client.completions.create(model=model, prompt=[5, 6], max_tokens=3, extra_body={"return_token_ids": True, "top_k": 5, "min_p": 0.1})
    check(len(ids.choices[0].token_ids) == 3 and ids.prompt_token_ids == [5, 6], "ids of tokens fail")
    check(client.models.retrieve(model).id == model, "the model is not found by its id")


def sampling(client, model):
    settings = {"model": model, "messages": PROMPT, "max_tokens": 40, "temperature": 0}
    ids = lambda **more: client.chat.completions.create(
        **settings, extra_body={"return_token_ids": True, **more.pop("extra", {})}, **more).choices[0].token_ids
    free = ids()
    banned = ids(logit_bias={str(free[0]): -100})
    check(free[0] not in banned, "a token with the bias -100 is drawn")
    varied = ids(frequency_penalty=2.0, presence_penalty=2.0)
    check(len(set(varied)) > len(set(free)), "penalties leave as many repetitions")
    check(len(ids(extra={"ignore_eos": True, "min_tokens": 40})) == 40, "an answer has fewer tokens than min_tokens")
    check(len(ids(extra={"stop_token_ids": [free[2]]})) <= 3, "stop_token_ids do not end an answer")
    best = client.completions.create(model=model, prompt="__global__ void", max_tokens=8, seed=1, n=1, best_of=4, logprobs=0)
    check(best.usage.completion_tokens > 8 and len(best.choices) == 1, "best_of writes no more answers than n")
    mean = lambda choice: sum(choice.logprobs.token_logprobs) / len(choice.logprobs.token_logprobs)
    all_four = client.completions.create(model=model, prompt="__global__ void", max_tokens=8, seed=1, n=4, logprobs=0)
    check(abs(mean(best.choices[0]) - max(map(mean, all_four.choices))) < 1e-6, "best_of does not give the best answer")


def scoring(client, model):
    """An answer's tokens have the same log-probabilities when they are given as a prompt."""
    written = client.completions.create(model=model, prompt=[5, 6, 7, 8], max_tokens=8, temperature=0, logprobs=2,
                                        extra_body={"return_token_ids": True})
    tokens = [5, 6, 7, 8] + written.choices[0].token_ids
    for more in ({"max_tokens": 0}, {"max_tokens": 1}):
        given = client.completions.create(model=model, prompt=tokens, temperature=0, echo=True, logprobs=2, **more).choices[0]
        values = given.logprobs.token_logprobs
        check(values[0] is None and len(values) == len(tokens) + more["max_tokens"], "a prompt has other log-probabilities")
        check(values[4:len(tokens)] == written.choices[0].logprobs.token_logprobs, "a given text has other log-probabilities than a written one")
    pieces = list(client.completions.create(model=model, prompt=tokens, temperature=0, echo=True, logprobs=2, max_tokens=1, stream=True))
    streamed = [value for piece in pieces for value in piece.choices[0].logprobs.token_logprobs]
    check(streamed == values, "a stream has other log-probabilities")
    offsets = [offset for piece in pieces for offset in piece.choices[0].logprobs.text_offset]
    check(offsets == given.logprobs.text_offset, "a stream has other offsets")


def refusals(client, model):
    try:
        client.chat.completions.create(model="nobody", messages=PROMPT)
        sys.exit("openai_client: an unknown model answers")
    except openai.NotFoundError as error:
        check(error.code == "model_not_found", f"the code is {error.code}")
    for wrong in ({"temperature": -1}, {"presence_penalty": 3.0}, {"tools": [{"type": "function", "function": {"name": "f"}}]}):
        try:
            client.chat.completions.create(model=model, messages=PROMPT, **wrong)
            sys.exit(f"openai_client: {wrong} is accepted")
        except openai.BadRequestError as error:
            check(next(iter(wrong)) in str(error), f"{wrong}: {error}")
            check(error.param in (None, next(iter(wrong))), f"{wrong}: the field at fault is {error.param}")
    try:
        client.completions.create(model=model, prompt="kernel " * 5000)
        sys.exit("openai_client: a prompt that is longer than the context is answered")
    except openai.BadRequestError as error:
        check(error.code == "context_length_exceeded", f"a long prompt has the code {error.code}")
    try:
        client.with_options(api_key="wrong").models.list()
        sys.exit("openai_client: a wrong key is accepted")
    except openai.AuthenticationError:
        pass


def main():
    program, folder = sys.argv[1:]
    server = subprocess.Popen([program, "serve", "--model", folder, "--port", "0", "--device", "cpu", "--threads", "2"],
                              stdout=subprocess.PIPE, text=True, env={"CUSET_API_KEY": "key-of-the-test"})
    try:
        line = server.stdout.readline()
        check(line.startswith("listening on "), "the server does not start")
        client = openai.OpenAI(base_url=line.split()[-1] + "/v1", api_key="key-of-the-test", max_retries=0)
        model = client.models.list().data[0].id
        chats(client, model)
        completions(client, model)
        sampling(client, model)
        scoring(client, model)
        refusals(client, model)
    finally:
        server.terminate()
        status = server.wait()
    check(status == 143, f"the server ended with {status}")
    print(f"openai {openai.__version__}: chats, streams, completions, sampling, scoring, errors")


if __name__ == "__main__":
    main()
