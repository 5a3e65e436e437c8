"""Names other than methods, benchmarks, models and datasets: metrics, venues, makers, hardware, places, tools."""

from __future__ import annotations

from typing import Final

#: Metrics, generic classes, sensors, file formats, venues, organisations, hardware, robots and
#: programming languages. They are written like entities, but are not entities. A definition in the
#: text or a row of the lexicon overrules the list.
NON_ENTITY_NAMES: Final = frozenset(
    """BLEU ROUGE ROUGE-L METEOR CIDEr SPICE NDCG nDCG MRR mAP FID KID LPIPS PSNR SSIM WER CER AUC AUROC AUPRC ROC
    ROC-AUC ECE MSE RMSE MAPE IoU mIoU F1 F1-score PESQ STOI MOS EER chrF NLL MCC SOTA LLM LLMs VLM VLMs MLLM
    MLLMs LMM LMMs AI AGI NLP POMDP POMDPs GPU GPUs TPU TPUs CPU CPUs FPGA FPGAs NVIDIA A100 H100 V100 RTX
    FLOPS FLOPs GFLOPs MACs RGB RGB-D RGBD LiDAR Lidar IMU GPS MRI fMRI EEG ECG HTML XML JSON LaTeX PDF API APIs STEM
    NeurIPS ICML ICLR CVPR ICCV ECCV AAAI IJCAI ACL EMNLP NAACL EACL COLING INTERSPEECH ICASSP KDD SIGIR ICRA
    IROS AISTATS OpenAI DeepMind Google Meta Microsoft Anthropic HuggingFace GitHub arXiv Amazon ByteDance
    Alibaba Tencent Baidu Stanford MIT CMU ANYmal Franka UR5 UR5e Spot Unitree PR2 Baxter Sawyer Python Java C++
    CUDA Rust JavaScript HRI HCI UAV UAVs AUV AUVs USV GNSS RTK DOF DoF DOFs DoFs CAD VR XR IoT EHR EHRs ASR OCR NER NLU
    NLG TTS OOD IID PDE PDEs ODE ODEs USA UK EU MAE MPJPE PA-MPJPE MS-SSIM mAP50 AP50 AP75 GUI GUIs HMI BCI BCIs HMD
    CoM CoG EMG sEMG MEG WiFi Wi-Fi ZigBee Bluetooth MEMS TSP VRP CVRP HyQ HRP-2 HRP-4 HRP5P ASIMO iCub NAO Pepper
    Cassie dVRK YouTube Twitter Facebook Instagram WeChat Weibo Reddit HoloLens Kinect Vicon OptiTrack RealSense
    Velodyne GelSight Hololens Jetson Arduino Oculus Rift""".split()
)
#: More metrics, robots, tools, agencies and countries. Extraction drops them; training keeps them as negative examples.
PLACES_AND_TOOLS: Final = frozenset(
    """mIOU MOTA MOTP IDF1 HOTA NPMI TurtleBot TurtleBot2 PackBot BarrettHand Raspberry Pi RPi Linux Ubuntu Windows
    HTC Vive Crazyflie Pixhawk KUKA iiwa YuMi ABB Kilobot Kilobots Khepera e-puck Roomba Ouster
    Android iOS Cortex-M4 Cortex-M7 ARMv7 ARMv8 OpenMP OpenCL NASA ESA JAXA DARPA NOAA USGS FDA Yahoo Yahoo! Wikipedia CRAN PyPI Zenodo LeCun
    China India Japan Korea Germany France Italy Spain Brazil Canada Australia Nigeria Kenya Uganda Ethiopia
    Bangladesh Pakistan Indonesia Singapore Taiwan Switzerland Russia Ukraine Europe Africa Asia
    America Earth Middle East North South West""".split()
)
#: Short names of research fields: they do not turn a description into a name ("RL algorithm").
RESEARCH_FIELDS: Final = frozenset(
    "RL DRL MARL IL LLM LLMs VLM MLLM AI ML NLP Deep Offline Online".split()
)
#: Nouns of what is not an entity, as patterns in lower case: a text that applies one of these to a
#: name states that it is not an entity.
STATED_KINDS: Final = (
    r"problems?",
    r"settings?",
    r"scenarios?",
    r"assumptions?",
    r"propert(?:y|ies)",
    r"inequalit(?:y|ies)",
    r"bounds?",
    r"criteri(?:on|a)",
    r"distributions?",
    r"equilibri(?:um|a)",
    r"conditions?",
    r"conjectures?",
    r"theorems?",
    r"lemmas?",
    r"hypothes[ie]s",
    r"metrics?",
    r"measures?",
    r"scores?",
    r"dilemmas?",
    r"phenomen(?:on|a)",
    r"regimes?",
    r"norms?",
    r"(?:divergence|distance)s?",
    r"complexity",
)
#: Nouns of methods, as patterns in lower case, which state that a name is one.
STATED_METHODS: Final = (
    r"algorithms?",
    r"methods?",
    r"approach(?:es)?",
    r"techniques?",
    r"frameworks?",
    r"models?",
    r"networks?",
    r"architectures?",
    r"systems?",
    r"estimators?",
    r"optimi[sz]ers?",
    r"solvers?",
    r"samplers?",
    r"data ?sets?",
    r"corpus",
    r"benchmarks?",
)
#: Labels of the parts of a structured abstract, and of remarks, in lower case.
SECTION_LABELS: Final = frozenset(
    """background introduction context motivation objective objectives aim aims purpose goal goals
    hypothesis method methods materials material design setting settings participants measurements
    procedure approach results result findings outcome outcomes conclusion conclusions discussion
    interpretation significance implications limitations contribution contributions summary
    abstract keywords availability implementation note notes warning disclaimer update tl dr tldr
    and""".split()
)
#: Pattern of the words between "metrics" and a member of their list, in lower case.
METRIC_LIST: Final = (
    r"(?:metrics?|measures|scores)(?: \(|: |,? (?:such as|including|namely) )"
    r"(?:[^.;()]{0,60}|(?:[^.;,()]{1,60}(?: \([^()]{1,20}\))?(?:,| and|, and) ){1,3})"
)
