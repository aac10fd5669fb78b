#!/usr/bin/env python3
"""cuset serve as a resources server of NeMo Gym: requests are made and replies read by NeMo Gym's own models, and its own
/aggregate_metrics says what ours has to, run in place from a checkout of NVIDIA-NeMo/Gym.

usage: NEMO_GYM=CHECKOUT nemo_gym_client.py CUSET TASKS ANSWERS

Each answer is sent as the agents of NeMo Gym do (responses_api_agents/simple_agent): /seed_session, /verify with what the model server
replied, and /aggregate_metrics at the end.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

CHECKOUT = os.environ.get("NEMO_GYM")
if not CHECKOUT:
    print("skipped: the variable NEMO_GYM names no checkout")
    sys.exit(77)
sys.path.insert(0, CHECKOUT)
try:
    from nemo_gym.base_resources_server import BaseVerifyRequest, BaseVerifyResponse
    from nemo_gym.config_types import AggregateMetrics, AggregateMetricsRequest
    from nemo_gym.reward_profile import compute_aggregate_metrics
    from pydantic import ConfigDict
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


class VerifyRequest(BaseVerifyRequest):
    model_config = ConfigDict(extra="allow")


class VerifyResponse(BaseVerifyResponse):
    model_config = ConfigDict(extra="allow")


def post(address, path, body):
    request = urllib.request.Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as reply:
        return json.load(reply)


def response_with(text, tokens):
    """What a model server gives to the agent, in the form of OpenAI's Responses."""
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed",
               "content": [{"type": "output_text", "text": text, "annotations": []}]}
    usage = {"input_tokens": 70, "output_tokens": tokens, "total_tokens": 70 + tokens, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens_details": {"reasoning_tokens": 0}}
    return {"id": "r", "created_at": 0, "model": "m", "object": "response", "output": [message], "parallel_tool_calls": False,
            "tool_choice": "auto", "tools": [], "usage": usage}


def verified(address, number, row, texts):
    record = {"responses_create_params": {"input": [{"role": "user", "content": "Write a kernel."}]}, "task_id": row["task"],
              "_ng_task_index": texts.index(row["task"]), "_ng_rollout_index": number}
    post(address, "/seed_session", record)
    request = VerifyRequest.model_validate(record | {"response": response_with(row["text"], 100 + number)})
    return VerifyResponse.model_validate(post(address, "/verify", request.model_dump())).model_dump()


def differences(ours, theirs, path=""):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            if key not in ours or key not in theirs:
                yield f"{path}/{key}: only {'theirs' if key in theirs else 'ours'}"
            else:
                yield from differences(ours[key], theirs[key], f"{path}/{key}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        for i, (a, b) in enumerate(zip(ours, theirs)):
            yield from differences(a, b, f"{path}[{i}]")
    elif isinstance(theirs, (int, float)) and isinstance(ours, (int, float)):
        if not math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12):
            yield f"{path}: {ours}, theirs {theirs}"
    elif ours != theirs:
        yield f"{path}: {ours!r}, theirs {theirs!r}"


def compare_metrics(address, responses):
    stripped = [{key: value for key, value in response.items() if key not in ("response", "responses_create_params")}
                | {"response": {"usage": response["response"]["usage"]}} for response in responses]
    request = AggregateMetricsRequest(verify_responses=stripped)
    ours = AggregateMetrics.model_validate(post(address, "/aggregate_metrics", request.model_dump()))
    theirs = compute_aggregate_metrics(stripped)
    found = list(differences(ours.model_dump(), json.loads(theirs.model_dump_json())))
    if found:
        sys.exit("nemo_gym_client: " + "; ".join(found[:8]))
    return ours.key_metrics


def main(program, tasks, answers):
    rows = [json.loads(line) for line in pathlib.Path(answers).read_text().splitlines()]
    rows = [{"task": row["task"], "text": row["text"]} for row in rows if "text" in row]
    names = sorted({row["task"] for row in rows})
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([program, "serve", "--judge", "--tasks", tasks, "--output", f"{folder}/judge", "--executor", "cpu", "--port", "0"],
                                  stdout=subprocess.PIPE, text=True)  # fmt: skip
        try:
            address = server.stdout.readline().split()[-1]
            responses = [verified(address, number, row, names) for number, row in enumerate(rows)]
            key_metrics = compare_metrics(address, responses)
            compare_metrics(address, responses[:1])
        finally:
            server.terminate()
            server.wait()
    if {response["outcome"] for response in responses} < {"correct", "compile_error"} or not 0 < key_metrics["mean/correct"] < 1:
        sys.exit(f"nemo_gym_client: {[response['outcome'] for response in responses]}")
    print(f"NeMo Gym's models and metrics: {len(responses)} answers, {key_metrics}")


if __name__ == "__main__":
    main(*sys.argv[1:])
