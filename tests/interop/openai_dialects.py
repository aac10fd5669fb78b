#!/usr/bin/env python3
"""cuset serve under clients that speak OpenAI's interface in their own ways: LiteLLM (as an OpenAI and as a vLLM endpoint) and
LangChain. Every way of asking gives the same greedy text. Ends with 77 where neither is installed.

usage: openai_dialects.py CUSET MODEL
"""
import asyncio
import os
import subprocess
import sys
from pathlib import Path

KEY = "key-of-the-test"
MESSAGES = [{"role": "user", "content": "Write a CUDA kernel that adds two vectors."}]
PROMPT = "__global__ void"


def of_litellm(litellm, url, model):
    """Texts of a chat and of a completion, each in several ways; each of either list must be the same."""
    at = {"api_base": url, "api_key": KEY, "max_tokens": 12, "temperature": 0}
    chat = lambda way, **more: litellm.completion(model=f"{way}/{model}", messages=MESSAGES, **at, **more)
    whole = chat("openai", n=1, seed=1, presence_penalty=0, logprobs=True, top_logprobs=2, user="me", stop=["never"])
    streamed = chat("openai", stream=True, stream_options={"include_usage": True})
    chats = [whole.choices[0].message.content,
             "".join(chunk.choices[0].delta.content or "" for chunk in streamed if chunk.choices),
             chat("hosted_vllm", top_k=5, min_p=0.1, repetition_penalty=1.0).choices[0].message.content,
             asyncio.run(litellm.acompletion(model=f"openai/{model}", messages=MESSAGES, **at)).choices[0].message.content]
    plain = lambda **more: litellm.text_completion(model=f"text-completion-openai/{model}", prompt=PROMPT, **at, **more)
    completions = [plain(echo=True, logprobs=2).choices[0].text.removeprefix(PROMPT),
                   "".join(chunk.choices[0].text or "" for chunk in plain(stream=True))]
    try:
        litellm.completion(model="openai/nobody", messages=MESSAGES, **at)
        sys.exit("openai_dialects: LiteLLM finds a model that is not there")
    except litellm.exceptions.NotFoundError:
        pass
    try:
        litellm.completion(model=f"openai/{model}", messages=[{"role": "user", "content": "kernel " * 5000}], **at)
        sys.exit("openai_dialects: a prompt that is longer than the context is answered")
    except litellm.exceptions.ContextWindowExceededError:
        pass
    return chats, completions


def of_langchain(langchain_openai, url, model):
    at = {"model": model, "base_url": url, "api_key": KEY, "max_tokens": 12, "temperature": 0}
    chat, plain = langchain_openai.ChatOpenAI(stream_usage=True, **at), langchain_openai.OpenAI(**at)
    question = MESSAGES[0]["content"]
    chats = [chat.invoke(question).content, "".join(chunk.content for chunk in chat.stream(question)),
             chat.batch([question, "Another one"])[0].content,
             langchain_openai.ChatOpenAI(logprobs=True, top_logprobs=1, presence_penalty=0.0, **at).invoke(question).content]
    return chats, [plain.invoke(PROMPT), "".join(plain.stream(PROMPT))]


def main():
    program, folder = sys.argv[1:]
    clients = {}
    for name, ask in (("litellm", of_litellm), ("langchain_openai", of_langchain)):
        try:
            clients[name] = (__import__(name), ask)
        except ImportError:
            pass
    if not clients:
        print(f"skipped: neither litellm nor langchain-openai in {sys.executable}")
        sys.exit(77)
    server = subprocess.Popen([program, "serve", "--model", folder, "--port", "0", "--device", "cpu", "--threads", "1"],
                              stdout=subprocess.PIPE, text=True, env={**os.environ, "CUSET_API_KEY": KEY})
    try:
        url = server.stdout.readline().split()[-1] + "/v1"
        texts = [ask(module, url, Path(folder).name) for module, ask in clients.values()]
    finally:
        server.terminate()
        server.wait()
    for kind in zip(*texts):
        if len({text for of_client in kind for text in of_client}) != 1 or not kind[0][0]:
            sys.exit(f"openai_dialects: texts differ: {kind}")
    print(f"{', '.join(clients)}: chats, completions, streams")


if __name__ == "__main__":
    main()
