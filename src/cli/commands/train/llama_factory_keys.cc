#include "cli/commands/train/llama_factory_keys.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/error.h"

namespace cuset::cli {
namespace {

// Keys that share their fate.
struct KeyGroup {
  KeyStatus status;
  const char* note;
  const char* keys;  // separated by blanks
  const char* neutral = "";
};

constexpr KeyGroup kGroups[] = {
    {KeyStatus::kWorks, "",
     "adam_beta1 adam_beta2 adam_epsilon bf16 cutoff_len do_train early_stopping_steps "
     "eval_dataset eval_steps full_determinism gradient_accumulation_steps "
     "gradient_checkpointing greater_is_better learning_rate load_best_model_at_end "
     "logging_steps lora_alpha lora_dropout lora_rank max_grad_norm max_samples max_steps "
     "model_name_or_path num_train_epochs output_dir overwrite_output_dir "
     "per_device_train_batch_size pure_bf16 resume_from_checkpoint save_steps save_total_limit "
     "seed train_on_prompt use_dft_loss use_eaft_loss use_rslora val_size warmup_ratio "
     "warmup_steps weight_decay"},
    {KeyStatus::kWorks, "ASFT's weight of the divergence (`divergence`)", "asft_alpha"},
    {KeyStatus::kWorks, "names of `dataset_info.json`, or paths", "dataset"},
    {KeyStatus::kWorks,
     "the folder of `dataset_info.json`, by default `data`; `REMOTE:` and `ONLINE` are read from `data`, nothing is downloaded",
     "dataset_dir"},
    {KeyStatus::kWorks, "activations are recomputed unless it is true", "disable_gradient_checkpointing"},
    {KeyStatus::kWorks, "EAFT's exponent (`entropy_exponent`)", "eaft_alpha"},
    {KeyStatus::kWorks, "`steps`, `epoch`, `no`", "eval_strategy save_strategy"},
    {KeyStatus::kWorks, "`lora` and `full`; `freeze` and `oft` are refused", "finetuning_type"},
    {KeyStatus::kWorks, "`all`, or names of linear layers", "lora_target"},
    {KeyStatus::kWorks, "B learns with this multiple of the learning rate", "loraplus_lr_ratio"},
    {KeyStatus::kWorks, "`min_lr` or `min_lr_rate`, of `cosine_with_min_lr`", "lr_scheduler_kwargs"},
    {KeyStatus::kWorks,
     "`linear`, `cosine`, `constant`, `constant_with_warmup`, `cosine_with_min_lr`; others are refused",
     "lr_scheduler_type"},
    {KeyStatus::kWorks, "all answers of a conversation are learned unless it is true", "mask_history"},
    {KeyStatus::kWorks, "`eval_loss`, `eval_accuracy`", "metric_for_best_model"},
    {KeyStatus::kWorks, "samples of a pack never attend to each other", "neat_packing packing"},
    {KeyStatus::kWorks,
     "`tensorboard`, `wandb`, `mlflow` and `none`; others get a warning, `metrics.jsonl` has every record",
     "report_to"},
    {KeyStatus::kWorks, "`sft` and `pt`; `rm`, `ppo`, `dpo` and `kto` are refused", "stage"},
    {KeyStatus::kWorks,
     "written where it does not exist yet, else read instead of the data files; the format is ours",
     "tokenized_path"},
    {KeyStatus::kWorks, "random weights (`from_scratch`)", "train_from_scratch"},
    {KeyStatus::kWorks,
     "with LoRA: the reference is the model without its adapter; with `finetuning_type: full` it is refused",
     "use_asft_loss"},
    {KeyStatus::kIgnored, "every process holds the whole model, so nothing is divided among GPUs",
     "accelerator_config ddp_backend ddp_broadcast_buffers ddp_bucket_cap_mb "
     "ddp_find_unused_parameters ddp_static_graph deepspeed fsdp fsdp_config "
     "fsdp_transformer_layer_cls_to_wrap parallelism_config"},
    {KeyStatus::kIgnored, "belongs to Megatron, which has no effect here",
     "account_for_embedding_in_pipeline_split account_for_loss_in_pipeline_split "
     "apply_rope_fusion bias_activation_fusion calculate_per_token_loss "
     "cross_entropy_loss_fusion export_hf_on_finish masked_softmax_fusion mixed_precision "
     "moe_grouped_gemm moe_token_dispatcher_type overlap_grad_reduce overlap_param_gather "
     "recompute_granularity recompute_method recompute_num_layers sequence_parallel "
     "use_distributed_optimizer use_packed_sequences"},
    {KeyStatus::kIgnored, "belongs to use_apollo",
     "apollo_layerwise apollo_proj apollo_proj_type apollo_rank apollo_scale "
     "apollo_scale_front apollo_scale_type apollo_target apollo_update_interval"},
    {KeyStatus::kIgnored, "no effect on training",
     "audio_sampling_rate crop_to_patches do_sample eval_num_beams export_device export_dir "
     "export_hub_model_id export_legacy_format export_quantization_bit "
     "export_quantization_dataset export_quantization_maxlen export_quantization_nsamples "
     "export_size freeze_multi_modal_projector freeze_vision_tower generation_config "
     "generation_max_length generation_num_beams image_do_pan_and_scan image_max_pixels "
     "image_min_pixels infer_backend infer_dtype length_penalty loraplus_lr_embedding "
     "max_length max_new_tokens media_dir num_beams repetition_penalty sample_backend "
     "sglang_config sglang_lora_backend sglang_maxlen sglang_mem_fraction sglang_tp_size "
     "skip_special_tokens sortish_sampler temperature top_k top_p use_audio_in_video "
     "use_kv_cache video_fps video_max_pixels video_maxlen video_min_pixels vllm_config "
     "vllm_enforce_eager vllm_gpu_util vllm_max_lora_rank vllm_maxlen"},
    {KeyStatus::kIgnored, "the loss is divided by the tokens of the whole step",
     "average_tokens_across_devices"},
    {KeyStatus::kIgnored, "belongs to use_badam",
     "badam_mask_mode badam_mode badam_start_block badam_switch_interval badam_switch_mode "
     "badam_update_ratio badam_verbose"},
    {KeyStatus::kIgnored, "evaluation takes the batches of training",
     "batch_eval_metrics bf16_full_eval eval_accumulation_steps eval_delay "
     "eval_do_concat_batches eval_on_start eval_use_gather_object fp16_full_eval "
     "include_for_metrics per_device_eval_batch_size prediction_loss_only"},
    {KeyStatus::kIgnored, "models are read from safetensors, without code of theirs",
     "block_diag_attn compute_dtype device_map hf_hub_token low_cpu_mem_usage model_max_length "
     "model_revision ms_hub_token offload_folder om_hub_token split_special_tokens "
     "trust_remote_code upcast_layernorm upcast_lmhead_output use_fast_tokenizer"},
    {KeyStatus::kIgnored, "data is in memory before the first step",
     "buffer_size dataloader_in_order dataloader_multiprocessing_context "
     "dataloader_num_workers dataloader_persistent_workers dataloader_pin_memory "
     "dataloader_prefetch_factor group_by_length length_column_name remove_unused_columns "
     "streaming train_sampling_strategy"},
    {KeyStatus::kIgnored, "data is read again in every run, in about a second per 10,000 samples",
     "cache_dir data_shared_file_system overwrite_cache preprocessing_batch_size "
     "preprocessing_num_workers"},
    {KeyStatus::kIgnored, "accuracy is always recorded", "compute_accuracy"},
    {KeyStatus::kIgnored, "the seed decides the order of the data", "data_seed"},
    {KeyStatus::kIgnored, "torchrun, mpirun or srun start several processes: docs/data-parallel.md",
     "ddp_timeout local_rank master_addr master_port placement_strategy ray_init_kwargs "
     "ray_num_workers ray_run_name ray_storage_path resources_per_worker"},
    {KeyStatus::kIgnored, "metrics.jsonl has every record",
     "debug disable_tqdm include_effective_tokens_per_second include_num_input_tokens_seen "
     "log_level log_level_replica log_on_each_node logging_first_step logging_nan_inf_filter "
     "logging_strategy print_param_status project run_name skip_memory_metrics "
     "trackio_bucket_id trackio_space_id trackio_static_space_id"},
    {KeyStatus::kIgnored, "evaluation follows eval_strategy", "do_eval"},
    {KeyStatus::kIgnored, "belongs to quantization_bit",
     "double_quantization quantization_device_map quantization_method quantization_type"},
    {KeyStatus::kIgnored, "belongs to stage: dpo, kto or ppo",
     "dpo_label_smoothing kto_chosen_weight kto_rejected_weight ld_alpha ppo_buffer_size "
     "ppo_epochs ppo_score_norm ppo_target ppo_whiten_rewards pref_bco_weight pref_beta "
     "pref_ftx pref_loss ref_model ref_model_adapters ref_model_quantization_bit reward_model "
     "reward_model_adapters reward_model_quantization_bit reward_model_type simpo_gamma"},
    {KeyStatus::kIgnored, "checkpoints hold all that resuming needs",
     "enable_jit_checkpoint ignore_data_skip restore_callback_states_from_checkpoint "
     "save_on_each_node save_only_model save_safetensors"},
    {KeyStatus::kIgnored, "linear layer and cross-entropy are always fused",
     "enable_liger_kernel liger_kernel_config use_liger_kernel"},
    {KeyStatus::kIgnored, "the device decides which attention is used", "flash_attn"},
    {KeyStatus::kIgnored, "belongs to fp8", "fp8_backend fp8_enable_fsdp_float8_all_gather"},
    {KeyStatus::kIgnored, "belongs to finetuning_type: freeze",
     "freeze_extra_modules freeze_trainable_layers freeze_trainable_modules"},
    {KeyStatus::kIgnored, "belongs to use_galore",
     "galore_layerwise galore_proj_type galore_rank galore_scale galore_target "
     "galore_update_interval"},
    {KeyStatus::kIgnored, "activations are kept or recomputed: gradient_checkpointing",
     "gradient_checkpointing_kwargs torch_empty_cache_steps use_cache use_reentrant_gc"},
    {KeyStatus::kIgnored, "belongs to push_to_hub",
     "hub_always_push hub_model_id hub_private_repo hub_revision hub_strategy hub_token"},
    {KeyStatus::kIgnored, "belongs to use_hyper_parallel", "hyper_parallel_args hyper_parallel_cp_size"},
    {KeyStatus::kIgnored, "there is no padding", "ignore_pad_token_for_loss label_names"},
    {KeyStatus::kIgnored, "belongs to use_kt",
     "kt_config kt_cpu_activation kt_expert_checkpoint_path kt_lora_expert_intermediate_size "
     "kt_lora_expert_num kt_non_expert_weight_path kt_use_lora_experts kt_weight_path"},
    {KeyStatus::kIgnored, "event files go to runs/ in the output folder", "logging_dir"},
    {KeyStatus::kIgnored, "belongs to finetuning_type: oft",
     "module_dropout oft_block_size oft_rank oft_target"},
    {KeyStatus::kIgnored, "the optimizer is AdamW with float32 masters", "optim optim_args"},
    {KeyStatus::kIgnored, "belongs to pissa_init", "pissa_convert pissa_iter"},
    {KeyStatus::kIgnored, "metrics.jsonl and TensorBoard hold the loss curve", "plot_loss"},
    {KeyStatus::kIgnored, "belongs to enable_torch_profiler",
     "profile_modules profiler_active_steps profiler_output_dir profiler_profile_memory "
     "profiler_record_shapes profiler_repeat profiler_wait_steps profiler_warmup_steps "
     "profiler_with_stack"},
    {KeyStatus::kIgnored, "belongs to use_swanlab",
     "swanlab_api_key swanlab_lark_secret swanlab_lark_webhook_url swanlab_logdir swanlab_mode "
     "swanlab_project swanlab_run_name swanlab_workspace"},
    {KeyStatus::kIgnored, "the chat template of the model folder is used", "template"},
    {KeyStatus::kIgnored, "everything is computed by cuset's own operations",
     "tf32 torch_compile torch_compile_backend torch_compile_mode"},
    {KeyStatus::kIgnored, "cuset has its own kernels", "use_unsloth use_unsloth_gc use_v1_kernels"},
    {KeyStatus::kRefused,
     "a new adapter is trained on the model as it is; merge the other one first (cuset merge)",
     "adapter_folder adapter_name_or_path create_new_adapter"},
    {KeyStatus::kRefused, "the vocabulary stays as it is",
     "add_special_tokens add_tokens new_special_tokens_config resize_vocab"},
    {KeyStatus::kRefused, "only LoRA's matrices, or all weights, are trained",
     "additional_target freeze_language_model use_llama_pro"},
    {KeyStatus::kRefused, "per_device_train_batch_size is taken as it is", "auto_find_batch_size"},
    {KeyStatus::kRefused, "the model is not divided among GPUs",
     "context_parallel_size expert_model_parallel_size pipeline_model_parallel_size "
     "tensor_model_parallel_size",
     "1"},
    {KeyStatus::kRefused, "the last, smaller step of an epoch is kept", "dataloader_drop_last"},
    {KeyStatus::kRefused, "the chat template of the model folder decides it",
     "default_system preserve_thinking tool_format"},
    {KeyStatus::kRefused, "the order is shuffled in every epoch", "disable_shuffling"},
    {KeyStatus::kRefused, "cuset generate does that", "do_predict predict_with_generate"},
    {KeyStatus::kRefused, "the chat template of the model folder decides it", "enable_thinking", "true"},
    {KeyStatus::kRefused, "cuset bench measures", "enable_torch_profiler"},
    {KeyStatus::kRefused, "all evaluation data is one set", "eval_on_each_dataset"},
    {KeyStatus::kRefused, "the model is not divided among GPUs",
     "extra_config megatron_pretrained_checkpoint use_hyper_parallel use_mca "
     "use_megatron_bridge virtual_pipeline_model_parallel_size"},
    {KeyStatus::kRefused, "use bf16, or dtype: float32", "fp16"},
    {KeyStatus::kRefused, "the arithmetic is bfloat16 or float32", "fp8"},
    {KeyStatus::kRefused, "belongs to new_special_tokens_config", "init_special_tokens", "noise_init"},
    {KeyStatus::kRefused, "belongs to mix_strategy", "interleave_probs"},
    {KeyStatus::kRefused, "labels are not smoothed", "label_smoothing_factor"},
    {KeyStatus::kRefused, "data sets are read one after the other", "mix_strategy", "concat"},
    {KeyStatus::kRefused, "models are computed as their folder says",
     "mixture_of_depths moe_aux_loss_coef rope_scaling shift_attn"},
    {KeyStatus::kRefused, "there is no noise on embeddings", "neftune_noise_alpha"},
    {KeyStatus::kRefused, "the optimizer is AdamW",
     "optim_target_modules use_adam_mini use_apollo use_badam use_galore use_muon"},
    {KeyStatus::kRefused, "an adapter begins with random A and B = 0", "pissa_init"},
    {KeyStatus::kRefused, "results stay in output_dir", "push_to_hub"},
    {KeyStatus::kRefused, "weights are not quantized", "quantization_bit"},
    {KeyStatus::kRefused, "the device is chosen with device: cpu", "use_cpu"},
    {KeyStatus::kRefused, "of LoRA's variants there are rsLoRA and LoRA+", "use_dora"},
    {KeyStatus::kRefused, "there are no experts on the CPU (KTransformers)", "use_kt"},
    {KeyStatus::kRefused, "TensorBoard and metrics.jsonl hold the metrics", "use_swanlab"},
};

// Values that turn a key off.
constexpr std::array<std::string_view, 8> kOff = {"", "0", "0.0", "false", "False", "none", "None", "null"};

std::vector<LlamaFactoryKey> all_keys() {
  std::vector<LlamaFactoryKey> keys;
  for (const KeyGroup& group : kGroups) {
    std::istringstream words(group.keys);
    for (std::string word; words >> word;) keys.push_back({word, group.status, group.note, group.neutral});
  }
  std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return keys;
}

bool is_off(const LlamaFactoryKey& key, const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), [&](const std::string& value) {
    return value == key.neutral || std::find(kOff.begin(), kOff.end(), value) != kOff.end();
  });
}

}  // namespace

std::string_view name_of(KeyStatus status) {
  constexpr std::array<std::string_view, 3> kNames = {"works", "ignored", "refused"};
  return kNames[static_cast<size_t>(status)];
}

const std::vector<LlamaFactoryKey>& llama_factory_keys() {
  static const std::vector<LlamaFactoryKey> kKeys = all_keys();
  return kKeys;
}

const LlamaFactoryKey* find_llama_factory_key(std::string_view key) {
  const std::string_view name = key.substr(0, key.find('.'));
  const std::vector<LlamaFactoryKey>& keys = llama_factory_keys();
  const auto found = std::lower_bound(keys.begin(), keys.end(), name,
                                      [](const LlamaFactoryKey& a, std::string_view b) { return a.key < b; });
  return found == keys.end() || found->key != name ? nullptr : &*found;
}

const LlamaFactoryKey* take_llama_factory_key(std::string_view name, const std::vector<std::string>& values) {
  const LlamaFactoryKey* key = find_llama_factory_key(name);
  if (key == nullptr || key->status == KeyStatus::kWorks) return nullptr;
  if (key->status == KeyStatus::kRefused && !is_off(*key, values)) {
    throw base::UsageError("not supported by cuset: {}", key->note)
        .with_remedy("remove the key, or set it to {}", key->neutral.empty() ? "false" : key->neutral);
  }
  return key;
}

}  // namespace cuset::cli
