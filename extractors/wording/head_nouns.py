"""Head nouns: the type that the last word of a name, or the noun next to it, indicates."""

from __future__ import annotations

from typing import Final

#: Head nouns that may follow a name without belonging to it: the *algorithm* of "SGD algorithm".
TRAILING_HEADS: Final = frozenset(
    """algorithm algorithms method methods approach approaches framework frameworks model
    models benchmark benchmarks dataset datasets datum data corpus environment environments
    suite task tasks game games architecture architectures objective objectives loss training
    technique techniques prompting series family simulator library toolkit""".split()
)
#: Nouns that state the type of the name before them, each with that type or another kind.
HEAD_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "method": """algorithm algorithms method methods approach approaches technique
        techniques framework frameworks objective strategy procedure paradigm pipeline optimizer
        system systems architecture architectures agent agents module layer layers mechanism
        loss regularization policy policies planner solver library toolkit training prompting
        learning sampling planning decoding inference""",
        "benchmark": """benchmark benchmarks suite suites environment environments simulator
        simulators leaderboard task tasks game games challenge domain domains test tests testbed
        competition exam problems platform""",
        "model": """model models llm llms checkpoint checkpoints backbone backbones encoder
        series family weights base""",
        "dataset": """dataset datasets data corpus corpora collection annotations images videos""",
        "metric": "metric metrics score scores measure measures index indices",
        "setting": "setting settings problem literature field community researchers issue phenomenon",
    }.items()
    for word in words.split()
}
#: Endings that are common in names of methods, models and benchmarks.
NAME_ENDINGS: Final = frozenset(
    """bench benchmark qa gym net nets gpt former formers rl po world arena eval lm llm vla vl
    coder mark suite env sim craft wiki corpus data set gan vae bert bot agent agents q ac dt
    mdp grad prop flow diff diffusion search learning training tuning optimization gradient
    instruct chat math code r1 zero base large policy prompt prompting""".split()
)
#: Nouns after a known name that do not change its meaning: "GRPO algorithm" is GRPO.
KIND_NOUNS: Final = frozenset(
    """algorithm algorithms method methods approach approaches technique techniques framework
    frameworks model models architecture architectures dataset datasets benchmark benchmarks""".split()
)
#: Further such nouns, after a coined name only: "MCMC sampling" is MCMC.
COINED_KIND_NOUNS: Final = frozenset(
    "inference learning net network networks neural optimization sampling training tuning".split()
)
#: Nouns at the end of the name of a method, a dataset or a benchmark that only state its kind.
METHOD_KINDS: Final = frozenset(
    """algorithm algorithms approach approaches framework frameworks method methods procedure
    procedures scheme schemes technique techniques""".split()
)
DATA_KINDS: Final = frozenset(
    """benchmark benchmarks collection collections corpora corpus database databases dataset
    datasets environment environments simulator suite suites tasks treebank treebanks""".split()
)
#: Further such nouns, after a coined name only: the *network* of "LSTM network".
COINED_METHOD_KINDS: Final = frozenset(
    "architecture architectures network networks optimizer optimizers".split()
)
#: Last words of technique phrases: plain words that may name a method.
TECHNIQUE_HEADS: Final = frozenset(
    """learning tuning finetuning gradient gradients transformer transformers network networks
    models model sampling attention optimization optimisation cloning distillation critic
    inference search descent training feedback loss algorithm algorithms labeling labelling
    method modeling modelling minimization maximization iteration thought consistency
    exploration shaping tree trees shooting flow flows pruning decomposition convolution
    convolutions splatting policy policies adapter adapters averaging hashing mixture sensing
    autoencoder autoencoders mechanism pursuit prediction adaptation coding process processes
    voting matching expansion strategies estimation estimator soup nets control guidance
    selection prompting decoding test tests augmentation debate elimination momentum reflection
    verification perceptron perceptrons entropy functions function motivation regression
    classifier classifiers regularization regularisation normalization normalisation
    factorization factorisation embedding embeddings clustering boosting bagging planning filter
    filters filtering smoothing programming processing retrieval generation quantization
    propagation machine machines forest forests ensemble ensembles backpropagation dropout
    batchnorm relabeling replay bootstrapping bootstrap rollout rollouts pretraining masking
    chunking merging editing steering unlearning parsing tokenization kernels kernel divergence
    bandits relaxation approximation calibration interpolation transport annealing metropolis
    equation equations rule solver theory bound bounds reparameterization simulation imitation
    demonstrations conditioning contrast cropping mixup cutout warping registration tracking
    odometry localization fusion rendering fields field diffusion denoising rl hmm crf lstm gru
    cnn rnn gan vae mlp""".split()
)
#: Last words of plain phrases that describe a method without naming it: "graph proposal method".
METHOD_NOUNS: Final = frozenset(
    "algorithm algorithms method methods approach approaches technique techniques".split()
)
#: Head nouns of phrases that are never entities: "Kite Routing Problem with Obstacles".
PROBLEM_HEADS: Final = frozenset("problem problems metric metrics measure measures".split())
#: Last words of plain phrases and long forms that are not entities: a measure, a device, a problem,
#: a field, a property.
NON_ENTITY_HEADS: Final = PROBLEM_HEADS | frozenset(
    """error errors rate rates score scores index indices ratio ratios accuracy robot robots
    vehicle vehicles sensor sensors actuator actuators manipulator manipulators gripper grippers
    device devices display displays resistor resistors muscle muscles interface interfaces camera
    cameras language languages surgery disease mass arrival tweezers imaging freedom varying tractable""".split()
)
#: Nouns next to the name of a robot.
ROBOT_NOUNS: Final = frozenset(
    """robot robots millirobot millirobots microrobot microrobots humanoid humanoids quadruped quadrupeds hexapod hexapods gripper grippers
    manipulator manipulators exoskeleton exoskeletons rover rovers quadrotor quadrotors""".split()
)
#: Nouns of hardware, which is not an entity ("Kite, a small robot hand").
HARDWARE_NOUNS: Final = ROBOT_NOUNS | frozenset(
    """hand hands arm arms leg legs prosthesis prostheses exosuit exosuits vehicle vehicles drone drones sensor sensors
    actuator actuators camera cameras glove gloves chip chips microcontroller microcontrollers""".split()
)
#: Last words of the names of organisations and places.
ORGANISATION_HEADS: Final = frozenset(
    """agency university institute institution institutes laboratory laboratories ministry
    hospital corporation inc ltd department bureau administration republic province
    ocean""".split()
)
