"""Real names side by side: which two spellings are one entity, and which are two entities however alike."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from citekg.extractors.candidates.lexicon import shipped_lexicon
from citekg.linking.known_names import entry_of
from citekg.schemas.names import key

#: Reported by the spelling alone.
SAME = """
AIME 2024 = AIME24 = AIME'24 = AIME-2024 = AIME 24 = AIME ’24 = AIME2024 = 2024 AIME
AIME 2025 = AIME25 = AIME'25 = AIME-25
AIME 2024 I = AIME I 2024
HMMT 2025 = HMMT25 = HMMT'25
AMC 2023 = AMC23 = AMC'23
WMT 2014 = WMT14 = WMT'14 = WMT-14
CoNLL-2003 = CoNLL 2003 = CoNLL03 = CoNLL'03
SemEval-2010 = SemEval 2010 = SemEval10
BraTS 2018 = BraTS18 = BraTS'18
DAVIS 2017 = DAVIS-17 = DAVIS17
KITTI 2015 = KITTI-15 = KITTI15
GPT-4 = GPT4 = gpt-4 = GPT 4
GPT-3.5 = GPT3.5 = GPT 3.5
GPT-4o = GPT4o = gpt-4o
GPT-4o mini = GPT-4o-mini = GPT4o-mini = gpt-4o-mini
GPT-4 Turbo = GPT4-Turbo = GPT-4-Turbo = gpt4-turbo
Llama 3.1 8B = LLaMA-3.1-8B = Llama3.1-8B = llama-3.1-8b = Meta-Llama-3.1-8B
Llama-3.1-8B-Instruct = Llama 3.1 8B Instruct = Llama-3.1-Instruct-8B = LLaMA3.1-8B-Instruct
Llama-2-7B-chat = Llama 2 7B Chat = Llama-2-chat-7B = LLaMA2-7B-Chat
Llama 2 = LLaMA-2 = Llama2
Qwen-2.5 = Qwen2.5 = Qwen 2.5 = qwen2.5
Qwen2.5-VL-7B = Qwen2.5VL-7B = Qwen 2.5 VL 7B = Qwen-2.5-VL-7B
Qwen2.5-Math-7B = Qwen2.5-7B-Math = Qwen2.5Math-7B = Qwen-2.5-Math-7B
Qwen2.5-Coder-32B-Instruct = Qwen2.5 Coder 32B Instruct = Qwen-2.5-Coder-32B-Instruct
Qwen3-30B-A3B = Qwen 3 30B A3B = qwen3-30b-a3b
DeepSeek-V3 = DeepSeekV3 = DeepSeek V3 = deepseek-v3 = DeepSeek-v3
DeepSeek-R1 = DeepSeek R1 = deepseek-r1
DeepSeek-R1-0528 = DeepSeek R1 0528
DeepSeek-R1-Distill-Qwen-7B = DeepSeek R1 Distill Qwen 7B = deepseek-r1-distill-qwen-7b
Claude 3.5 Sonnet = Claude-3.5-Sonnet = Claude Sonnet 3.5 = claude-3-5-sonnet = Claude3.5-Sonnet
Claude 4 Sonnet = Claude Sonnet 4 = Claude-Sonnet-4
Claude 3 Opus = Claude-3-Opus = Claude Opus 3
Gemini 1.5 Pro = Gemini-1.5-Pro = Gemini Pro 1.5
Gemini 2.0 Flash = Gemini-2.0-Flash = Gemini Flash 2.0
Mistral-7B-Instruct-v0.2 = Mistral 7B Instruct v0.2 = Mistral-7B-v0.2-Instruct
Mixtral-8x7B = Mixtral 8x7B = mixtral-8x7b
Phi-3 = Phi3 = phi-3
Gemma-2-9B = Gemma 2 9B = gemma-2-9b = Gemma2-9B
DreamerV3 = Dreamer-v3 = Dreamer V3 = dreamerv3
YOLOv8 = YOLO-v8 = YOLO v8
EfficientNetV2 = EfficientNet-V2 = EfficientNet v2
BERT-base = BERT_base = BERT base
T5-large = T5 large = T5-Large
Whisper-large-v3 = Whisper large-v3 = whisper-large-v3
HalfCheetah-v2 = HalfCheetah v2 = HalfCheetahV2
CIFAR-10 = CIFAR10 = cifar-10 = CIFAR 10
CIFAR-100 = CIFAR100
MATH-500 = MATH500 = MATH 500 = Math-500
Atari 100k = Atari-100K = Atari100k
GSM8K = GSM-8K = gsm8k
ImageNet-1K = ImageNet 1k = ImageNet1K
MovieLens-1M = MovieLens 1M = MovieLens1M
LAION-5B = LAION5B = laion-5b
SWE-bench Verified = SWE-Bench-Verified = SWE-bench verified
HumanEval+ = HumanEval + = humaneval+
A*-PO = A$^*$-PO
π0 = $\\pi_0$ = π_0 = π₀
Tülu 3 = Tulu 3 = Tulu-3
Proximal Policy Optimization = proximal policy optimisation = Proximal-Policy Optimization
behavior cloning = behaviour cloning = Behavior Cloning
Decision Transformer = Decision Transformers
diffusion model = diffusion models = Diffusion Models
graph neural network = graph neural networks
variational autoencoder = variational autoencoders
VAE = VAEs
GAN = GANs
LoRA = LoRAs = LORA
chain-of-thought = Chain-of-Thought = chain of thought = chain‑of‑thought
Montezuma's Revenge = Montezuma’s Revenge
AIME 2024 = AIME (2024) = AIME '24 = AIME_2024
Llama 3.1 (8B) = Llama-3.1-8B = Meta Llama 3.1 8B = meta-llama/Llama-3.1-8B
Llama-2-7B-Chat = Llama-2-Chat (7B)
Qwen2.5-7B-Instruct = Qwen/Qwen2.5-7B-Instruct = Qwen2.5-Instruct (7B)
DeepSeek-V3-0324 = DeepSeek-V3 (0324)
GPT-4o-2024-08-06 = GPT-4o (2024-08-06) = gpt-4o-2024-08-06
GPT-4 = OpenAI GPT-4 = GPT‑4 = GPT–4 = GPT−4
Gemini 1.5 Pro = Google Gemini 1.5 Pro
Claude Opus 4.1 = Claude 4.1 Opus = claude-opus-4-1
Mixtral 8x7B = Mixtral 8×7B = Mixtral 8$\\times$7B
SWE-bench Verified = SWE-Bench (Verified)
GPQA Diamond = GPQA (Diamond)
HalfCheetah-v2 = HalfCheetah (v2)
pass@1 = Pass@1 = pass @ 1
A* = A$^*$ = A$^\\star$ = A⋆ = A∗
BERT-large = BERT$_{\\text{large}}$ = BERT$_\\mathrm{LARGE}$
Voyager = \\textsc{Voyager} = {\\sc Voyager} = \\emph{Voyager}
Dr. GRPO = Dr GRPO
VOYAGER = *Voyager* = **Voyager** = "Voyager" = 'Voyager' = Voyager)
optimised dialogue = optimized dialog
HMMT Feb 2025 = HMMT Feb. 2025
ImageNet 256x256 = ImageNet 256×256
KiTS19 = KiTS 2019
THUMOS14 = THUMOS'14 = THUMOS 2014
ε-greedy = $\\varepsilon$-greedy = $\\epsilon$-greedy
Q-learning = Q learning = q-learning
state–action = state-action
SWE-Bench Lite = SWE-bench-lite = SWE-Bench (Lite)
GPT4-V = GPT-4-V
LLaVA-NeXT = LLaVA NeXT = LLaVA-Next
InternVL2.5 = InternVL-2.5 = InternVL 2.5
Yi-1.5-34B-Chat = Yi 1.5 34B Chat
Command R+ = Command-R+
GSM-Hard = GSM Hard
ARC-AGI-2 = ARC AGI 2
DeepSeek-V2-Lite = DeepSeek V2 Lite
Walker2d-v3 = Walker2D-v3
OSWorld-Verified = OSWorld (Verified)
USAMO 2025 = USAMO25 = USAMO'25
BRUMO 2025 = BRUMO25
WMT19 = WMT'19 = WMT 2019
IWSLT'14 = IWSLT14 = IWSLT 2014
ICDAR 2015 = ICDAR15 = ICDAR'15
ILSVRC-2012 = ILSVRC12 = ILSVRC 2012
PASCAL VOC 2007 = Pascal VOC 2007 = PASCAL VOC07
Kinetics-400 = Kinetics400
Something-Something V2 = Something-Something-v2
Qwen2.5-Coder 32B Instruct = Qwen2.5-Coder-32B-Instruct
Llama 3.3 70B Instruct = Llama-3.3-70B-Instruct = Meta-Llama-3.3-70B-Instruct
Gemma-3-27B-it = Gemma 3 27B IT
GPT-3.5-turbo-0125 = GPT-3.5 Turbo 0125
Phi-3.5-mini-instruct = Phi-3.5 mini instruct
MMLU-Pro = MMLU Pro
GPQA-Diamond = GPQA diamond
TD-MPC2 = TD-MPC 2
StyleGAN2 = StyleGAN-2 = StyleGAN 2
Vicuna-13B = Vicuna 13B = Vicuna (13B)
Mistral-7B-v0.1 = Mistral 7B v0.1 = Mistral-7B (v0.1)
Deep Q-Networks = deep Q network
multi-armed bandits = Multi-Armed Bandit = multi armed bandit
2WikiMultihopQA = 2WikiMultiHopQA
MuSiQue = Musique
Pythia-1.4B = Pythia 1.4B
"""

#: Reported by the lexicon.
SAME_THING = """
Proximal Policy Optimization = PPO
Group Relative Policy Optimization = GRPO
Reinforcement Learning from Human Feedback = RLHF
Direct Preference Optimization = DPO = direct preference optimisation
Meta-World = MetaWorld = Metaworld
Soft Actor-Critic = soft actor critic
Low-Rank Adaptation = LoRA
supervised fine-tuning = SFT = supervised finetuning
DeepMind Control Suite = DMControl = DM Control
Deep Q-Network = DQN = Deep Q-Networks
LLaMA-2 = Llama 2
AlpacaEval 2.0 = AlpacaEval 2
StarCraft II = StarCraft 2
Monte Carlo Tree Search = MCTS
Twin Delayed Deep Deterministic Policy Gradient = TD3
Vision Transformer = ViT
HumanEval+ = HumanEval Plus
CLIP = Contrastive Language-Image Pre-training
Stable Diffusion 1.5 = Stable Diffusion v1.5
GPT4-V = GPT-4V = GPT-4V(ision)
o4-mini = OpenAI o4-mini
CodeLlama-7B = Code Llama 7B = Code-Llama-7B = Code LLaMA-7B
Command R+ = Command R Plus
GSM-Hard = GSMHard
TruthfulQA = Truthful QA
PASCAL VOC 2007 = VOC07 = VOC2007
GRPO = Group-Relative Policy Optimization
Something-Something V2 = SSv2
DINOv2 ViT-L/14 = DINOv2-L
Gemma-3-27B-it = Gemma-3-27B-Instruct
o3-mini-high = o3-mini (high) = OpenAI o3-mini-high
R1-Distill-Llama-70B = DeepSeek-R1-Distill-Llama-70B
MMLU-Pro = MMLUPro
TD-MPC2 = TDMPC2
StyleGAN2 = StyleGAN v2
Deep Q-Networks = DQNs = DQN
Natural Questions = NaturalQuestions = NQ
XLM-R = XLM-RoBERTa = XLM-Roberta
"""

APART = """
Llama-3.1 | Llama-3.2
Llama-3 | Llama-3.1
Llama 2 | Llama 3
Llama-3.1-8B | Llama-3.1-70B
Llama-3.1-8B | Llama-3.1-8B-Instruct
Llama-2-7B-chat | Llama-2-7B
Llama-2-7B-chat | Llama-2-13B-chat
Llama 3 70B | Llama 370B
Llama | LLaVA
CodeLlama-7B | Llama-7B
Vicuna-7B | Vicuna-13B
Qwen2 | Qwen2.5
Qwen2.5 | Qwen25
Qwen2.5 | Qwen3
Qwen2.5-7B | Qwen2.5-72B
Qwen2.5-7B | Qwen2.5-Math-7B
Qwen2.5-7B | Qwen2.5-Coder-7B
Qwen2.5-7B | Qwen2.5-VL-7B
Qwen2.5-7B | Qwen2.5-7B-Instruct
Qwen2.5-VL | Qwen2-VL
Qwen2.5-VL | Qwen2.5-Omni
Qwen2.5-0.5B | Qwen2.5-5B
Qwen2.5-1.5B | Qwen2.5-15B
Qwen3-8B | Qwen3-8B-Base
Qwen3-30B-A3B | Qwen3-30B
QwQ-32B | Qwen-32B
QwQ-32B | QwQ-32B-Preview
GPT-4 | GPT-4o
GPT-4 | GPT-4V
GPT-4 | GPT-4.1
GPT-4 | GPT-4 Turbo
GPT-4o | GPT-4o mini
GPT-4o | o4
GPT-4o | GPT-4o-2024-05-13
GPT-4o-2024-05-13 | GPT-4o-2024-08-06
GPT-3 | GPT-3.5
GPT-2 | GPT-2 XL
GPT-2 Small | GPT-2 Medium
GPT-J | GPT-2
GPT-Neo | GPT-NeoX
o1 | o3
o1 | o1-mini
o1-mini | o3-mini
o1-preview | o1-mini
Claude 3 Opus | Claude 3 Sonnet
Claude 3.5 Sonnet | Claude 3.7 Sonnet
Claude 3.5 Sonnet | Claude 3.5 Haiku
Claude 3 Sonnet | Claude 3.5 Sonnet
Claude Sonnet 4 | Claude Opus 4
Gemini 1.5 Pro | Gemini 1.5 Flash
Gemini 1.5 Pro | Gemini 2.5 Pro
Gemini 2.5 Flash | Gemini 2.5 Flash-Lite
Gemma-2-9B | Gemma-2-27B
Gemma | Gemma 2
DeepSeek-V2 | DeepSeek-V3
DeepSeek-V2 | DeepSeek-V2.5
DeepSeek-V2 | DeepSeek-Coder-V2
DeepSeek-V3 | DeepSeek-V3-0324
DeepSeek-V3 | DeepSeek-V3.1
DeepSeek-R1 | DeepSeek-R1-Zero
DeepSeek-R1 | DeepSeek-R1-0528
DeepSeek-R1 | DeepSeek-V3
DeepSeek-R1-Distill-Qwen-7B | DeepSeek-R1-Distill-Qwen-1.5B
DeepSeek-R1-Distill-Qwen-7B | DeepSeek-R1-Distill-Llama-8B
DeepSeek-R1-Distill-Qwen-7B | Qwen-7B
DeepSeek-Math | DeepSeek-Coder
Mistral-7B | Mixtral-8x7B
Mixtral-8x7B | Mixtral-8x22B
Mistral-7B-Instruct-v0.1 | Mistral-7B-Instruct-v0.2
Mistral-7B-v0.1 | Mistral-7B-Instruct-v0.1
Phi-3-mini | Phi-3-medium
Phi-3-mini-4k-instruct | Phi-3-mini-128k-instruct
Phi-3 | Phi-3.5
BERT | BART
BERT | RoBERTa
BERT-base | BERT-large
BERT-base-cased | BERT-base-uncased
T5 | mT5
T5-base | T5-large
Flan-T5 | T5
ViT-B/16 | ViT-B/32
ViT-B/16 | ViT-L/16
ViT-L/14 | ViT-L/16
ResNet-50 | ResNet-101
ResNet-18 | ResNet-180
Whisper-large-v2 | Whisper-large-v3
WavLM-Base | WavLM-Large
SAM | SAM 2
SAM 2 | SAM 2.1
YOLOv5 | YOLOv8
DINO | DINOv2
CLIP | SigLIP
Stable Diffusion | Stable Diffusion XL
Stable Diffusion 1.4 | Stable Diffusion 1.5
Stable Diffusion 2 | Stable Diffusion 3
FLUX.1 | FLUX.2
Kimi k1.5 | Kimi K2
π0 | π0.5
π0 | π0-FAST
RT-1 | RT-2
AlphaGo | AlphaZero
MuZero | EfficientZero
DreamerV2 | DreamerV3
Dreamer | DreamerV2
TD-MPC | TD-MPC2
V-JEPA | V-JEPA 2
CIFAR-10 | CIFAR-100
CIFAR-10 | CIFAR-10-C
CIFAR-10 | CIFAR-10.1
MNIST | EMNIST
ImageNet-1K | ImageNet-21K
ImageNet | ImageNet-C
ImageNet | Tiny ImageNet
ImageNet-A | ImageNet-R
AIME 2024 | AIME 2025
AIME | AIME 2024
AIME 2024 I | AIME 2024 II
AMC 10 | AMC 12
AMC 2023 | AIME 2023
HMMT Feb 2025 | HMMT Nov 2025
WMT14 | WMT16
MOT16 | MOT17
CoNLL-2003 | CoNLL-2012
SQuAD 1.1 | SQuAD 2.0
HumanEval | HumanEval+
HumanEval | HumanEval-X
MBPP | MBPP+
MATH | MATH-500
MATH | MathVista
MATH | MATH-Vision
GSM8K | GSM-Hard
GSM8K | GSM1K
MMLU | MMLU-Pro
MMLU | CMMLU
MMLU-Pro | MMMU-Pro
GPQA | GPQA Diamond
BIG-Bench | BIG-Bench Hard
ARC-Easy | ARC-Challenge
ARC-AGI | ARC-AGI-2
ARC-AGI | ARC-Challenge
SWE-bench | SWE-bench Lite
SWE-bench Lite | SWE-bench Verified
SWE-bench | SWE-Gym
LiveCodeBench v5 | LiveCodeBench v6
AlpacaEval | AlpacaEval 2.0
Arena-Hard | Arena-Hard v2
Arena-Hard | Chatbot Arena
MT-Bench | MT-Bench-101
τ-bench | τ²-bench
VQA v1 | VQA v2
Kinetics-400 | Kinetics-700
Kinetics-400 | Kinetics-600
WebVid-2M | WebVid-10M
MovieLens-1M | MovieLens-20M
LAION-400M | LAION-5B
PoseTrack17 | PoseTrack18
YouTube-VOS 2018 | YouTube-VOS 2019
COCO | COCO-Stuff
Pascal VOC 2007 | Pascal VOC 2012
Atari | Atari 100k
Atari-57 | Atari-5
HalfCheetah-v2 | HalfCheetah-v3
HalfCheetah-v2 | HalfCheetah
Hopper-v2 | Walker2d-v2
Walker | Walker2d
Pendulum-v0 | Pendulum-v1
D4RL | V-D4RL
AntMaze | PointMaze
antmaze-umaze | antmaze-large
ML10 | ML45
ManiSkill | ManiSkill2
NetHack | MiniHack
StarCraft | StarCraft II
SMAC | SMACv2
PPO | DPPO
PPO | PPO-max
PPO | MAPPO
PPO | TRPO
DPO | IPO
DPO | DAPO
GRPO | Dr. GRPO
GRPO | GSPO
SAC | SAC-Discrete-2
TD3 | TD3+BC
TD3 | TD(3)
TD(0) | TD(λ)
A2C | A3C
DQN | DDQN
DQN | QR-DQN
Q-learning | SARSA
Q-learning | Conservative Q-Learning
Implicit Q-Learning | Conservative Q-Learning
A* | A
A* | D*
A* | A*-PO
A-PO | APO
RRT | RRT*
Q* | Q
C++ | C#
C | C++
C4 | S4
S4 | S4D
T5 | T0
Adam | AdamW
Adam | Adan
U-Net | U-Net++
U-Net | 3D U-Net
3D U-Net | 2D U-Net
pass@1 | pass@10
pass@1 | pass 1
maj@8 | maj@64
α-GRPO | β-GRPO
B-Coder | StarCoder
Coder | B-Coder
B-STaR | STaR
ReST | ReST-MCTS*
ReAct | ReAct-2
RLHF | RLAIF
RLVR | RLHF
CoT | ToT
LoRA | QLoRA
VAE | VQ-VAE
VQ-VAE | VQ-VAE-2
β-VAE | VAE
GAIL | GAN
BC | TD3+BC
IQL | CQL
Decision Transformer | Online Decision Transformer
Mamba | Mamba-2
FlashAttention | FlashAttention-2
DiT-XL | DiT-L
LLaVA-1.5 | LLaVA-NeXT
LLaVA-1.5-7B | LLaVA-1.5-13B
InternVL2 | InternVL2.5
OPT-1.3B | OPT-13B
Pythia-70M | Pythia-70B
Pythia-1.4B | Pythia-14B
SmolLM-135M | SmolLM-360M
Tulu 2 | Tulu 3
Nemotron-4-15B | Nemotron-4-340B
Command R | Command R+
UltraFeedback | UltraChat
OpenThoughts-114K | OpenThoughts2-1M
C4 | mC4
The Pile | The Stack
SlimPajama | RedPajama
text-davinci-002 | text-davinci-003
multi-agent PPO | single-agent PPO
model-based RL | model-free RL
on-policy | off-policy
online RL | offline RL
text-embedding-3-small | text-embedding-3-large
Claude-3-Opus-20240229 | Claude 3 Opus
MNLI-m | MNLI-mm
LSUN-bedroom | LSUN-church
IQL | IQ-Learn
Ant-v4 | Ant-v5
REINFORCE | REINFORCE++
HellaSwag | SWAG
PPO | PPO2
Codeforces Div. 1 | Codeforces Div. 2
KernelBench Level 1 | KernelBench Level 2
Qwen3-8B (thinking) | Qwen3-8B
GPT-5 | GPT-5 Pro
o1 | o1-pro
o3 | o3-pro
Llama-3.1-Nemotron-70B | Llama-3.1-70B
Qwen2.5-7B-Instruct-1M | Qwen2.5-7B-Instruct
DeepSeek-V3-Base | DeepSeek-V3
HumanEval-X | HumanEval-XL
MATH Level 5 | MATH
MATH-500 | MATH-5000
D4RL halfcheetah-medium-v2 | D4RL halfcheetah-medium-expert-v2
hopper-medium | hopper-medium-replay
Kitchen-mixed | Kitchen-partial
VTAB-1k | VTAB
PASCAL-5i | PASCAL
OpenWebText | OpenWebText2
BookCorpus | BookCorpus2
CC3M | CC12M
UltraChat | UltraChat 200k
C4 | C4-en
WikiText-2 | WikiText-103
TriviaQA | Trivia QA-unfiltered
Atari 100k | Atari 200M
DMControl-100k | DMControl-500k
Procgen | Procgen easy
MiniGrid-DoorKey-5x5 | MiniGrid-DoorKey-8x8
pass@1 | pass@8
BLEU | BLEU-4
ROUGE-1 | ROUGE-L
top-k | top-p
F1 | F2
k-means | k-means++
Adam | Adam-mini
LoRA | LoRA+
DPO | DPO+
SimPO | ORPO
ReST | ReST-EM
Quiet-STaR | STaR
SAM | SAM2
SAM | SAM-2
CLIP ViT-B/32 | CLIP ViT-B/16
CLIP | EVA-CLIP
T5 | Flan-T5
T5-large | T5-Large-LM
BART-base | BART-large
GPT-NeoX-20B | GPT-NeoX
Falcon-40B | Falcon-40B-Instruct
Vicuna-7B-v1.3 | Vicuna-7B-v1.5
WizardMath-7B | WizardMath-70B
OpenVLA | OpenVLA-OFT
RT-2 | RT-2-X
MuZero | Gumbel MuZero
DreamerV3 | DayDreamer
SAC | Discrete SAC
TD3 | TD7
QMIX | QPLEX
MAPPO | IPPO
CQL | CQL(H)
GAIL | AIRL
BC | Filtered BC
10% BC | 50% BC
Decision Transformer | Decision ConvFormer
"""


#: Families of real names: on each line, every name is another entity.
DIFFERENT = (Path(__file__).parent / "different_names.txt").read_text(encoding="utf-8").splitlines()


def groups(table: str, sign: str) -> list[tuple[str, str]]:
    """The pairs of a table: the first of each line with every other."""
    lines = [[name.strip() for name in line.split(sign)] for line in table.strip().splitlines()]
    return [(names[0], other) for names in lines for other in names[1:]]


SAME_PAIRS, KNOWN_PAIRS, APART_PAIRS = (
    groups(SAME, " = "),
    groups(SAME_THING, " = "),
    groups(APART, " | "),
)


def entity(surface: str) -> str:
    """What a surface names, as far as spelling and lexicon tell."""
    entry = entry_of(surface, shipped_lexicon())
    return entry.key if entry else key(surface)


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(SAME_PAIRS) + len(KNOWN_PAIRS) >= 110
    assert len(APART_PAIRS) >= 110
    assert len({*SAME_PAIRS, *KNOWN_PAIRS, *APART_PAIRS}) == len(SAME_PAIRS) + len(
        KNOWN_PAIRS
    ) + len(APART_PAIRS)


@pytest.mark.parametrize(("one", "other"), SAME_PAIRS)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)
    assert entity(one) == entity(other)


@pytest.mark.parametrize(("one", "other"), KNOWN_PAIRS)
def test_names_of_one_entity_lead_to_one_row_of_the_lexicon(one: str, other: str) -> None:
    assert entity(one) == entity(other)


@pytest.mark.parametrize(("one", "other"), APART_PAIRS)
def test_names_of_two_entities_stay_apart_in_spelling_and_lexicon(one: str, other: str) -> None:
    assert key(one) != key(other)
    assert entity(one) != entity(other)


@pytest.mark.parametrize("line", DIFFERENT, ids=lambda line: line.split(" | ")[0])
def test_no_two_names_of_a_family_fall_into_one(line: str) -> None:
    named = defaultdict(list)
    for name in line.split(" | "):
        named[entity(name)].append(name)
    assert [names for names in named.values() if len(names) > 1] == []
    assert len({key(name) for name in line.split(" | ")}) == len(
        {name.casefold() for name in line.split(" | ")}
    )
