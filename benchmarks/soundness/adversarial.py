"""Statements made by hand to deceive: each is worked out in its comment or by its reason.

``T`` true, ``F`` false, ``N`` asserts nothing (a side is undefined, or the sides vanish).  A statement with a free
parameter asserts it for all positive values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.soundness.statements import Statement

_LINES = """
# oscillation
F | 1 = O(sin(n)) | sin comes arbitrarily near 0 at whole numbers
F | n*sin(n) -> oo | it changes sign
F | n*sin(n) = Omega(n) | sin comes near 0
F | sin(n) = o(1) | it does not tend to 0
F | (2+sin(n))*n ~ 2*n | the quotient oscillates
T | (2+sin(n))*n = Theta(n) | between n and 3n
F | cos(n)^2 = Omega(1) | cos comes near 0
F | (-1)^n*n -> oo | alternating
F | (-n)^n -> oo | alternating
F | (-2)^n*gamma(n) -> oo | alternating
T | (-1)^n = O(1) | bounded
F | (-1)^n = o(1) | modulus 1
F | (-1)^n + 1 = Omega(1) | 0 at odd n
F | n^((-1)^n) -> oo | 1/n at odd n
# floors: n is whole or real, 1/n and n/2 are not
F | floor(n/2) - n/2 = o(1) | -1/2 at odd n
T | floor(n/2) ~ n/2 | off by at most 1
F | floor(n/2) = n/2 + o(1) | off by 1/2 at odd n
F | ceiling(n/2) - floor(n/2) -> 0 | 1 at odd n
F | floor(sqrt(n)) - sqrt(n) -> 0 | just below a square it is near -1
F | n*(sqrt(n) - floor(sqrt(n))) -> oo | 0 at squares
F | sqrt(n) - floor(sqrt(n)) = Omega(1) | 0 at squares
T | n*floor(1/n) = O(1) | 0 from n = 2 on
F | 1/n = O(floor(1/n)) | the right side is 0 from n = 2 on
F | ceiling(1/n) = o(1) | it is 1
F | floor(1 - 1/n) ~ 1 | it is 0
F | floor(log(n)) = log(n) + o(1) | the fractional part stays
F | 2^floor(log(n)/log(2)) ~ n | between n/2 and n
T | 2^floor(log(n)/log(2)) = Theta(n) | between n/2 and n
F | exp(floor(log(n))) ~ n | between n/e and n
# exponentially small differences
F | 1 + exp(-n) = 1 + o(exp(-n)) | exactly exp(-n)
F | log(exp(n) + exp(n/2)) = n + O(exp(-n)) | exp(-n/2)
F | log(exp(n) + 1) = n + o(exp(-n)) | exp(-n) itself
F | sqrt(1+exp(-n)) = 1 + O(exp(-3*n/2)) | exp(-n)/2
F | exp(-n) + n^(-1000) ~ exp(-n) | the power wins
F | exp(-n) + exp(-n+sqrt(n)) = O(exp(-n)) | exp(sqrt(n)) times larger
F | exp(-n)*n^5 = O(exp(-n)) | n^5 times larger
T | exp(-n)*n^5 = o(exp(-n+log(n)^2)) | n^5 < exp(log(n)^2)
F | exp(-log(n)^2) = O(exp(-log(n)^2 - log(log(n)))) | log n times larger
F | exp(n + 1/n) = exp(n) + O(1) | exp(n)/n
F | exp(n + 1/n) = exp(n) + o(exp(n)/n) | exp(n)/n itself
F | exp(n + exp(-n)) = exp(n) + 1 + o(exp(-n)) | exp(-n)/2 is next
F | exp(n + log(log(n))) ~ exp(n) | log n times larger
F | exp(sqrt(n^2+n)) ~ exp(n) | tends to e^(1/2)
T | exp(sqrt(n^2+n)) ~ exp(n+1/2) | -1/8/n is left
F | exp(n*(1+1/log(n))) = O(exp(n)) | exp(n/log n)
F | (n+1)^n ~ n^n | tends to e
F | (n+1)^sqrt(n) = o(n^sqrt(n)) | tends to 1
F | gamma(n+1) ~ gamma(n) | n times larger
# 50th digit
F | harmonic(n) - log(n) -> 0.57721566490153286060651209008240243104215933593993 | Euler's constant from digit 50 on
F | (1+1/n)^n -> 2.71828182845904523536028747135266249775724709369996 | e from digit 50 on
F | n*sqrt(2)/n -> 1.41421356237309504880168872420969807856967187537695 | sqrt 2 from digit 50 on
F | 3.14159265358979323846264338327950288419716939937511*n ~ pi*n | pi from digit 50 on
F | pi*n - 3.14159265358979323846264338327950288419716939937511*n = O(1) | a multiple of n is left
F | log(2)*n = 0.69314718055994530941723212145817656807550013436026*n + o(n) | log 2 from digit 50 on
F | n^(pi) = O(n^3.14159265358979323846264338327950288419716939937510) | the exponent is larger
F | n^(3.14159265358979323846264338327950288419716939937511) = O(n^pi) | the exponent is larger
F | sqrt(2)+sqrt(3) = 3.14626436994197234232913506571557044551247712918732870 for n >= 1 | from digit 50 on
F | exp(pi*sqrt(163)) = 262537412640768744 for n >= 1 | Ramanujan's constant is 7e-13 less
F | harmonic(n) ~ (1+10^-50)*log(n) | the quotient tends to another number
F | harmonic(n) ~ (1+10^-1000)*log(n) | the quotient tends to another number
F | n + 10^-100*n^2 ~ n | the square wins
F | n + 10^-1000*n*log(n) = O(n) | the logarithm wins
F | n^(1+10^-1000) = O(n) | the exponent is larger
T | n^(1-10^-1000) = o(n) | the exponent is smaller
F | 10^-1000*n = o(n) | a multiple
# cancellation
F | (sqrt(n+1)-sqrt(n))*sqrt(n) -> 0 | 1/2
F | n - n^2/(n+1) ~ n | tends to 1
F | (n+1)^3 - (n-1)^3 - 6*n^2 = o(1) | it is 2
F | n^2*(harmonic(n) - log(n) - EulerGamma - 1/(2*n)) -> 1/12 | -1/12
F | log(gamma(n+1)) - log(gamma(n)) - log(n) = Theta(1) | it is 0
F | n*log(1+1/n) - 1 = o(1/n) | -1/(2n)
F | exp(1/n) - 1 - 1/n - 1/(2*n^2) = O(n^-4) | 1/(6 n^3)
F | (1+1/n)^n*(1-1/n)^n = 1 + o(1/n) | (1-1/n^2)^n = 1 - 1/n
F | sqrt(n^4+n^3) - n^2 - n/2 = o(1) | -1/8
F | gamma(n+1/2)^2/(gamma(n)*gamma(n+1)) = 1 + o(1/n) | -1/(4n)
F | harmonic(2*n) - harmonic(n) - log(2) = O(n^-2) | -1/(4n)
F | harmonic(n^2) - 2*harmonic(n) -> EulerGamma | -EulerGamma
F | E1(1/n) - log(n) -> EulerGamma | -EulerGamma
F | erfc(1/n) - 1 = o(1/n) | -2/sqrt(pi)/n
F | LambertW(n)*exp(LambertW(n)) - n -> 1 | it is 0
# logarithms of logarithms
F | log(n*log(n)) = log(n) + O(1) | log log n
F | log(log(n^2)) = log(log(n)) + o(1) | log 2
F | log(log(n)*log(log(n))) ~ log(log(log(n))) | the first is larger
F | log(n)^(1/log(log(n))) -> 1 | it is e
F | log(n)^(log(log(n))) = O(log(n)^5) | the exponent grows
F | exp(log(log(n))^2) = O(log(n)^10) | the exponent grows
F | exp(sqrt(log(n))) = O(log(n)^1000) | wins in the end
F | log(n)^1000 = Omega(exp(sqrt(log(n)))) | loses in the end
F | n^(1/log(log(n))) = O(log(n)^1000) | wins in the end
T | log(n)^1000 = o(n^(1/1000)) | loses in the end
F | LambertW(n) = log(n) - log(log(n)) + O(1/log(n)) | log log n / log n is left
F | log(LambertW(n)) = log(log(n)) + o(log(log(n))/log(n)) | -log log n/log n
F | log(harmonic(n)) = log(log(n)) + o(1/log(n)) | gamma/log n
# symbolic exponents that meet, coefficients that vanish
F | n^a + n ~ n^a | a <= 1
F | n^a + n ~ n + n^a + n^(2*a-1) | a = 1: 2n against 3n
F | n^a - n = Theta(n^a + n) | 0 at a = 1
F | n^a - n = Omega(1) | 0 at a = 1
F | (a-1)*n + 1 -> oo | a <= 1
F | n = O((a-1)*n) | 0 at a = 1
F | (a-1)*n = Omega(n) | 0 at a = 1
F | (a-1)*n + log(n) ~ (a-1)*n | a = 1
F | (a-1)^2*n + 1 = Theta(n) | a = 1
F | (a^2-2)*n + 1 = Theta(n) | a = sqrt(2)
F | (a-b)*n + 1 = Theta(n) | a = b
F | a^n = O(1) | a > 1
F | 1/((a-1)*n + 1) = o(1) | 1 at a = 1
F | n^a = o(n^b) | a >= b
F | log(a)*n = Theta(n) | a = 1
F | (1-exp(1-a))*n = Theta(n) | a = 1
F | harmonic(n)*(a^2-5*a+6) = Omega(log(n)) | a = 2, 3
F | uppergamma(n,a*n) = o(gamma(n)) | a < 1
F | n^(a^2-a) -> oo | a <= 1
F | exp((a-1)*n) -> oo | a <= 1
F | gamma(n+a) ~ gamma(n)*n^a*(1+a*n^(a-3)) | a >= 3
# statements about 0
T | 0 ~ 0 | f = (1 + o(1)) g
T | n - n ~ 0 | f = (1 + o(1)) g
F | n ~ 0 | a quotient by 0
F | 1/n ~ 0 | a quotient by 0
F | 1/n = O(0) | not 0
F | exp(-n) = O(0) | not 0
F | 0 = Omega(1) | 0 is not bounded below
F | 0 ~ 1/n | 0
F | n - n = Theta(1) | 0
F | 0*n = omega(1/n) | 0
T | n - n = O(1/n^5) | 0
T | (n+1)^2 - n^2 - 2*n - 1 = o(exp(-n)) | 0
# divergent and empty
N | Sum(1/k,(k,1,oo)) = O(1) | diverges
N | Integral(1/t,(t,1,oo)) = O(1) | diverges
N | Integral(1/t,(t,0,1)) = O(n) | diverges
N | Integral(exp(t),(t,0,oo)) = O(exp(n)) | diverges
N | Integral(1/t^2,(t,-1,1)) ~ -2 | diverges
N | Integral(1/(t-1/2),(t,0,n)) = O(log(n)) | diverges at 1/2
N | Sum(2^k,(k,0,oo)) -> -1 | diverges
F | Sum(k,(k,1,0)) ~ n | empty
F | Sum(1/k,(k,2,1)) = Omega(1) | empty
N | Sum(1/(k-5),(k,1,9)) = O(log(n)) | a pole at k = 5
N | Sum(1/(k-5),(k,1,9))*n ~ n | a pole at k = 5
F | Sum(1/k,(k,n,2*n)) -> 1 | log 2
F | Sum(1/k,(k,1,n)) -> 30 | log n
F | Sum(1/(k*log(k)),(k,2,n)) = O(1) | log log n
F | Sum(1/(k*log(k)),(k,2,n)) -> 4 | log log n
F | Sum((-1)^k,(k,1,n)) = o(1) | -1 at odd n
F | Sum((-1)^k*k,(k,1,n)) ~ n/2 | alternates
F | Sum(binomial(n,k),(k,0,n)) = o(2^n) | 2^n
F | Sum(k^(-a),(k,1,n)) = O(1) | a <= 1
F | Sum(k^(-1),(k,1,n)) = log(n) + o(1) | gamma
F | Integral(exp(-n*t),(t,0,1)) ~ 2/n | 1/n
F | Integral(exp(-n*t^2),(t,-1,1)) ~ sqrt(pi/n)/2 | sqrt(pi/n)
F | Integral(exp(-n*(t-1/2)^2),(t,0,1)) ~ sqrt(pi/n)/2 | an interior maximum counts whole
F | Integral(exp(-n*t*(1-t)),(t,0,1)) ~ 1/n | two maxima at the ends: 2/n
F | Integral(exp(-n*(t^2-1)^2),(t,-2,2)) ~ sqrt(pi/n)/2 | two maxima: sqrt(pi/n)
F | Integral(exp(n*cos(t)),(t,0,7)) ~ exp(n)*sqrt(2*pi/n)/2 | maxima at 0 and 2 pi: three halves
F | Integral(exp(-n*t)*sin(t),(t,0,oo)) ~ 1/n | 1/n^2
F | Integral(exp(-n*t)/sqrt(t),(t,0,oo)) ~ sqrt(pi)/n | sqrt(pi/n)
F | Integral(1/(1+t),(t,0,n)) = log(n) + o(1/n) | 1/n is left
F | Integral(1/log(t),(t,2,n)) = n/log(n) + O(n/log(n)^3) | n/log(n)^2
# functions at poles and on cuts
N | gamma(-n) = O(1) | poles at whole numbers
N | gamma(1-n) = o(1) | poles at whole numbers
N | harmonic(-n) ~ log(n) | poles at whole numbers
N | log(-n) ~ log(n) | not real
N | sqrt(-n) = O(sqrt(n)) | not real
N | LambertW(-n) ~ log(n) | not real
F | tan(pi*n/2) = O(1) | unbounded as a real n nears an odd number
F | binomial(n, n/2) ~ 2^n | sqrt(2/(pi n)) smaller
F | binomial(n, 2*n) ~ 1 | it is 0
F | binomial(1/2, n) = Omega(n^-1) | of order n^(-3/2)
F | erfc(-n) ~ 1 | it tends to 2
F | erf(n) = 1 + o(exp(-n^2)/n) | -exp(-n^2)/(n sqrt(pi))
F | E1(n) = O(exp(-n)/n^2) | exp(-n)/n
F | zeta(1+1/n) = n + o(1) | gamma
# other limits
F | x*log(x) -> 1 @ x->0+ | 0
F | x^x -> 0 @ x->0+ | 1
F | exp(-1/x) = Omega(x^1000) @ x->0+ | smaller than every power
F | 1/(1-x) ~ 1/log(x) @ x->1- | minus 1/log(x)
F | 1/(1-x) = -1/log(x) + o(1) @ x->1- | 1/2
F | exp(x) -> 0 @ x->oo | infinite
T | exp(x) -> 0 @ x->-oo | 0
F | exp(x) = Omega(1/x^2) @ x->-oo | smaller than every power
F | sqrt(x^2) ~ x @ x->-oo | -x
F | sqrt(x^2+x) = x + O(1) @ x->-oo | -x - 1/2
F | sqrt(x^2+x) + x -> 1/2 @ x->-oo | -1/2
F | 1/x -> oo @ x->0- | -oo
F | exp(1/x) -> oo @ x->0- | 0
# two variables
F | n/m -> 0 @ n->oo, m->oo | m = n
F | n = O(m) @ n->oo, m->oo | m = log n
F | n + m ~ n @ n->oo, m->oo | m = n
F | n*m = O(n^2) @ n->oo, m->oo | m = n^2
F | log(n+m) ~ log(n) @ n->oo, m->oo | m = n^2
F | harmonic(n*m) = log(n) + O(1) @ n->oo, m->oo | log m
F | exp(-n)*m = o(1) @ n->oo, m->oo | m = exp(2n)
F | (1-1/n)^m -> 0 @ n->oo, m->oo | m = n^(1/2)
F | (1-1/n)^m -> 1 @ n->oo, m->oo | m = n
T | 1/(n+m) = o(1/log(n)) @ n->oo, m->oo | 1/n
T | log(n) + log(m) = o(n + m) @ n->oo, m->oo | each in its variable
F | log(n)*log(m) = o(n) @ n->oo, m->oo | m = exp(n)
F | 1/n + 1/m = O(1/n) @ n->oo, m->oo | m = log n
F | 1/n + 1/m = O(1/(n+m)) @ n->oo, m->oo | m = n^2
F | n^(1/m) -> 1 @ n->oo, m->oo | m = log n
F | p*n = o(1) @ n->oo, p->0+ | p = 1/log n
F | (1-p)^n -> 0 @ n->oo, p->0+ | p = 1/n^2
F | exp(-p*n) = O(1/n) @ n->oo, p->0+ | p = 1/n
F | log(1/p)*p*n = Theta(1) @ n->oo, p=1/n | log n
F | (1-p)^n ~ exp(-p*n) @ n->oo, p=n^(-1/2) | exp(-1/2)
F | (1-p)^n ~ exp(-p*n) @ n->oo, p->0+ | p = n^(-1/2)
F | uppergamma(n,n+c*sqrt(n))/gamma(n) -> 1/2 | c > 0
# identities and bounds that look right
F | floor(x) + floor(-x) = -1 for x >= 1 @ - | 0 at whole x
F | sqrt(x^2+2*x+1) = x + 1 + 10^-80 for x >= 1 @ - | off by 10^-80
F | 2^(n^2) = 4^n for n >= 1 @ - | n = 1
F | (2^n)^n = 2^n*2^n for n >= 1 @ - | n = 1
F | n^2 = n for n >= 1 @ - | n = 2
F | Sum(k,(k,1,n)) = n^2/2 for n >= 1 @ - | n = 1
F | Sum(x^k,(k,0,n)) = (1-x^n)/(1-x) for n >= 1, x >= 2 @ - | the exponent is n + 1
F | Sum(1/k,(k,1,n)) = log(n) + EulerGamma + 1/(2*n) for n >= 1 @ - | n = 1
F | exp(n) > n^100 for n >= 1 @ - | n = 2
F | n^(1/n) <= 1.44 for n >= 1 @ - | n = 3 gives 1.4422
F | x^x >= 0.6923 for x > 0 @ - | the least value is 0.69220
F | x*log(x) >= -0.36787 for x > 0 @ - | -1/e = -0.367879
F | x - log(x) > 1 for x > 0 @ - | 1 at x = 1
F | cos(n) <= 0.9999999 for n >= 1 @ - | n = 710 gives 1 - 2e-9
F | sin(n) >= -0.9999 for n >= 1 @ - | n = 11 gives -0.99999
"""


def statements() -> Iterator[Statement]:
    """The list, read."""
    truth = {"T": True, "F": False, "N": None}
    for line in _LINES.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        mark, text, why = (part.strip() for part in line.split(" | "))
        text, _, to = text.partition(" @ ")
        where = None if to.strip() == "-" else to.strip() or "n->oo"
        free = [name for name in "abc" if where and re.search(rf"\b{name}\b", text) and not re.search(rf"\b{name}\b", where)]
        yield Statement(text.strip(), where, tuple(f"{name} > 0" for name in free), truth[mark], "adversarial", why)
