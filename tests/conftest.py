"""How hard the property-based tests try: quickly by default, for long with HYPOTHESIS_PROFILE=deep."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("fast", deadline=None, suppress_health_check=_CALM)
settings.register_profile("deep", deadline=None, suppress_health_check=_CALM, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
