"""The models, adapters and packs of model_against_transformers.py: every branch of the architectures at least once."""
import transformers

CLASSES = {
    "llama": (transformers.LlamaForCausalLM, transformers.LlamaConfig),
    "qwen2": (transformers.Qwen2ForCausalLM, transformers.Qwen2Config),
    "qwen3": (transformers.Qwen3ForCausalLM, transformers.Qwen3Config),
    "mistral": (transformers.MistralForCausalLM, transformers.MistralConfig),
    "ministral": (transformers.MinistralForCausalLM, transformers.MinistralConfig),
    "qwen3_moe": (transformers.Qwen3MoeForCausalLM, transformers.Qwen3MoeConfig),
}

COMMON = {"hidden_size": 64, "intermediate_size": 112, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "vocab_size": 300, "max_position_embeddings": 512, "rms_norm_eps": 1e-6}


def rope(theta, **scaling):
    return {"rope_parameters": {"rope_theta": theta, "rope_type": "default", **scaling}}


LINEAR = rope(1e4, rope_type="linear", factor=4.0)
# The limits lie inside the 8 frequencies, so that all three branches of the formula are taken.
LLAMA3 = rope(5e5, rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=256)
# Columns on both sides of the limits and between them, as above.
YARN = rope(1e4, rope_type="yarn", factor=4.0, original_max_position_embeddings=128)
YARN_FULL = rope(1e6, rope_type="yarn", factor=8.0, original_max_position_embeddings=64, beta_fast=10.0, beta_slow=0.5,
                 mscale=0.7, mscale_all_dim=1.3, truncate=False)
YARN_GIVEN = rope(1e4, rope_type="yarn", factor=2.5, original_max_position_embeddings=100, attention_factor=0.9)

EXPERTS = {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 40}

# old_form: config.json with the keys of older transformers. adapters: numbers of ADAPTERS.
MODELS = [
    {"name": "llama-untied", "class": "llama", "tied": False, "adapters": [0], "config": rope(1e4)},
    {"name": "llama-tied-llama3", "class": "llama", "tied": True, "adapters": [], "config": LLAMA3},
    {"name": "llama-llama3-old-sharded", "class": "llama", "tied": False, "adapters": [1], "old_form": True,
     "shards": "60KB", "config": {**LLAMA3, "num_hidden_layers": 3}},
    {"name": "llama-linear-old-biases", "class": "llama", "tied": False, "adapters": [2], "old_form": True,
     "config": {**LINEAR, "attention_bias": True, "mlp_bias": True, "num_key_value_heads": 4, "rms_norm_eps": 1e-5}},
    {"name": "llama-wide-heads", "class": "llama", "tied": False, "adapters": [],
     "config": {**rope(1e5), "head_dim": 24, "num_key_value_heads": 1}},
    {"name": "qwen2-tied", "class": "qwen2", "tied": True, "adapters": [0, 3], "config": rope(1e6)},
    {"name": "qwen2-untied-sharded", "class": "qwen2", "tied": False, "adapters": [4], "shards": "50KB",
     "config": {**rope(1e6), "num_hidden_layers": 3, "num_attention_heads": 8, "num_key_value_heads": 1}},
    {"name": "qwen3-tied-wide-heads", "class": "qwen3", "tied": True, "adapters": [0],
     "config": {**rope(1e6), "head_dim": 32}},
    {"name": "qwen3-untied-biases-old", "class": "qwen3", "tied": False, "adapters": [5], "old_form": True,
     "config": {**rope(1e6), "head_dim": 16, "attention_bias": True, "num_attention_heads": 6, "num_key_value_heads": 3}},
    # Windows are shorter than the samples: in every layer, in some, and longer than all but one.
    {"name": "mistral-window", "class": "mistral", "tied": False, "adapters": [0], "config": {**rope(1e4), "sliding_window": 10}},
    {"name": "mistral-wide-heads-yarn-old", "class": "mistral", "tied": True, "adapters": [3], "old_form": True,
     "config": {**YARN, "sliding_window": None, "head_dim": 24}},
    {"name": "ministral-mixed-windows", "class": "ministral", "tied": False, "adapters": [],
     "config": {**YARN_GIVEN, "sliding_window": 32, "num_hidden_layers": 3, "head_dim": 16,
                "layer_types": ["full_attention", "sliding_attention", "sliding_attention"]}},
    {"name": "qwen2-window-yarn", "class": "qwen2", "tied": True, "adapters": [1],
     "config": {**YARN_FULL, "use_sliding_window": True, "sliding_window": 63, "max_window_layers": 1}},
    {"name": "qwen3-window-types", "class": "qwen3", "tied": False, "adapters": [0],
     "config": {**YARN, "head_dim": 32, "use_sliding_window": True, "sliding_window": 3, "num_hidden_layers": 3,
                "layer_types": ["full_attention", "sliding_attention", "full_attention"]}},
    {"name": "qwen3-moe", "class": "qwen3_moe", "tied": False, "adapters": [6, 1],
     "config": {**rope(1e6), **EXPERTS, "head_dim": 32, "norm_topk_prob": True}},
    {"name": "qwen3-moe-all-experts", "class": "qwen3_moe", "tied": False, "adapters": [6],
     "config": {**rope(1e6), **EXPERTS, "head_dim": 16, "num_experts_per_tok": 6}},
    {"name": "qwen3-moe-mixed-window-sharded", "class": "qwen3_moe", "tied": True, "adapters": [6], "shards": "100KB",
     "config": {**YARN, **EXPERTS, "head_dim": 16, "num_hidden_layers": 4, "decoder_sparse_step": 2, "mlp_only_layers": [3],
                "use_sliding_window": True, "sliding_window": 20}},
    {"name": "llama-yarn-old", "class": "llama", "tied": False, "adapters": [], "old_form": True, "config": YARN_FULL},
]

ADAPTERS = [
    {"r": 4, "lora_alpha": 8, "target_modules": "all-linear"},
    {"r": 8, "lora_alpha": 16, "target_modules": ["q_proj", "v_proj"]},
    {"r": 4, "lora_alpha": 8, "target_modules": "all-linear", "use_rslora": True},
    {"r": 3, "lora_alpha": 5, "target_modules": ["o_proj", "down_proj", "k_proj"]},
    {"r": 16, "lora_alpha": 8, "target_modules": ["gate_proj", "up_proj"], "use_rslora": True},
    {"r": 1, "lora_alpha": 1, "target_modules": "all-linear"},
    {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"]},
]

# Lengths of the samples that go through one forward together.
PACKS = [[1, 7, 33, 64, 2], [100], [5, 3, 120]]


def make_config(case):
    model_class, config_class = CLASSES[case["class"]]
    return model_class, config_class(**{**COMMON, **case["config"]}, tie_word_embeddings=case["tied"])
