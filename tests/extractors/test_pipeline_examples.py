"""Extraction by example.

Each example is a short text and what it names: surfaces by type (a surface may be of one of two
types where both can be defended; `=` joins the surfaces of one entity), and surfaces that
name nothing of the kind.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citekg.extractors.gold import normalise
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Extraction, Paper


@dataclass(frozen=True)
class Example:
    """A text with required names, as `(surface, types, surfaces of the entity)`, and forbidden ones."""

    title: str
    abstract: str
    names: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    never: tuple[str, ...]


#: The keywords of `text` and the types they stand for.
KINDS = {
    "method": ("Method",),
    "benchmark": ("Benchmark",),
    "model": ("Model",),
    "dataset": ("Dataset",),
    "data": ("Dataset", "Benchmark"),
    "system": ("Method", "Model"),
}


def text(title: str, abstract: str, never: str = "", **named: str) -> Example:
    """An example; lists are separated by `; `, surfaces of one entity by ` = `."""
    names = []
    for kind, listed in named.items():
        for entity in listed.split("; "):
            surfaces = tuple(entity.split(" = "))
            names += [(surface, KINDS[kind], surfaces) for surface in surfaces]
    return Example(title, abstract, tuple(names), tuple(never.split("; ")) if never else ())


EXAMPLES: dict[str, list[Example]] = {}

EXAMPLES["definition"] = [
    text(
        "Stable policies for sparse rewards",
        "We introduce Anchored Trust Policy Optimization (ATPO), which keeps the policy close to a slow "
        "copy of itself. "
        "ATPO improves over PPO on MuJoCo.",
        method="Anchored Trust Policy Optimization = ATPO; PPO",
        benchmark="MuJoCo",
    ),
    text(
        "Fewer samples for language agents",
        "We build on GRPO (Group Relative Policy Optimization) and drop its length normalization.",
        method="GRPO = Group Relative Policy Optimization",
        never="length normalization",
    ),
    text(
        "Memory for long dialogues",
        "Retrieval-augmented generation (RAG) answers from documents. We measure how RAG fails when "
        "documents disagree.",
        method="Retrieval-augmented generation = RAG",
    ),
    text(
        "Noise schedules revisited",
        "Denoising diffusion probabilistic models (DDPMs) generate sharp images. We speed up DDPMs with "
        "a learned schedule.",
        method="Denoising diffusion probabilistic models = DDPMs",
        never="learned schedule",
    ),
    text(
        "Message passing on molecules",
        "We study graph neural networks (GNNs) and show that GNNs cannot count triangles unless nodes "
        "carry identifiers.",
        method="graph neural networks = GNNs",
        never="triangles; identifiers",
    ),
    text(
        "A test of patience",
        "We present the Long Horizon Reasoning Benchmark (LHRB), a suite of 900 puzzles. GPT-4 solves 12% of LHRB.",
        benchmark="Long Horizon Reasoning Benchmark = LHRB",
        model="GPT-4",
    ),
    text(
        "Speech for small languages",
        "We release the Highland Spoken Stories Corpus (HSSC), 400 hours of read speech used to train recognisers.",
        dataset="Highland Spoken Stories Corpus = HSSC",
        never="400 hours",
    ),
    text(
        "Planning with learned dynamics",
        "Model predictive control (MPC) plans with a model, and Monte Carlo tree search (MCTS) plans with rollouts. "
        "We combine MPC and MCTS.",
        method="Model predictive control = MPC; Monte Carlo tree search = MCTS",
    ),
    text(
        "Offline learning from logs",
        "We analyse conservative Q-learning (CQL) and implicit Q-learning (IQL) on the D4RL benchmark.",
        method="conservative Q-learning = CQL; implicit Q-learning = IQL",
        benchmark="D4RL",
    ),
    text(
        "Efficient adaptation of recommenders",
        "We fine-tune LightGCN with low-rank adaptation (LoRA), so that LoRA touches under 1% of the weights.",
        method="LightGCN; low-rank adaptation = LoRA",
    ),
    text(
        "Structure from motion without features",
        "Neural radiance fields (NeRF) need known poses. Our method, Pose-Free Radiance Alignment [PFRA], does not.",
        method="Neural radiance fields = NeRF; Pose-Free Radiance Alignment = PFRA",
        never="poses",
    ),
    text(
        "Teaching by preference",
        "Reinforcement learning from human feedback (RLHF) is costly, while direct preference "
        "optimization (DPO) is cheap. "
        "We compare RLHF and DPO on summaries.",
        method="Reinforcement learning from human feedback = RLHF; direct preference optimization = DPO",
        never="summaries",
    ),
    text(
        "Counting steps in the dark",
        "We study the upper confidence bound (UCB) algorithm when rewards arrive late, and bound its regret.",
        method="upper confidence bound = UCB",
        never="regret; rewards",
    ),
    text(
        "Robots that imitate",
        "Behavior cloning (BC) copies a teacher. We show that BC with data augmentation rivals dataset "
        "aggregation (DAgger).",
        method="Behavior cloning = BC; DAgger",
        never="teacher",
    ),
    text(
        "Gates against forgetting",
        "We compare long short-term memory (LSTM) networks with gated recurrent units (GRU) for traffic forecasting.",
        method="long short-term memory = LSTM; GRU",
        never="traffic forecasting",
    ),
]

EXAMPLES["title that names and defines"] = [
    text(
        "RePlan: Robotic Replanning with Perception and Language Models",
        "RePlan lets a manipulator notice a failed step and plan again with a vision-language model.",
        method="RePlan = Robotic Replanning with Perception and Language Models",
        never="manipulator",
    ),
    text(
        "HERO: Hierarchical Exploration with Reward Options",
        "Sparse rewards make exploration hard. HERO learns options that lead to rare states, and beats "
        "RND on Montezuma's Revenge.",
        method="HERO = Hierarchical Exploration with Reward Options; RND",
        benchmark="Montezuma's Revenge",
    ),
    text(
        "MOSAIC-Bench: Measuring Compositional Skills of Vision-Language Models",
        "We introduce MOSAIC-Bench with 3,000 images and test GPT-4o and LLaVA-1.5 on it.",
        benchmark="MOSAIC-Bench",
        model="GPT-4o; LLaVA-1.5",
        never="Vision-Language Models",
    ),
    text(
        "TideFormer: Forecasting Sea Levels with Sparse Attention",
        "TideFormer is a Transformer for long series. It needs a tenth of the memory of Informer.",
        method="TideFormer; Transformer; Informer",
        never="Sea Levels; memory",
    ),
    text(
        "GraphWeaver: Self-Supervised Pretraining for Molecular Graphs",
        "We propose GraphWeaver, which masks edges of a molecule and asks a network to restore them.",
        method="GraphWeaver",
        never="Molecular Graphs; molecule",
    ),
    text(
        "OpenSpeech-7M: A Large Multilingual Speech Dataset",
        "We release OpenSpeech-7M, a dataset of seven million utterances, and train Whisper on it.",
        dataset="OpenSpeech-7M",
        model="Whisper",
    ),
    text(
        "QuietNet: Noise-Robust Keyword Spotting on Microcontrollers",
        "QuietNet spots keywords with 30k parameters and runs on a Cortex-M4.",
        system="QuietNet",
        never="Cortex-M4; Keyword Spotting",
    ),
    text(
        "StepCoT: Chain-of-Thought Prompting with Verified Steps",
        "StepCoT checks each step with a small verifier and improves LLaMA-2-70B on GSM8K.",
        method="StepCoT",
        model="LLaMA-2-70B",
        benchmark="GSM8K",
        never="verifier",
    ),
    text(
        "FairRec: Long-Term Fairness in Recommendation",
        "We present FairRec, a re-ranking algorithm that shares exposure among sellers on MovieLens-1M.",
        method="FairRec",
        data="MovieLens-1M",
        never="exposure; sellers",
    ),
    text(
        "LAMP: Language-Model Priors for Manipulation",
        "LAMP asks GPT-4 for subgoals and trains a diffusion policy for each of them.",
        method="LAMP",
        model="GPT-4",
        never="subgoals",
    ),
    text(
        "KiteSim: A Fast Simulator for Tethered Flight",
        "KiteSim is a simulator that runs a million steps a second. We train PPO and SAC agents in KiteSim.",
        benchmark="KiteSim",
        method="PPO; SAC",
    ),
    text(
        "SNAP: Sampling Neighbours for Attention in Polynomial time",
        "Attention over graphs is slow. SNAP samples a few neighbours of each node and keeps the accuracy of GAT.",
        method="SNAP; GAT",
        never="accuracy; node",
    ),
]

EXAMPLES["introduced by a verb"] = [
    text(
        "Faster decoding with drafts",
        "We propose DraftTree, a decoding algorithm that verifies many drafts at once.",
        method="DraftTree",
        never="drafts",
    ),
    text(
        "Learning to look twice",
        "In this paper we introduce GlanceNet, a convolutional architecture that first looks at a thumbnail.",
        system="GlanceNet",
        never="thumbnail",
    ),
    text(
        "Open weights for Nordic languages",
        "We release Norrland-7B, a language model trained from scratch on 300 billion tokens.",
        model="Norrland-7B",
        never="language model; 300 billion tokens",
    ),
    text(
        "Aligning without a critic",
        "A simple loss suffices to align a model. We call it PairDPO and show that it is more stable than DPO.",
        method="PairDPO; DPO",
        never="simple loss",
    ),
    text(
        "Sorting toys by touch",
        "Our system, dubbed TactiSort, combines tactile sensing with a diffusion policy.",
        method="TactiSort",
    ),
    text(
        "Questions over tables",
        "A new benchmark named TabTrek is proposed, in which agents browse 2,000 spreadsheets.",
        benchmark="TabTrek",
        never="spreadsheets",
    ),
    text(
        "Bounds for sleeping experts",
        "An algorithm called DozeHedge is developed and analysed. DozeHedge attains optimal regret.",
        method="DozeHedge",
        never="regret",
    ),
    text(
        "Editing knowledge in place",
        "To this end, we develop PatchEdit, a method that rewrites single facts. PatchEdit outperforms ROME and MEMIT.",
        method="PatchEdit; ROME; MEMIT",
        never="facts",
    ),
    text(
        "Captions that count",
        "We present CountCaps, a dataset of 1.2 million image-caption pairs where every object is counted.",
        dataset="CountCaps",
    ),
    text(
        "Walking on sand",
        "A quadruped controller, termed SandStep, is trained in Isaac Gym and transferred to an ANYmal robot.",
        method="SandStep",
        benchmark="Isaac Gym",
        never="ANYmal; quadruped",
    ),
    text(
        "Better voices from less data",
        "This work introduces MurmurTTS, a text-to-speech model that clones a voice from three seconds of audio.",
        system="MurmurTTS",
        never="three seconds",
    ),
    text(
        "Summaries one can check",
        "We describe CiteBack, a framework in which every sentence of a summary points to its source.",
        method="CiteBack",
        never="summary",
    ),
    text(
        "Credit where it is due",
        "We introduce a simple algorithm, Hindsight Path Weighting, that assigns credit along a trajectory. "
        "Hindsight Path Weighting needs no critic.",
        method="Hindsight Path Weighting",
        never="critic; credit; trajectory",
    ),
    text(
        "Search in latent space",
        "We propose Latent Tree Rollouts (LTR), and we call its batched variant LTR-B.",
        method="Latent Tree Rollouts = LTR; LTR-B",
    ),
]

EXAMPLES["list of benchmarks"] = [
    text(
        "Small models that reason",
        "Our recipe raises accuracy on GSM8K, MATH, AIME 2024 and OlympiadBench.",
        benchmark="GSM8K; MATH; AIME 2024; OlympiadBench",
        never="accuracy; recipe",
    ),
    text(
        "Judging code models",
        "We evaluate on HumanEval, MBPP, LiveCodeBench and SWE-bench Verified, and report pass@1.",
        benchmark="HumanEval; MBPP; LiveCodeBench; SWE-bench Verified",
        never="pass@1",
    ),
    text(
        "What do encoders know?",
        "Experiments on GLUE, SuperGLUE and SQuAD 2.0 show steady gains over RoBERTa-large.",
        benchmark="GLUE; SuperGLUE",
        data="SQuAD 2.0",
        model="RoBERTa-large",
        never="gains",
    ),
    text(
        "Agents on the web",
        "The agent is tested on WebArena, Mind2Web and OSWorld, with GPT-4V as the backbone.",
        benchmark="WebArena; OSWorld",
        data="Mind2Web",
        model="GPT-4V",
        never="backbone",
    ),
    text(
        "One policy for all arms",
        "We report success rates on LIBERO, CALVIN, RLBench and Meta-World.",
        benchmark="LIBERO; CALVIN; RLBench; Meta-World",
        never="success rates",
    ),
    text(
        "Multimodal reasoning at scale",
        "On MMMU, MathVista, ScienceQA and MM-Vet the model surpasses LLaVA-NeXT.",
        benchmark="MMMU; MathVista; MM-Vet",
        data="ScienceQA",
        model="LLaVA-NeXT",
    ),
    text(
        "A study of chat models",
        "We compare models on MT-Bench, AlpacaEval 2.0, Arena-Hard and IFEval.",
        benchmark="MT-Bench; AlpacaEval 2.0; Arena-Hard; IFEval",
    ),
    text(
        "Commonsense in small packages",
        "Results on HellaSwag, WinoGrande, PIQA and ARC-Challenge confirm the trend; MMLU shows the largest gap.",
        benchmark="HellaSwag; WinoGrande; PIQA; ARC-Challenge; MMLU",
        never="trend",
    ),
    text(
        "Cooperation without words",
        "Experiments on the StarCraft Multi-Agent Challenge (SMAC), Overcooked and Hanabi support our claims.",
        benchmark="StarCraft Multi-Agent Challenge = SMAC; Overcooked; Hanabi",
        never="claims",
    ),
    text(
        "Graph learning under shift",
        "We use ogbn-arxiv, ogbn-products, Cora and PubMed, and compare GCN with GraphSAGE.",
        data="ogbn-arxiv; ogbn-products; Cora; PubMed",
        method="GCN; GraphSAGE",
    ),
    text(
        "Hearing in noise",
        "Word error rates fall on LibriSpeech, TED-LIUM 3 and CHiME-4.",
        data="LibriSpeech; TED-LIUM 3; CHiME-4",
        never="Word error rates",
    ),
    text(
        "Detection in fog",
        "We evaluate the detector on nuScenes, KITTI and the Waymo Open Dataset.",
        data="nuScenes; KITTI; Waymo Open Dataset",
        never="detector; fog",
    ),
    text(
        "Long context, short memory",
        "Tests on LongBench, RULER and InfiniteBench show where retrieval breaks.",
        benchmark="LongBench; RULER; InfiniteBench",
        never="retrieval breaks",
    ),
]

EXAMPLES["baselines"] = [
    text(
        "Preferences at scale",
        "We propose MarginPO for alignment. It outperforms DPO, IPO, KTO and SimPO on AlpacaEval 2.",
        method="MarginPO; DPO; IPO; KTO; SimPO",
        benchmark="AlpacaEval 2",
    ),
    text(
        "Pixels to torques",
        "Our agent learns faster than DrQ-v2, CURL and DreamerV3 on the DeepMind Control Suite.",
        method="DrQ-v2; CURL; DreamerV3",
        benchmark="DeepMind Control Suite",
    ),
    text(
        "Cheap experts",
        "With a tenth of the compute, our model is on par with Mixtral 8x7B and surpasses Llama 2 70B.",
        model="Mixtral 8x7B; Llama 2 70B",
        never="compute",
    ),
    text(
        "Segment with words",
        "The approach beats Mask R-CNN and SAM by a wide margin on COCO.",
        method="Mask R-CNN",
        system="SAM",
        data="COCO",
        never="wide margin",
    ),
    text(
        "Cold-start recommendation",
        "We compare with matrix factorization, BERT4Rec and SASRec on Amazon Reviews.",
        method="matrix factorization; BERT4Rec; SASRec",
        data="Amazon Reviews",
    ),
    text(
        "Graph transformers without positional codes",
        "Compared with Graphormer, GPS and GIN, the method is twice as fast on ZINC.",
        method="Graphormer; GIN",
        data="ZINC",
    ),
    text(
        "Multi-agent credit",
        "Unlike QMIX, VDN and MAPPO, our critic factorises over time.",
        method="QMIX; VDN; MAPPO",
        never="critic",
    ),
    text(
        "Answering with evidence",
        "Self-RAG, ReAct and Toolformer serve as baselines; we exceed them on HotpotQA.",
        method="Self-RAG; ReAct; Toolformer",
        data="HotpotQA",
        never="baselines",
    ),
    text(
        "Bandits with budgets",
        "Numerical experiments show lower regret than Thompson sampling, UCB1 and EXP3.",
        method="Thompson sampling; UCB1; EXP3",
        never="regret; Numerical experiments",
    ),
    text(
        "Tuning generalist robots",
        "Fine-tuned this way, the policy is better than OpenVLA, Octo and RT-2-X.",
        model="OpenVLA; Octo; RT-2-X",
    ),
    text(
        "Speech without labels",
        "Our encoder compares favourably with wav2vec 2.0, HuBERT and WavLM.",
        model="wav2vec 2.0; HuBERT; WavLM",
        never="encoder",
    ),
    text(
        "Optimizers for transformers",
        "The optimizer converges faster than SGD, Adam and AdamW on GPT-2 pretraining.",
        method="SGD; Adam; AdamW",
        model="GPT-2",
        never="optimizer",
    ),
]

EXAMPLES["model name with version, size or stage"] = [
    text(
        "Small models, long thoughts",
        "We fine-tune Qwen2.5-7B-Instruct and LLaMA-3.1-8B with GRPO.",
        model="Qwen2.5-7B-Instruct; LLaMA-3.1-8B",
        method="GRPO",
    ),
    text(
        "Do reasoning models know when to stop?",
        "We compare GPT-4o, o1 and o3-mini with DeepSeek-R1 on AIME 2025.",
        model="GPT-4o; o1; o3-mini; DeepSeek-R1",
        benchmark="AIME 2025",
    ),
    text(
        "Judges that disagree",
        "Claude 3.5 Sonnet, Gemini 1.5 Pro and GPT-4 Turbo judge the same answers.",
        model="Claude 3.5 Sonnet; Gemini 1.5 Pro; GPT-4 Turbo",
        never="answers",
    ),
    text(
        "Distilled reasoners",
        "DeepSeek-R1-Distill-Qwen-7B loses little when its thoughts are cut, while Qwen2.5-Math-1.5B collapses.",
        model="DeepSeek-R1-Distill-Qwen-7B; Qwen2.5-Math-1.5B",
        never="thoughts",
    ),
    text(
        "Seeing and clicking",
        "We start from Qwen2.5-VL-3B and InternVL2-8B and train them to click on ScreenSpot-Pro.",
        model="Qwen2.5-VL-3B; InternVL2-8B",
        benchmark="ScreenSpot-Pro",
    ),
    text(
        "Low-bit inference",
        "We quantize Llama-2-7B, Mistral-7B-v0.1 and OPT-66B to three bits.",
        model="Llama-2-7B; Mistral-7B-v0.1; OPT-66B",
        never="three bits",
    ),
    text(
        "Fine-grained features",
        "With a ViT-L/14 from CLIP as the frozen backbone, our head needs four labels a class.",
        model="CLIP",
        system="ViT-L/14",
        never="head; labels",
    ),
    text(
        "Text to image, faster",
        "Our sampler halves the steps of Stable Diffusion XL and FLUX.1-dev.",
        model="Stable Diffusion XL; FLUX.1-dev",
        never="sampler",
    ),
    text(
        "Reading comprehension with hints",
        "BERT-base, T5-11B and GPT-3.5-turbo gain from hints; text-davinci-003 does not.",
        model="BERT-base; T5-11B; GPT-3.5-turbo; text-davinci-003",
        never="hints",
    ),
    text(
        "Code from comments",
        "StarCoder2-15B, CodeLlama-34B and DeepSeek-Coder-V2 are prompted with comments only.",
        model="StarCoder2-15B; CodeLlama-34B; DeepSeek-Coder-V2",
        never="comments",
    ),
    text(
        "Open assistants under attack",
        "Vicuna-13B, Gemma-2-9B-it and Phi-3-mini refuse fewer than half of our prompts.",
        model="Vicuna-13B; Gemma-2-9B-it; Phi-3-mini",
        never="prompts",
    ),
    text(
        "Qwen3 technical notes",
        "We train Qwen3-8B and Qwen3-32B and find that the larger model forgets less.",
        model="Qwen3-8B; Qwen3-32B",
        never="larger model",
    ),
    text(
        "Transfer in hearing",
        "Whisper-large-v3 is adapted to whispered speech with 20 hours of audio.",
        model="Whisper-large-v3",
        never="20 hours; whispered speech",
    ),
]

EXAMPLES["signs in names"] = [
    text(
        "Tests that bite",
        "Models that shine on HumanEval and MBPP fail on HumanEval+ and MBPP+.",
        benchmark="HumanEval; MBPP; HumanEval+; MBPP+",
    ),
    text(
        "Shortest paths with learned heuristics",
        "We learn a heuristic for A* search and expand fewer nodes than Dijkstra's algorithm.",
        method="A* search",
        never="nodes; heuristic",
    ),
    text(
        "A minimalist agent",
        "TD3+BC adds one term to TD3, and we add one more.",
        method="TD3+BC; TD3",
        never="one term",
    ),
    text(
        "Ghosts in the replay buffer",
        "R2D2 and Rainbow are evaluated on Atari-57 with the same budget.",
        method="R2D2; Rainbow",
        benchmark="Atari-57",
        never="budget; replay buffer",
    ),
    text(
        "SE(3)-Transformers for grasping",
        "We train an SE(3)-Transformer on point clouds of household objects.",
        method="SE(3)-Transformer",
        never="point clouds; household objects",
    ),
    text(
        "M²Net: Two Memories for Tracking",
        "M²Net keeps a short and a long memory of the target. On LaSOT it is better than SiamRPN++.",
        system="M²Net",
        data="LaSOT",
        method="SiamRPN++",
        never="target",
    ),
    text(
        "LLaVA-1.6 and the limits of resolution",
        "LLaVA-1.6 sees more pixels than LLaVA-1.5, yet reads no better on TextVQA.",
        model="LLaVA-1.6; LLaVA-1.5",
        data="TextVQA",
        never="pixels",
    ),
    text(
        "CQL+: Conservatism with Ensembles",
        "We propose CQL+, which replaces the single critic of CQL by ten.",
        method="CQL+; CQL",
        never="critic",
    ),
    text(
        "Detectors for drones",
        "We prune YOLOv8 and RT-DETR for small aircraft, and test them on VisDrone.",
        system="YOLOv8",
        method="RT-DETR",
        data="VisDrone",
        never="aircraft",
    ),
    text(
        "Features at every scale",
        "A ResNet-50 pretrained with MoCo v2 beats one pretrained with SimCLR on ImageNet-1K.",
        system="ResNet-50; MoCo v2",
        method="SimCLR",
        data="ImageNet-1K",
    ),
    text(
        "word2vec and beyond",
        "We revisit word2vec, GloVe and node2vec as factorisations of one matrix.",
        system="word2vec; GloVe",
        method="node2vec",
        never="matrix",
    ),
    text(
        "Temporal difference learning with two speeds",
        "We prove that TD(λ) and Q(λ) converge at the same rate under linear features.",
        method="TD(λ)",
        never="rate; linear features",
    ),
]

EXAMPLES["LaTeX"] = [
    text(
        r"$\mathcal{B}$-Coder: Value-Based Program Synthesis",
        r"We propose $\mathcal{B}$-Coder, which learns to write programs by value-based RL, and test it on APPS.",
        method=r"$\mathcal{B}$-Coder",
        benchmark="APPS",
        never="programs",
    ),
    text(
        r"\textbf{LoomNet}: Weaving Views for Stereo",
        r"We present \textbf{LoomNet}, a network for stereo matching. LoomNet is tested on KITTI.",
        system="LoomNet",
        data="KITTI",
        never=r"\textbf; textbf",
    ),
    text(
        "Generalist policies that fold laundry",
        r"We fine-tune $\pi_0$ and OpenVLA on ten hours of folding.",
        model=r"$\pi_0$; OpenVLA",
        never="ten hours; folding",
    ),
    text(
        "Deliberate decoding",
        r"We introduce Q$^*$-Guide, which improves Llama-2-7B on GSM8K by $3.2\%$.",
        model="Llama-2-7B",
        benchmark="GSM8K",
        system="Q$^*$-Guide",
        never=r"$3.2\%$; 3.2",
    ),
    text(
        "Minimax rates for linear bandits",
        r"We prove that LinUCB suffers $\tilde{O}(d\sqrt{T})$ regret, which is optimal up to $\log T$ factors.",
        method="LinUCB",
        never=r"$\tilde{O}(d\sqrt{T})$; T; \log T; regret",
    ),
    text(
        "Sampling with less noise",
        r"\emph{FlowSip} is a sampler for flow matching, with FID $2.1$ on CIFAR-10.",
        method="FlowSip; flow matching",
        data="CIFAR-10",
        never="FID; emph",
    ),
    text(
        "Entropy and its discontents",
        r"We set the temperature $\alpha$ of soft actor-critic (SAC) by dual descent over "
        r"$\mathcal{S}\times\mathcal{A}$.",
        method="soft actor-critic = SAC",
        never=r"\mathcal{S}; \alpha; temperature",
    ),
    text(
        "A kernel view of wide networks",
        r"The neural tangent kernel (NTK) of a width-$n$ network differs from its limit by $O(1/n)$.",
        method="neural tangent kernel = NTK",
        never="O(1/n); n",
    ),
    text(
        "Clustering with outliers",
        r"We give a 3-approximation for $k$-means with outliers that runs in $O(nk)$ time.",
        method="$k$-means",
        never="$O(nk)$; outliers",
    ),
    text(
        "Preference games",
        r"We study Nash-MD and propose \texttt{DuelPO}, whose iterates converge at rate $1/T$. DuelPO beats Nash-MD.",
        method="DuelPO; Nash-MD",
        never="texttt; iterates",
    ),
]

EXAMPLES["Unicode"] = [
    text(
        "Actor–critic methods with delays",
        "We revisit soft actor–critic when observations arrive late.",
        method="soft actor–critic",
        never="observations",
    ),
    text(
        "“ThinkTwice”: Asking Again Helps",
        "We propose “ThinkTwice”, a prompting technique that asks a model to read its own answer.",
        method="ThinkTwice",
        never="own answer",
    ),
    text(
        "Bigger isn’t better",
        "GPT‑4’s answers are longer than Claude’s, but not better on MMLU.",
        model="GPT‑4; Claude",
        benchmark="MMLU",
    ),
    text(
        "The cost of caution — a study",
        "We train PPO agents—small ones—on Procgen and find that caution pays.",
        method="PPO",
        benchmark="Procgen",
        never="caution; small ones",
    ),
    text(
        "Weisfeiler–Lehman goes sparse",
        "The Weisfeiler–Lehman test bounds what message passing can tell apart.",
        method="Weisfeiler–Lehman test",
        never="apart",
    ),
    text(
        "Über-Attention: what heads do",
        "Naïve pruning of BERT’s heads hurts; our façade‐free criterion does not.",
        model="BERT",
        never="heads; Naïve; pruning",
    ),
    text(
        "β-VAE and its many cousins",
        "We compare β-VAE with a plain variational autoencoder (VAE) on dSprites.",
        method="β-VAE; variational autoencoder = VAE",
        data="dSprites",
    ),
    text(
        "ε‐greedy is enough",
        "We show that DQN with ε-greedy exploration solves 40 Atari games.",
        method="DQN",
        benchmark="Atari",
        never="40",
    ),
]

EXAMPLES["hyphen break"] = [
    text(
        "Sequences of returns",
        "We extend the Decision Trans- former with a recurrent memory and test it on D4RL.",
        method="Decision Trans- former",
        benchmark="D4RL",
        never="Trans; former; Trans-",
    ),
    text(
        "Talking robots",
        "We study re- inforcement learning with PPO on a tele- operated arm.",
        method="PPO",
        never="inforcement learning; operated arm; re; tele",
    ),
    text(
        "Pruning by saliency",
        "The frame- work is general: it prunes BERT and GPT-2 with- out retraining.",
        model="BERT; GPT-2",
        never="frame; work; out retraining",
    ),
    text(
        "Depth from one eye",
        "We use contrastive learn- ing and knowledge distil- lation to train a small network on KITTI.",
        data="KITTI",
        method="contrastive learn- ing",
        never="lation; ing; distil",
    ),
]

EXAMPLES["hyphenated compound"] = [
    text(
        "On-policy limits",
        "PPO-based agents forget, and GRPO-trained models forget less.",
        method="PPO; GRPO",
        never="PPO-based; GRPO-trained; PPO-based agents; GRPO-trained models",
    ),
    text(
        "Masked pretraining for time series",
        "We adopt BERT-style pretraining, with a Transformer-based encoder for sensors.",
        method="Transformer",
        model="BERT",
        never="Transformer-based; BERT-style; Transformer-based encoder; BERT-style pretraining",
    ),
    text(
        "Judging the judges",
        "GPT-4-generated answers please LLaMA-2-based judges more than they should.",
        model="GPT-4; LLaMA-2",
        never="GPT-4-generated; LLaMA-2-based; GPT-4-generated answers",
    ),
    text(
        "Adapters everywhere",
        "LoRA-tuned models keep 99% of the quality of full fine-tuning.",
        method="LoRA",
        never="LoRA-tuned; LoRA-tuned models; quality",
    ),
    text(
        "Noise in, motion out",
        "We train diffusion-based planners with CLIP-guided rewards in MuJoCo-based scenes.",
        model="CLIP",
        benchmark="MuJoCo",
        never="CLIP-guided; MuJoCo-based; CLIP-guided rewards; MuJoCo-based scenes",
    ),
    text(
        "Retrieval for everyone",
        "ImageNet-pretrained features still win over CLIP-based ones for plants.",
        data="ImageNet",
        model="CLIP",
        never="ImageNet-pretrained; CLIP-based",
    ),
    text(
        "Aligned with what?",
        "RLHF-aligned and DPO-aligned chat models differ in how they refuse.",
        method="RLHF; DPO",
        never="RLHF-aligned; DPO-aligned; chat models",
    ),
]

EXAMPLES["coordinated names"] = [
    text(
        "Competition mathematics",
        "We report results on AIME 2024 and 2025, where our model beats QwQ-32B.",
        benchmark="AIME 2024",
        model="QwQ-32B",
        never="AIME 2024 and 2025; 2024 and 2025",
    ),
    text(
        "Two generations",
        "We use GPT-3/4 as raters and PPO/DPO as trainers.",
        model="GPT-3",
        method="PPO; DPO",
        never="PPO/DPO; raters; trainers",
    ),
    text(
        "Small images",
        "On CIFAR-10 and CIFAR-100 our augmentation beats Mixup, Cutout and CutMix.",
        data="CIFAR-10; CIFAR-100",
        method="Mixup; Cutout; CutMix",
        never="CIFAR-10 and CIFAR-100",
    ),
    text(
        "Translate both ways",
        "BLEU rises on WMT14 and WMT16 with a Transformer of the same size.",
        data="WMT14; WMT16",
        method="Transformer",
        never="BLEU; WMT14 and WMT16",
    ),
    text(
        "Search and learning",
        "AlphaGo and AlphaZero search with networks; MuZero also learns the rules.",
        system="AlphaGo; AlphaZero; MuZero",
        never="AlphaGo and AlphaZero; rules",
    ),
    text(
        "Sizes and styles",
        "We prune LLaMA-7B, LLaMA-13B, and LLaMA-30B with SparseGPT and Wanda.",
        model="LLaMA-7B; LLaMA-13B; LLaMA-30B",
        method="SparseGPT; Wanda",
    ),
]

EXAMPLES["acronym with another meaning"] = [
    text(
        "Ordering tasks for agents",
        "Automatic curriculum learning (ACL) orders tasks by difficulty. We show that ACL helps PPO in sparse mazes.",
        method="Automatic curriculum learning = ACL; PPO",
        never="mazes; difficulty",
    ),
    text(
        "Consistent sampling for images",
        "We propose Sample-Adaptive Consistency (SAC) for diffusion models; SAC removes artefacts in four steps.",
        method="Sample-Adaptive Consistency = SAC",
        never="artefacts; soft actor-critic",
    ),
    text(
        "Audio from masks",
        "We introduce the Spectral Audio Mixer (SAM), a framework that blends two sounds. SAM works in real time.",
        method="Spectral Audio Mixer = SAM",
        never="two sounds",
    ),
    text(
        "Agents that ask",
        "Dialogue Policy Orchestration (DPO) is our method for asking users the right questions. DPO halves the turns.",
        method="Dialogue Policy Orchestration = DPO",
        never="users; turns",
    ),
    text(
        "Trust in crowds",
        "We present Generative Annotator Networks (GAN), which model each worker. GAN detects spammers.",
        method="Generative Annotator Networks = GAN",
        never="worker; spammers",
    ),
    text(
        "Reports from X-rays",
        "Causal Attention Matching (CAM) ties findings to regions. CAM is trained on MIMIC-CXR.",
        method="Causal Attention Matching = CAM",
        data="MIMIC-CXR",
        never="findings; regions",
    ),
    text(
        "Streams of changing data",
        "We propose Replay with Adaptive Gates (RAG) for continual learning and test it on Split CIFAR-100.",
        method="Replay with Adaptive Gates = RAG",
        data="Split CIFAR-100",
    ),
]

EXAMPLES["ambiguous word"] = [
    text(
        "Superhuman play with less search",
        "Our agent plays Go, chess and shogi at the level of AlphaZero.",
        benchmark="Go; chess; shogi",
        system="AlphaZero",
    ),
    text(
        "Where do gradients go?",
        "Deep networks go wrong when gradients go to zero, and we explain when they do.",
        never="go; Go; zero",
    ),
    text(
        "Interfaces for control",
        "All tasks follow the OpenAI Gym interface, and we train TRPO on four of them.",
        benchmark="OpenAI Gym",
        method="TRPO",
    ),
    text(
        "Habits of motion",
        "Data were recorded in a gym, where athletes lifted weights for an hour.",
        never="gym; weights; athletes",
    ),
    text(
        "An atlas of failures",
        "We draw an atlas of the ways in which agents fail and rise again.",
        never="atlas; rise; An atlas",
    ),
    text(
        "Adam on a diet",
        "We show that Adam converges without momentum on convex losses, unlike RMSProp.",
        method="Adam; RMSProp",
        never="convex losses",
    ),
    text(
        "The first learner",
        "Adam and Eve, two annotators, disagreed on a third of the sentences.",
        never="Eve; Adam and Eve",
    ),
    text(
        "Reasoning traces under the lens",
        "DeepSeek-R1 writes long traces. We cut the traces of R1 and lose nothing on MATH-500.",
        model="DeepSeek-R1",
        benchmark="MATH-500",
        never="traces",
    ),
    text(
        "Relaxation times in noisy circuits",
        "We predict the T1 and T2 times of a device from its layout by Gaussian process regression.",
        method="Gaussian process regression",
        never="T2; layout",
    ),
    text(
        "The rise of agents",
        "Agents are on the rise; we ask what this means for science and for trust.",
        never="rise; science; trust",
    ),
    text(
        "Maps in the mind",
        "Humans keep maps in the mind. We ask whether language models keep maps too, with probes on Llama 3.",
        model="Llama 3",
        never="maps; mind; probes",
    ),
    text(
        "Sports on screen",
        "A transformer of players predicts goals in soccer from tracking data.",
        never="goals; players; tracking data",
    ),
    text(
        "Dreams of cameras",
        "Dreamer learns behaviours in imagination; we give Dreamer a second camera in the DMLab suite.",
        method="Dreamer",
        benchmark="DMLab",
        never="imagination; camera",
    ),
]

EXAMPLES["environment or game"] = [
    text(
        "Craft and explore",
        "The agent finds diamonds in Minecraft and achieves 40% of the goals of Crafter.",
        benchmark="Minecraft; Crafter",
        never="diamonds; goals",
    ),
    text(
        "Dungeons for language agents",
        "We test language agents in NetHack, BabyAI and ALFWorld.",
        benchmark="NetHack; BabyAI; ALFWorld",
        never="language agents",
    ),
    text(
        "Full-length battles",
        "Our agent defeats experts in StarCraft II and Dota 2.",
        benchmark="StarCraft II; Dota 2",
        never="experts",
    ),
    text(
        "Hard exploration at last",
        "The method reaches the second level of Montezuma's Revenge and Pitfall in the Arcade Learning Environment.",
        benchmark="Montezuma's Revenge; Arcade Learning Environment",
        never="second level",
    ),
    text(
        "Legs and arms",
        "Experiments in HalfCheetah, Hopper, Walker2d and Ant confirm that the policy is robust.",
        benchmark="HalfCheetah; Hopper; Walker2d; Ant",
        never="policy",
    ),
    text(
        "Bluffing machines",
        "We train counterfactual regret minimization for heads-up no-limit Texas hold'em and Leduc poker.",
        method="counterfactual regret minimization",
        benchmark="Leduc poker",
    ),
    text(
        "Driving by words",
        "We evaluate the planner in CARLA and on the nuPlan benchmark.",
        benchmark="CARLA; nuPlan",
        never="planner; words",
    ),
    text(
        "Homes for robots",
        "Agents are trained in Habitat and AI2-THOR and tested on ObjectNav.",
        benchmark="Habitat; AI2-THOR",
        never="Homes",
    ),
    text(
        "Gridworld lessons",
        "We use MiniGrid and Procgen to study how agents generalise to new mazes.",
        benchmark="MiniGrid; Procgen",
        never="mazes; Gridworld lessons",
    ),
    text(
        "Control from pixels",
        "We solve CartPole, Pendulum and Acrobot with a single set of parameters.",
        benchmark="CartPole; Pendulum; Acrobot",
        never="parameters; pixels",
    ),
    text(
        "Tabletop skills",
        "Policies trained in ManiSkill2 and robosuite transfer to a Franka arm.",
        benchmark="ManiSkill2; robosuite",
        never="Franka; Franka arm",
    ),
]

EXAMPLES["classic dataset"] = [
    text(
        "Wide and shallow",
        "We train a residual network (ResNet) on CIFAR-10, SVHN and ImageNet.",
        method="residual network = ResNet",
        data="CIFAR-10; SVHN; ImageNet",
    ),
    text(
        "Digits again",
        "On MNIST and Fashion-MNIST a linear model with random features is enough.",
        data="MNIST; Fashion-MNIST",
        never="linear model; Digits",
    ),
    text(
        "Questions about pictures",
        "We pretrain on Conceptual Captions and fine-tune on VQAv2 and Flickr30k.",
        dataset="Conceptual Captions",
        data="VQAv2; Flickr30k",
    ),
    text(
        "Pretraining on the clean web",
        "A 1B model is trained on C4, The Pile and RefinedWeb for one epoch.",
        dataset="C4; The Pile; RefinedWeb",
        never="one epoch; 1B model",
    ),
    text(
        "Preference data under the lens",
        "We train reward models on UltraFeedback and HH-RLHF, and score them on RewardBench.",
        dataset="UltraFeedback; HH-RLHF",
        benchmark="RewardBench",
        never="reward models",
    ),
    text(
        "Scenes and parts",
        "Segmentation improves on ADE20K, Cityscapes and PASCAL VOC 2012 in mean IoU.",
        data="ADE20K; Cityscapes; PASCAL VOC 2012",
        never="mean IoU; IoU; Segmentation",
    ),
    text(
        "Language modelling with less",
        "Perplexity on WikiText-103 and Penn Treebank drops by two points.",
        data="WikiText-103; Penn Treebank",
        never="Perplexity; two points",
    ),
    text(
        "Robot data pooled",
        "We co-train on Open X-Embodiment, BridgeData V2 and DROID.",
        dataset="Open X-Embodiment; BridgeData V2; DROID",
    ),
    text(
        "What to watch next",
        "On MovieLens-20M and the Netflix Prize data our ranker gains 3% in NDCG@10.",
        data="MovieLens-20M",
        never="NDCG@10; NDCG; ranker",
    ),
    text(
        "Faces in the wild",
        "Verification on LFW improves when the network is trained on MS-Celeb-1M with ArcFace.",
        data="LFW; MS-Celeb-1M",
        method="ArcFace",
        never="Verification",
    ),
    text(
        "Molecules and their moods",
        "We predict energies on QM9 with SchNet and DimeNet.",
        data="QM9",
        method="SchNet; DimeNet",
        never="energies; moods",
    ),
]

EXAMPLES["library or framework"] = [
    text(
        "ReefRL: A Library for Multi-Agent Learning",
        "ReefRL is an open-source library for multi-agent reinforcement learning, written in JAX.",
        method="ReefRL",
    ),
    text(
        "Reproducible baselines",
        "We reimplement A2C, PPO and DDPG in Stable-Baselines3 and find large gaps.",
        method="A2C; PPO; DDPG; Stable-Baselines3",
        never="gaps",
    ),
    text(
        "Training on many machines",
        "Our trainer combines DeepSpeed with FlashAttention and reaches half of the peak of an A100.",
        method="DeepSpeed; FlashAttention",
        never="A100; peak",
    ),
    text(
        "Serving at scale",
        "TallyServe is a serving system built on vLLM with PagedAttention.",
        method="TallyServe; vLLM; PagedAttention",
    ),
    text(
        "Agents with tools",
        "With AutoGen and LangChain we wire five agents that review code.",
        method="AutoGen; LangChain",
        never="code; five agents",
    ),
]

EXAMPLES["title in capitals"] = [
    text(
        "DEEP REINFORCEMENT LEARNING FOR PORTFOLIO SELECTION",
        "We apply DDPG to portfolio selection and report the Sharpe ratio.",
        method="DDPG",
        never="PORTFOLIO SELECTION; Sharpe ratio; DEEP; FOR; PORTFOLIO",
    ),
    text(
        "LEARNING TO SEE BEFORE LEARNING TO ACT",
        "We pretrain a visual encoder and then train PPO on top of it.",
        method="PPO",
        never="SEE; LEARNING TO SEE; ACT; LEARNING; BEFORE",
    ),
    text(
        "GRAPH NEURAL NETWORKS: A SURVEY OF RECENT TRENDS",
        "We survey graph neural networks and their uses in chemistry.",
        method="graph neural networks",
        never="SURVEY; TRENDS; A SURVEY; RECENT TRENDS",
    ),
    text(
        "BRIDGENET: CONNECTING SPEECH AND TEXT",
        "BRIDGENET maps speech and text to one space and improves on Whisper.",
        system="BRIDGENET",
        model="Whisper",
        never="SPEECH; TEXT; CONNECTING",
    ),
    text(
        "ON THE STABILITY OF ACTOR-CRITIC METHODS",
        "We analyse when actor-critic methods diverge and give a simple remedy.",
        never="STABILITY; ON THE STABILITY; METHODS",
    ),
]

EXAMPLES["title case without a name"] = [
    text(
        "Learning Robust Policies From Noisy Human Preferences",
        "Human labels are noisy. We give conditions under which noise does no harm.",
        never="Learning Robust Policies; Robust Policies; Noisy Human Preferences; Human Preferences; Human",
    ),
    text(
        "Toward Safe Exploration in Continuous Spaces",
        "Safety matters when robots learn. We bound the number of unsafe steps.",
        never="Safe Exploration; Toward Safe Exploration; Continuous Spaces; Safety",
    ),
    text(
        "Understanding the Role of Data in Visual Question Answering",
        "Shortcuts in data explain most answers. We remove them one by one.",
        never="Visual Question Answering; Shortcuts; Understanding; Role of Data",
    ),
    text(
        "A Simple Approach to Long Documents",
        "Long documents are split into pieces, and the pieces are read in order.",
        never="A Simple Approach; Simple Approach; Long Documents",
    ),
    text(
        "The Geometry of Forgetting in Large Language Models",
        "We explain forgetting by the curvature of the loss.",
        never="Large Language Models; Geometry of Forgetting; The Geometry; Geometry; Forgetting",
    ),
    text(
        "Can Agents Negotiate? Evidence from Markets",
        "Agents trade with each other in a market of ten goods.",
        never="Can Agents Negotiate; Markets; Evidence from Markets; Agents; Evidence",
    ),
    text(
        "Regret Bounds for Online Matching with Departures",
        "We show that greedy matching is within a constant of the optimum.",
        never="Regret Bounds; Online Matching; Departures; Online Matching with Departures",
    ),
]

EXAMPLES["no name at all"] = [
    text(
        "Which metric to trust",
        "We compare BLEU, ROUGE-L and pass@1 with human ratings of summaries. Neither BLEU nor accuracy "
        "agrees with people.",
        never="BLEU; ROUGE-L; pass@1; accuracy; human ratings",
    ),
    text(
        "Metrics for detection",
        "Average precision hides errors of localisation, and F1 hides errors of calibration such as ECE.",
        never="Average precision; F1; ECE; localisation",
    ),
    text(
        "What large language models cannot do",
        "Large language models (LLMs) fail at simple counting. We ask why LLMs fail and whether VLMs fail too.",
        never="Large language models; LLMs; VLMs; counting",
    ),
    text(
        "Planning under uncertainty",
        "We study partially observable Markov decision processes (POMDPs) and bound the value of information.",
        never="POMDPs; value of information; partially observable Markov decision processes",
    ),
    text(
        "Who owns the weights?",
        "OpenAI, Google DeepMind and Anthropic publish less than Stanford University and the University of Tokyo.",
        never="OpenAI; Google DeepMind; Anthropic; Stanford University; University of Tokyo; Stanford; "
        "Google; DeepMind",
    ),
    text(
        "The price of training",
        "Training took 96 hours on eight NVIDIA A100 GPUs and cost as much as a TPU v4 pod for a day.",
        never="NVIDIA A100; A100; NVIDIA; TPU v4; GPUs; TPU; A100 GPUs",
    ),
    text(
        "Ten years of peer review",
        "We read reviews of NeurIPS, ICML and ICLR submissions, and find that scores predict little.",
        never="NeurIPS; ICML; ICLR; scores",
    ),
    text(
        "Where the code lives",
        "Code and data are at https://github.com/quillfeather/NestAgent and https://nestagent.example.org/Demo.",
        never="https; NestAgent; github.com; quillfeather; Demo; github",
    ),
    text(
        "Prior art",
        "Earlier bounds (Marlowe et al., 2019; Okafor and Lindqvist, 2021) assume bounded noise, as "
        "Ivanov et al. noted.",
        never="Marlowe; Marlowe et al.; Okafor; Lindqvist; Ivanov; Ivanov et al; Okafor and Lindqvist",
    ),
    text(
        "Two branches are better",
        "We propose a dual-stage reward framework and a two-branch decoder with an adaptive gating module.",
        never="dual-stage reward framework; two-branch decoder; adaptive gating module; dual-stage; decoder",
    ),
    text(
        "Roles in training",
        "The reward model scores, the critic predicts the value function, and the policy acts.",
        never="reward model; critic; value function; policy",
    ),
    text(
        "Tasks of language",
        "Machine translation, named entity recognition and sentiment analysis are harder in dialects.",
        never="Machine translation; named entity recognition; sentiment analysis; dialects",
    ),
    text(
        "Tasks of vision",
        "Object detection, semantic segmentation and depth estimation suffer in rain.",
        never="Object detection; semantic segmentation; depth estimation; rain",
    ),
    text(
        "Robots we used",
        "The policy runs on a Boston Dynamics Spot, a Franka Emika Panda and a UR5e with a RealSense camera.",
        never="Boston Dynamics Spot; Boston Dynamics; UR5e; RealSense; Spot; Franka Emika Panda",
    ),
    text(
        "Languages of programs",
        "Students wrote more bugs in Java and C++ than in Python.",
        never="Java; C++; Python; Students",
    ),
    text(
        "Sharing fairly",
        "The data are shared under CC BY 4.0, and the code under the Apache 2.0 licence.",
        never="CC BY 4.0; Apache 2.0; CC BY; Apache",
    ),
    text(
        "Agents of the future",
        "Foundation models and multimodal large language models (MLLMs) will change how scientists work.",
        never="Foundation models; MLLMs; multimodal large language models; scientists",
    ),
    text(
        "A corpus without a name",
        "We collect a dataset of 136 tasks and three benchmarks of math problems.",
        never="a dataset of 136 tasks; 136 tasks; three benchmarks; math problems; dataset",
    ),
    text(
        "On the sample complexity of learning",
        "We prove a lower bound for PAC learning with membership queries; Theorem 2 shows that it is tight.",
        never="Theorem 2; lower bound; Theorem; membership queries; sample complexity",
    ),
    text(
        "Voices of the city",
        "Residents of New York, Nairobi and São Paulo recorded street sounds in March 2021.",
        never="New York; Nairobi; São Paulo; March 2021; March",
    ),
]

EXAMPLES["another language"] = [
    text(
        "Bestärkendes Lernen für Heizungen",
        "Wir untersuchen, wie sich Regler für Heizungen aus Daten lernen lassen. Die Ergebnisse zeigen, "
        "dass ein einfacher "
        "Regler genügt und Energie spart.",
        never="Bestärkendes Lernen; Regler; Heizungen; Die Ergebnisse; Ergebnisse; Energie; Wir; Daten; Die",
    ),
    text(
        "Übersetzen mit wenig Daten",
        "Wir vergleichen BERT und mT5 auf einem neuen Korpus. Das Modell lernt schneller, wenn Beispiele "
        "sortiert sind.",
        model="BERT; mT5",
        never="Das Modell; Modell; Beispiele; Korpus; Das; Wir; Daten",
    ),
    text(
        "基于强化学习的交通信号控制",
        "本文研究城市路口的信号控制问题。实验表明，该方法能够减少等待时间。",
        never="本文研究城市路口的信号控制问题; 实验表明; 该方法能够减少等待时间",
    ),
    text(
        "小样本文本分类",
        "我们在 BERT 和 RoBERTa 上做了实验，结果表明提示很重要。",
        model="BERT; RoBERTa",
        never="我们在; 结果表明提示很重要",
    ),
    text(
        "Apprentissage de politiques robustes",
        "Nous étudions la robustesse des politiques apprises. Les Résultats montrent que le bruit aide, "
        "et que PPO suffit.",
        method="PPO",
        never="Les Résultats; Résultats; Nous; Apprentissage de politiques robustes; Apprentissage; Les; politiques",
    ),
    text(
        "強化学習による制御",
        "本研究では、ロボットの歩行を学習する手法を提案する。",
        never="本研究では; 強化学習による制御; ロボットの歩行を学習する手法を提案する",
    ),
    text(
        "Обучение с подкреплением для роботов",
        "Мы исследуем управление роботами. Показано, что метод DQN устойчив к шуму.",
        method="DQN",
        never="Мы; Показано; Обучение; Мы исследуем",
    ),
    text(
        "Detección de errores en textos",
        "Presentamos un estudio sobre errores. Los Resultados muestran que BERT mejora con pocos ejemplos.",
        model="BERT",
        never="Los Resultados; Presentamos; Resultados; Los; Detección de errores en textos",
    ),
]

EXAMPLES["torn or empty text"] = [
    text("", ""),
    text("", "."),
    text(" ", "\n\n\t "),
    text("Erratum", "", never="Erratum"),
    text(
        "Withdrawn",
        "This paper has been withdrawn by the authors.",
        never="Withdrawn; This; authors",
    ),
    text("?!", "(…) – — [ ] { } $ $ \\ % & # @"),
    text(
        "Q&amp;A with fewer labels",
        "Our &lt;b&gt;QuizMaker&lt;/b&gt; writes questions &amp; answers; it beats T5-11B on SQuAD.",
        model="T5-11B",
        data="SQuAD",
        never="amp; lt; b&gt; gt; &amp",
    ),
    text(
        "Sentences that touch",
        "We study PPO.We find that TRPO is better.On MuJoCo,both fail.",
        method="PPO; TRPO",
        benchmark="MuJoCo",
        never="PPO.We; better.On",
    ),
    text(
        "Lists of citations",
        "Many agents [1, 2, 3] use DQN [4], A3C [5,6] or Rainbow (Hessel et al., 2018), and few use ACER [7-9].",
        method="DQN; A3C; Rainbow; ACER",
        never="Hessel; Hessel et al.; 2018; A3C [5,6]",
    ),
    text(
        "Bullets",
        "Contributions: (1) we train BERT; (2) we test it on GLUE; (3) we release code.",
        model="BERT",
        benchmark="GLUE",
        never="Contributions; (1); 1",
    ),
    text(
        "Lines\nbroken",
        "We train the\nDecision Transformer on\nD4RL and on the Arcade\nLearning Environment.",
        method="Decision Transformer",
        benchmark="D4RL; Arcade\nLearning Environment",
    ),
    text(
        "Shouting",
        "WE TRAIN PPO AND SAC ON MUJOCO AND REPORT RETURNS.",
        method="PPO; SAC",
        never="WE TRAIN; REPORT RETURNS; WE; AND; RETURNS",
    ),
]

EXAMPLES["technique in passing"] = [
    text(
        "Searching for better answers",
        "At test time we use beam search, majority voting and best-of-N sampling.",
        method="beam search; majority voting; best-of-N sampling",
        never="test time",
    ),
    text(
        "Small vision models",
        "We train a small network by knowledge distillation and contrastive learning.",
        method="knowledge distillation; contrastive learning",
        never="small network",
    ),
    text(
        "Prompts that think",
        "Chain-of-thought prompting helps; self-consistency helps more; tree of thoughts helps most.",
        method="self-consistency; tree of thoughts",
    ),
    text(
        "Posterior sampling at speed",
        "We sample posteriors with Hamiltonian Monte Carlo and compare with variational inference.",
        method="Hamiltonian Monte Carlo; variational inference",
        never="posteriors",
    ),
    text(
        "Boosted recommendations",
        "Gradient boosting, random forests and collaborative filtering are strong baselines for ranking.",
        method="random forests; collaborative filtering",
        never="baselines; ranking",
    ),
    text(
        "Rewards from videos",
        "We recover rewards by inverse reinforcement learning and imitate by generative adversarial "
        "imitation learning (GAIL).",
        method="inverse reinforcement learning; generative adversarial imitation learning = GAIL",
        never="videos; rewards",
    ),
    text(
        "Private gradients",
        "We train with stochastic gradient descent (SGD) and federated averaging (FedAvg) under differential privacy.",
        method="stochastic gradient descent = SGD; federated averaging = FedAvg",
    ),
    text(
        "Decisions with few labels",
        "Active learning with a Gaussian process and Bayesian optimization finds good materials.",
        method="Gaussian process; Bayesian optimization",
        never="materials",
    ),
    text(
        "From values to policies",
        "Q-learning, SARSA and policy gradient methods are analysed with one tool.",
        method="Q-learning; SARSA; policy gradient",
        never="one tool",
    ),
    text(
        "Images from words",
        "We guide a latent diffusion model by classifier-free guidance, with ControlNet for poses.",
        method="latent diffusion model; classifier-free guidance",
        system="ControlNet",
        never="poses; words",
    ),
]
#: Examples that the shipped weights fail, as "class-title": to be mended by training, not by exceptions.
NOT_YET = frozenset(
    [
        "introduced by a verb-Search in latent space",
        "model name with version, size or stage-Reading comprehension with hints",
        "hyphenated compound-Masked pretraining for time series",
        "hyphenated compound-Noise in motion out",
    ]
)


def _cases(examples: dict[str, list[Example]]) -> list[Any]:
    return [
        pytest.param(group, example, marks=_marks(group, example), id=f"{group}-{_id(example)}")
        for group, listed in examples.items()
        for example in listed
    ]


def _marks(group: str, example: Example) -> list[pytest.MarkDecorator]:
    if f"{group}-{_id(example)}" not in NOT_YET:
        return []
    return [pytest.mark.xfail(reason="the shipped weights do not see it yet", strict=True)]


def _id(example: Example) -> str:
    return re.sub(r"\W+", " ", example.title).strip()[:40] or "untitled"


def _deviations(example: Example, extraction: Extraction) -> list[str]:
    """Return what the extraction lacks or has in excess, as messages."""
    found = {
        normalise(surface): entity for entity in extraction.entities for surface in entity.surfaces
    }
    faults = []
    for surface, types, same in example.names:
        entity = found.get(normalise(surface))
        if entity is None:
            faults.append(f"not found: {surface}")
        elif entity.type not in types:
            faults.append(f"{surface} is a {entity.type}, not {' or '.join(types)}")
        elif any(found.get(normalise(other), entity) is not entity for other in same):
            faults.append(f"{surface} is not the same as {' = '.join(same)}")
    spelled = {surface for entity in extraction.entities for surface in entity.surfaces}
    return faults + [f"too much: {surface}" for surface in example.never if surface in spelled]


@pytest.fixture(scope="module")
def reader() -> ExtractionPipeline:
    return _shared_reader()


@pytest.mark.parametrize(("group", "example"), _cases(EXAMPLES))
def test_the_entities_of_an_example_are_extracted(
    reader: ExtractionPipeline, group: str, example: Example
) -> None:
    extraction = reader.extract(Paper("p", example.title, example.abstract))
    assert not _deviations(example, extraction), group


def test_at_least_150_examples_hold_and_the_others_are_named_one_by_one() -> None:
    names = [f"{group}-{_id(example)}" for group, listed in EXAMPLES.items() for example in listed]
    assert all(names.count(name) == 1 for name in NOT_YET)
    assert len(names) - len(NOT_YET) >= 150
    assert len(NOT_YET) <= 0.05 * len(names)


#: Fragments that occur in abstracts, and some that should not.
PIECES = (
    *(
        "PPO",
        "GPT-4o",
        "LLaMA-2-70B",
        "Decision Transformer",
        "soft actor-critic (SAC)",
        "MMLU",
        "SE(3)-",
        "AIME 2024 and 2025",
    ),
    *(
        "$\\mathcal{B}$-",
        "\\textbf{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "-",
        "–",
        "--",
        ".",
        ". ",
        ",",
        ", ",
        ": ",
        " ",
        "\n",
        "'s",
        "’s",
    ),
    *(
        "*",
        "+",
        "/",
        "²",
        "²²",
        "İ",
        "ß",
        "ﬁ",
        "e\u0301",
        "强化学习",
        "を",
        "。",
        "🙂",
        "\u200b",
        "\x00",
        "propose ",
        "based",
        "on",
    ),
)
ANY_TEXT = st.text(max_size=300) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def _check_spans(extraction: Extraction) -> None:
    """Every span spells a surface of its entity, in text order and without touching another."""
    text = extraction.paper.text
    for entity in extraction.entities:
        assert list(entity.spans) == sorted(entity.spans)
        assert {text[start:end] for start, end in entity.spans} == set(entity.surfaces)
        assert entity.name.strip()
    spans = sorted(span for entity in extraction.entities for span in entity.spans)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    firsts = [entity.spans[0] for entity in extraction.entities]
    assert firsts == sorted(firsts)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(title=ANY_TEXT, abstract=ANY_TEXT)
def test_any_text_is_read_and_its_spans_slice_back_sorted_and_apart(
    title: str, abstract: str
) -> None:
    _check_spans(_shared_reader().extract(Paper("p", title, abstract)))


@settings(max_examples=50, deadline=None, derandomize=True)
@given(title=ANY_TEXT, abstract=ANY_TEXT)
def test_sentences_lie_in_the_text_one_after_another(title: str, abstract: str) -> None:
    paper = Paper("p", title, abstract)
    sentences = _shared_reader().extract(paper).sentences
    assert all(0 <= start < end <= len(paper.text) for start, end in sentences)
    assert all(before[1] <= after[0] for before, after in pairwise(sentences))


LONG = {
    "prose": "We extend PPO and report results of Qwen2.5-7B on GSM8K, MATH-500 and 40 Atari games. ",
    "one word": "x",
    "Chinese": "强化学习",
    "brackets": "((((",
    "hyphen breaks": "a- b ",
    "LaTeX": "$\\alpha_{1}$ ",
    "definitions": "a b (AB) ",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_a_text_of_100000_characters_is_read_in_bounded_time(
    reader: ExtractionPipeline, piece: str
) -> None:
    paper = Paper("p", "A very long text", piece * (100_000 // len(piece)))
    begun = time.process_time()
    extraction = reader.extract(paper)
    assert time.process_time() - begun < 60
    _check_spans(extraction)


def test_names_at_both_ends_of_a_very_long_text_are_found_where_they_stand(
    reader: ExtractionPipeline,
) -> None:
    filler = "The weather was fine and nothing of note took place. " * 1_900
    paper = Paper(
        "p",
        "A very long text",
        f"We fine-tune GPT-2 on GSM8K. {filler}We compare with PPO and DPO on MMLU.",
    )
    extraction = reader.extract(paper)
    found = {surface: entity.spans for entity in extraction.entities for surface in entity.surfaces}
    for name in ("GPT-2", "GSM8K", "PPO", "DPO", "MMLU"):
        start = paper.text.index(name)
        assert found[name] == ((start, start + len(name)),)


@cache
def _shared_reader() -> ExtractionPipeline:
    return ExtractionPipeline()
