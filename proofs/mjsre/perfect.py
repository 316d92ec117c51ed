r"""Beyond the paper: a dominating queue with the stability region of the queue itself, which Appendix A leaves open.

Batches of m successive jobs: all are delayed to the arrival of the last of them, and batches are served one after another, each
from empty servers.  Batch k is then a customer of a single server queue, its service time the height H of the pile of its
m jobs.  Write D for the vector of absolute times by which the servers are free of the jobs so far, so that a job arriving
at t makes D into ``Phi(D v t U)``, ``Phi(W) = R(S(alpha, W) + sigma L(alpha))``, and E_k for when batch k has left:
``E_k = max(E_{k-1}, t_k) + H_k``, t_k the arrival of its last job.
"""

from __future__ import annotations

import sympy as sp

from asymp.claim import Step
from asymp.papers.mjsre import section4_steps as steps
from asymp.papers.mjsre.piecewise import positive, proved

x, y, h, h1, b, e, t, t1, k1 = sp.symbols("x y h h' b E t t' H", real=True)
alpha_x = sp.Symbol("x_alpha", real=True)
c, sigma = sp.symbols("c sigma", real=True)


# --- proofs --------------------------------------------------------------------------------------


def translated() -> list[Step]:
    """S, adding sigma L and a compare-exchange commute with translations."""
    steps.insertion_sort_is_reordering()
    return [
        proved(
            "S commutes with translations",
            [],
            [(sp.Max(alpha_x + c, x + c), sp.Max(alpha_x, x) + c)],
            r"S(\alpha,W+cU)=S(\alpha,W)+cU",
            equal=True,
        ),
        proved("so does adding sigma L", [], [((x + c) + sigma, (x + sigma) + c)], r"W+cU+\sigma L", equal=True),
        proved(
            "so does a compare-exchange, of which R is composed",
            [],
            [(sp.Min(x + c, y + c), sp.Min(x, y) + c), (sp.Max(x + c, y + c), sp.Max(x, y) + c)],
            r"\mathcal{R}(W+cU)=\mathcal{R}(W)+cU",
            equal=True,
        ),
    ]


def flattened() -> list[Step]:
    """W <= |W| U, then monotonicity and translation, map by map."""
    return [
        Step("|W| is the largest coordinate", r"W\le |W|U"),
        *steps.monotone(),
        *translated(),
        Step("by induction on the jobs", r"\Phi(W)\le\Phi(|W|U+0)=|W|U+\Phi(0)"),
    ]


def subadditive() -> list[Step]:
    """Flattening after the first m jobs."""
    return [
        *flattened(),
        proved("the largest coordinate", [(x, b + h), (h, k1)], [(x, b + k1)], r"|H_{m+n}|\le |H_m|+|H'_n|"),
    ]


def dominated() -> list[Step]:
    """Induction on batches and, inside one, on jobs: D <= b U + (pile so far), b = max(E_{k-1}, t_k)."""
    return [
        *translated(),
        *steps.monotone(),
        proved("before batch k", [(x, e)], [(x, sp.Max(e, t1))], r"D\le E_{k-1}U\implies D\le bU,\ b=E_{k-1}\vee t_k"),
        proved(
            "a job of the batch arrives at t <= t_k",
            [(x, sp.Max(e, t1) + h), (t, t1), (0, h)],
            [(sp.Max(x, t), sp.Max(e, t1) + h)],
            r"D\le bU+H,\ t\le t_k,\ H\ge 0\implies D\vee tU\le bU+H",
        ),
        Step("monotonicity, translation", r"\Phi(D\vee tU)\le\Phi(bU+H)=bU+\Phi(H)"),
        proved("after the batch", [(x, sp.Max(e, t1) + h), (h, k1)], [(x, sp.Max(e, t1) + k1)], r"D\le (b+|H|)U=E_kU"),
        proved("what the next job finds", [(x, e)], [(positive(x - t), positive(e - t))], r"W\le (E_k-t)^+U"),
    ]


def same_region() -> list[Step]:
    """Subadditivity and Fekete's lemma; Loynes' theorem for the batch queue."""
    return [
        *subadditive(),
        Step("doubling", r"E[H_{2m}]/(2m)\le E[H_m]/m", "subadditivity with n = m"),
        Step(
            "Fekete's lemma; the limit is that of Kingman's subadditive ergodic theorem",
            r"\lim E[H_m]/m=\inf_m E[H_m]/m=\gamma=1/\lambda_c",
            "Fekete 1923; mjsre, Theorem 5.1",
        ),
        Step("the GI/G/1 queue of batches is stable", r"E[H_m]<m/\lambda", "Loynes 1962"),
    ]


def kingman() -> list[Step]:
    """The maximal inequality for a nonnegative supermartingale."""
    return [
        proved(
            "each further batch multiplies the mean of exp(theta Z_n) by at most 1",
            [(x, 0)],
            [(y + x, y)],
            r"E[e^{\theta Z_{n+1}}\mid Z_n]=e^{\theta Z_n}E[e^{\theta H_m}]E[e^{-\theta\tau}]^m\le e^{\theta Z_n}",
        ),
        Step(
            "the first batch",
            r"E[e^{\theta Z_1}]=E[e^{\theta H_m}]E[e^{-\theta\tau}]",
            "one interarrival time before job -N",
        ),
        Step("maximal inequality", r"P(\sup_n Z_n>u)\le e^{-\theta u}E[e^{\theta Z_1}]", "Ville 1939; Kingman 1964"),
    ]


def light() -> list[Step]:
    """The mean drift of a stable batch queue is negative, so that its moment function goes below 1."""
    return [
        *dominated(),
        Step(
            "a stable dominating queue exists",
            r"\lambda<\lambda_c\implies\exists m:\ E[H_m]<m/\lambda",
            "perfect-stability-region",
        ),
        Step(
            "its moments are finite",
            r"H_m\le\sigma_1+\dots+\sigma_m\implies E[e^{rH_m}]\le E[e^{r\sigma}]^m<\infty",
            "subadditivity",
        ),
        Step(
            "E exp(theta (H_m - T_m)) is 1 at 0, where its derivative is negative",
            r"E[H_m]-m/\lambda<0\implies\exists\theta>0:\ E[e^{\theta(H_m-T_m)}]\le 1",
        ),
        *kingman(),
    ]
