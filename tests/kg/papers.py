"""Two papers as records of JSON Lines."""

from __future__ import annotations

GRPO = {
    "id": "g1",
    "title": "Kite Policy Search: PPO without a Critic",
    "abstract": "We propose Kite Policy Search (KPS), which extends PPO. KPS outperforms DPO on GSM8K and AIME 2024.",
    "date": "2024",
}
USER = {
    "id": "u1",
    "title": "Small Models Fly",
    "abstract": "We fine-tune Qwen2.5-7B with Kite Policy Search (KPS) and evaluate on D4RL. It was easy — and fun.",
    "date": "2025",
}
