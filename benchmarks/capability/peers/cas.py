"""Giac, Maxima, FriCAS and PARI/GP: their own commands for series and limits, in one process a problem.

Ways, in the order tried (the first full or wrong answer counts, see :func:`benchmarks.capability.peers.base.ask`):

- Giac: ``series(f, n=inf, k)`` for k = K+1 and 2K+2, then ``limit``; sums and integrals by ``sum`` and ``integrate``.
- Maxima: ``taylor(f, n, inf, k)`` for both k, the same in x = 1/n, ``taylor`` after ``stirling``, then ``tlimit``,
  ``gruntz`` and ``limit``; sums by ``simplify_sum``, integrals by ``integrate``, roots by ``solve``; all parameters are
  declared positive.
- FriCAS: ``series(f(1/x), x=0)``, then ``limit(f, n=%plusInfinity)``.
- PARI/GP: power series in x = 1/n, then ``asympnum`` of f and of f over its leading behaviour, which is supplied
  (that is how its manual uses it), in steps of 1/n and 1/sqrt(n); numbers only, so no parameters.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence

import sympy as sp

from benchmarks.capability.evaluate import Unreadable, parse
from benchmarks.capability.peers import translate
from benchmarks.capability.peers.decide import decided
from benchmarks.capability.peers.translate import FRICAS, GIAC, MAXIMA, PARI, to_text
from benchmarks.capability.problem import Problem
from benchmarks.capability.score import Answer, Part


def _version(argv: Sequence[str], text: str, pattern: str) -> str | None:
    if not shutil.which(argv[0]):
        return None
    try:
        where = tempfile.gettempdir()  # giac leaves a file where it is started
        out = subprocess.run(argv, input=text, capture_output=True, text=True, timeout=60, errors="replace", cwd=where)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(pattern, out.stdout + out.stderr)
    return found.group(1) if found else "unknown version"


def _orders(problem: Problem) -> tuple[int, int]:
    return problem.order + 1, 2 * problem.order + 2


def _limit_answer(problem: Problem, text: str) -> Answer:
    """A limit as an answer: to a statement, or as a leading term."""
    if problem.ratio:
        return decided(problem, text)
    return Answer((Part(text),))


class Giac:
    """Giac (the kernel of Xcas)."""

    name = "giac"

    def version(self) -> str | None:
        """The installed version."""
        return _version(["giac", "--version"], "", r"(\d+\.\d+\.\d+)")

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """A script on standard input of a shell that runs giac on a file."""
        try:
            script = self.script(problem)
        except Unreadable as error:
            return [], str(error)
        return ["sh", "-c", 'f=$(mktemp) && cat > "$f" && giac "$f"; rm -f "$f"'], script

    def script(self, problem: Problem) -> str:
        """The commands."""
        name, target = problem.limits[0]
        place = "inf" if target == "oo" else target[:-1]
        side = "" if target == "oo" else ",1" if target[-1] == "+" else ",-1"
        expr = translate.resolved(problem.ratio or problem.text, problem.ties) if not problem.unknown else None
        symbols = sorted({s.name for s in (expr.free_symbols if expr is not None else set())} | {name})
        lines = [f"assume({s}>0);" for s in symbols if s == name or s not in ("E", "pi")]
        if problem.unknown:
            left, right = (to_text(parse(side_), GIAC) for side_ in problem.text.split("="))
            lines.append(f"roots_:=solve({left}={right},{problem.unknown});")
            for k in range(4):
                for order in _orders(problem):
                    lines.append(f'if (size(roots_)>{k}) print("@@series",series(roots_[{k}],{name}={place},{order}));')
            return "\n".join(lines) + "\n"
        lines.append(f"f_:={to_text(expr, GIAC)};")
        if not problem.ratio:
            lines += [f'print("@@series",series(f_,{name}={place},{order}));' for order in _orders(problem)]
        lines.append(f'print("@@limit",limit(f_,{name},{place}{side}));')
        return "\n".join(lines) + "\n"

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """A printed line."""
        if not line.startswith("@@"):
            return None
        way, _, said = line[2:].partition(",")
        text, rest = translate.from_giac(said)
        return way, _limit_answer(problem, text) if way == "limit" else Answer((Part(text, rest),))


class Maxima:
    """Maxima."""

    name = "maxima"

    def version(self) -> str | None:
        """The installed version."""
        return _version(["maxima", "--version"], "", r"(\d+\.\d+\.\d+)")

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """A batch on standard input."""
        try:
            script = self.script(problem)
        except Unreadable as error:
            return [], str(error)
        # a question that Maxima asks meets the next line, an assumption; what is asked stays unanswered
        load = '--batch-string="batchload(\\"$d/f.mac\\")$" < /dev/null'
        return ["sh", "-c", f'd=$(mktemp -d) && cat > "$d/f.mac" && maxima --very-quiet {load}; rm -r "$d"'], script

    def script(self, problem: Problem) -> str:
        """The commands."""
        name, target = problem.limits[0]
        place = "inf" if target == "oo" else target[:-1]
        side = "" if target == "oo" else ",plus" if target[-1] == "+" else ",minus"
        head = ["display2d:false$", "linel:100000$", "load(simplify_sum)$", "ratprint:false$"]
        say = 'block([r:errcatch({1})], if r#[] then (print("@@{0}|", string(first(r))), disp("")))$'
        if problem.unknown:
            left, right = (to_text(parse(part), MAXIMA) for part in problem.text.split("="))
            symbols = sorted({s.name for part in problem.text.split("=") for s in parse(part).free_symbols})
            head += [f"assume({s}>0)$" for s in symbols]
            head.append(f"roots_:errcatch(solve({left}={right},{problem.unknown}))$")
            x = problem.unknown
            solved = f"lambda([e],lhs(e)={x} and freeof({x},rhs(e)))"
            head.append(f"roots_:if roots_=[] then [] else sublist(first(roots_),{solved})$")
            for k in range(1, 5):
                for order in _orders(problem):
                    series = f"taylor(rhs(roots_[{k}]),{name},{place},{order})"
                    head.append(f"if length(roots_)>={k} then " + say.format("taylor", series))
            return "\n".join(head) + "\n"
        expr = translate.resolved(problem.ratio or problem.text, problem.ties)
        head += [f"assume({s.name}>0)$" for s in sorted(expr.free_symbols, key=str)]
        body = to_text(expr, MAXIMA)
        head.append(f"f_:{body}$" if not expr.has(sp.Sum) else f"f_:subst(nounify(sum)=simplify_sum,'({body}))$")
        if expr.has(sp.Sum):
            head[-1] = f"f_:errcatch(ev(simplify_sum({body})))$"
            head.append(f"f_:if f_=[] then {body} else first(f_)$")
        if not problem.ratio:
            head += [say.format("taylor", f"taylor(f_,{name},{place},{order})") for order in _orders(problem)]
            if target == "oo":
                head.append("assume(x_>0)$")
                order = _orders(problem)[1]
                head.append(say.format("taylor at 0", f"subst(1/{name},x_,taylor(subst(1/x_,{name},f_),x_,0,{order}))"))
        # stirling would replace the factorial of a fixed parameter too
        if expr.has(sp.gamma, sp.factorial, sp.binomial) and {s.name for s in expr.free_symbols} == {name}:
            head.append("load(stirling)$")
            head.append(f"g_:errcatch(stirling(makegamma(f_),{problem.order}))$")
            for order in _orders(problem) if not problem.ratio else ():
                head.append("if g_#[] then " + say.format("stirling", f"taylor(first(g_),{name},{place},{order})"))
        for way in ("tlimit", "gruntz", "limit") if target == "oo" else ("tlimit", "limit"):
            head.append(say.format(way, f"{way}(f_,{name},{place}{side})"))
        return "\n".join(head) + "\n"

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """A printed line."""
        if not line.startswith("@@"):
            return None
        way, _, said = line[2:].partition("|")
        text = translate.from_maxima(said)
        if not way.startswith(("taylor", "stirling")):
            return way, _limit_answer(problem, text)
        return way, Answer((Part(text.replace("+...", "")),))


class FriCAS:
    """FriCAS."""

    name = "fricas"
    _waiting: str = ""

    def version(self) -> str | None:
        """The installed version."""
        return _version(["fricas", "-nosman"], ")quit\n", r"Version: FriCAS (\S+)")

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """Commands on standard input; the output is joined to a line an answer by awk."""
        try:
            script = self.script(problem)
        except Unreadable as error:
            return [], str(error)
        # Fortran lines go on after "     &"; an answer ends where its type is printed
        join = r"""awk '/^      R[0-9]+=/{sub(/^ *R[0-9]+=/,"");b=$0;next} /^     &/{sub(/^     &/,"");b=b $0;next}""" + \
            r""" /Type:/{if(b!=""){print "@@" b; fflush()} b="";next}'"""  # fmt: skip
        return ["sh", "-c", f"fricas -nosman 2>&1 | {join}"], script

    def script(self, problem: Problem) -> str:
        """The commands."""
        name, target = problem.limits[0]
        head = [")set messages autoload off", ")set output algebra off", ")set output fortran on", ")set fortran ints2floats off"]
        head += [")set fortran optlevel 0", ")set fortran segment off", ")set break resume"]
        head.append(f")set streams calculate {2 * problem.order + 2}")
        if problem.unknown:
            raise Unreadable("no command for the roots of a transcendental equation at infinity")
        expr = translate.resolved(problem.ratio or problem.text, problem.ties)
        if not problem.ratio:
            near, x, _ = translate.at_infinity(expr, name, target, "z")
            head.append(f"s_1 := series({to_text(near, FRICAS)}, {x}=0)".replace("s_1", "sa"))
        place = "%plusInfinity" if target == "oo" else target[:-1]
        side = "" if target == "oo" else ', "right"' if target[-1] == "+" else ', "left"'
        head.append(f"sb := limit({to_text(expr, FRICAS)}, {name}={place}{side})")
        return "\n".join([*head, ")quit"]) + "\n"

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """A joined line."""
        if not line.startswith("@@"):
            return None
        name, target = problem.limits[0]
        text, rest = translate.from_fricas(line[2:])
        if '"failed"' in text:
            return "limit", Answer(why="failed")
        if not rest and not re.search(r"\bz\b", text):
            return "limit", _limit_answer(problem, text)
        back = translate.at_infinity(parse("1"), name, target, "z")[2]
        text, rest = (re.sub(r"\bz\b", f"({back})", t) for t in (text, rest))
        return "series", Answer((Part(text, rest),))


class Pari:
    """PARI/GP."""

    name = "pari"

    def version(self) -> str | None:
        """The installed version."""
        return _version(["gp", "--version-short"], "", r"(\d+\.\d+\.\d+)")

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """A script on standard input."""
        try:
            script = self.script(problem)
        except Unreadable as error:
            return [], str(error)
        return ["gp", "-q", "-f", "--default", "parisizemax=3G"], script

    def script(self, problem: Problem) -> str:
        """The commands."""
        if problem.unknown or problem.ratio:
            raise Unreadable("no command for equations and limits of expressions")
        name, target = problem.limits[0]
        if any(case.at for case in problem.cases) or len(problem.limits) > 1:
            raise Unreadable("numbers only: no parameters")
        expr = translate.resolved(problem.text, problem.ties)
        near, _, _ = translate.at_infinity(expr, name, target, "x")
        lines = []
        catch = 'iferr({0},E,print("@@refused|",E));'
        if not expr.has(sp.Sum, sp.Integral):
            count = 2 * problem.order + 4
            body = to_text(near, PARI)
            lines.append(catch.format(f'x=\'x+O(\'x^{count});print("@@series|",{body});x=\'x'))
        if target == "oo":
            lines.append("default(realprecision,38);")
            f = to_text(expr, PARI)
            terms = problem.cases[0].terms
            tries = (("asympnum", "1", "1"), ("asympnum/leading", terms[0], "1"), ("asympnum/leading", terms[0], "1/2"))
            for way, gauge, alpha in tries:
                g = to_text(parse(gauge), PARI)
                lines.append(catch.format(f'print("@@{way}|{gauge}|{alpha}|",asympnum({name}->({f})/({g}),{alpha}))'))
        return "\n".join(lines) + "\n"

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """A printed line."""
        if not line.startswith("@@"):
            return None
        way, *rest = line[2:].split("|")
        name, target = problem.limits[0]
        if way == "refused":
            return way, Answer(why=rest[0][:100])
        if way == "series":
            text = rest[0].replace("^", "**")
            found = re.search(r"\s*\+?\s*O\(x(?:\*\*(\d+))?\)", text)
            if not found:
                return way, Answer(why=f"no series: {text[:60]}")
            back = translate.at_infinity(parse("1"), name, target, "x")[2]
            main = re.sub(r"\bx\b", f"({back})", text[: found.start()]).replace(" E-", "E-")
            if re.search(r"\d\.\d", main):
                return way, Answer(why=f"numbers, no formula: {main[:50]}")
            return way, Answer((Part(main or "0", f"({back})**{found.group(1) or 1}"),))
        gauge, alpha, said = rest
        coefficients = [c.strip() for c in said.strip(" []").split(",") if c.strip()]
        if len([c for c in coefficients if c != "0"]) < 2:  # the leading term was supplied, so it is no answer
            return way, Answer(why="asympnum finds no rational coefficients")
        kept = coefficients[: problem.order + 1]
        text = " + ".join(f"({gauge})*({c})*{name}^(-({alpha})*{k})" for k, c in enumerate(kept))
        return way, Answer((Part(text),))
