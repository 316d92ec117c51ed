"""The facts that the kernel cites: each is an axiom, with its source as its name and what it says.

>>> CITED["DLMF 5.4.1"]
'Gamma(1) = 1, and Gamma(n + 1) = n!'
"""

CITED: dict[str, str] = {
    "Olver 1974, chapter 3": "stationary phase (theorem 13.1; DLMF 2.3(iv)): int g(t) exp(i N h(t)) dt, h' != 0 between the "
    "ends, by the series of g and h at them; and Laplace's method (theorem 7.1; DLMF 2.3(iii)): the same of exp(-N h(t))",
    "DLMF 2.10.1": "Euler and Maclaurin's formula: a sum by an integral, with derivatives at the ends and Bernoulli's numbers",
    "DLMF 4.2.19": "e^x is the sum of x^k/k!", "DLMF 5.2.2": "psi = Gamma'/Gamma, which is the derivative of log Gamma",
    "DLMF 4.13.1": "W(x) e^(W(x)) = x: Lambert's W",
    "DLMF 4.13.4": "W' = e^(-W)/(1 + W): the principal branch of Lambert's W increases", "DLMF 5.4.6": "Gamma(1/2) = pi^(1/2)",
    "DLMF 4.22.1": "sin(z) = z prod_(n>=1) (1 - z^2/(n^2 pi^2))", "DLMF 4.36.1": "sinh(z) = z prod_(n>=1) (1 + z^2/(n^2 pi^2))",
    "DLMF 5.5.3": "Gamma(z) Gamma(1 - z) = pi/sin(pi z), for z that is not whole",
    "DLMF 5.4.1": "Gamma(1) = 1, and Gamma(n + 1) = n!", "DLMF 7.7.6": "the integral of exp(-a t - b t^2) by erfc",
    "DLMF 5.9.1": "the integral of exp(-b t^q) t^s by Gamma((s + 1)/q), and its derivative by s",
    "DLMF 7.4.2": "erfc(-x) = 2 - erfc(x)",
    "DLMF 5.12.1": "B(a, b) = int_0^1 t^(a-1) (1 - t)^(b-1) dt = Gamma(a) Gamma(b)/Gamma(a + b), and its derivatives in a and b",
    "DLMF 5.12.2": "the integral of sin(t)^(2a-1) cos(t)^(2b-1) over 0 < t < pi/2 is B(a, b)/2",
    "DLMF 5.15.1": "psi'(x) is a sum of squares: psi increases, log Gamma and Gamma are convex for x > 0",
    "DLMF 5.15.9": "the derivatives of psi for large arguments, by those of Stirling's series",
    "DLMF Table 5.4.1": "Gamma(x) for x > 0 is least at 1.46163..., with the value 0.88560...",
    "DLMF 5.17.4": "the logarithm of Barnes's G(z + 1) by the integral of that of Gamma, and so its derivative",
    "DLMF 6.2.9": "Si(x) = int_0^x sin(t)/t dt, by waves whose areas alternate and fall from 1.851...: 0 < Si < 2 for x > 0",
    "DLMF 6.2.11": "Ci(x) = -int_x^oo cos(t)/t dt for x > 0", "DLMF 6.2.15": "Shi(x) = int_0^x sinh(t)/t dt, which increases",
    "DLMF 6.2.16": "Chi(x) = EulerGamma + log(x) + int_0^x (cosh(t) - 1)/t dt, which increases for x > 0",
    "DLMF 7.2.1": "erf' = 2 pi^(-1/2) exp(-x^2), erfc = 1 - erf; erfi' = 2 pi^(-1/2) exp(x^2) by erfi(x) = -i erf(ix)",
    "DLMF 7.2.7": "C(x) = int_0^x cos(pi t^2/2) dt, by waves whose areas alternate and fall from 0.779...: 0 < C < 1 for x > 0",
    "DLMF 7.2.8": "S(x) = int_0^x sin(pi t^2/2) dt, by waves whose areas alternate and fall from 0.713...: 0 < S < 1 for x > 0",
    "DLMF 8.2.2": "Gamma(a, x) = int_x^oo t^(a-1) e^(-t) dt for x > 0; with gamma(a, x), that from 0 to x, it is Gamma(a), a > 0",
    "DLMF 8.7.1": "gamma(b, z) = z^b e^(-z)/b sum_(k>=0) z^k/((b + 1) ... (b + k)) for b > 0, z > 0",
    "DLMF 8.7.3": "Gamma(a, x) = Gamma(a) - sum_(j>=0) (-1)^j x^(a + j)/(j! (a + j)), and at a = 0 its limit and derivative in a",
    "DLMF 8.8.2": "Gamma(a + 1, x) = a Gamma(a, x) + x^a e^(-x), and its derivatives in a",
    "DLMF 8.8.13": "the derivative of Gamma(a, x) by x is -x^(a-1) e^(-x), and that of gamma(a, x) is x^(a-1) e^(-x)",
    "DLMF 8.12.3": "Gamma(a, x)/Gamma(a) by erfc, uniformly in x/a, with the coefficients of 8.12.7 and 8.12.9-12 (Temme 1979)",
    "DLMF 8.17.1": "B_x(a, b) = int_0^x t^(a - 1) (1 - t)^(b - 1) dt: it is not negative, and increases in x",
    "DLMF 7.11.2": "erfc(x) = pi^(-1/2) Gamma(1/2, x^2) for x > 0", "DLMF 9.2.1": "Ai'' = x Ai and Bi'' = x Bi",
    "DLMF 10.6.1": "2 J_nu' = J_(nu-1) - J_(nu+1), and so for Y", "DLMF 25.2.1": "zeta(s) = sum n^(-s) decreases for s > 1",
    "DLMF 10.9.2": "J_n(x) is 1/pi times the integral of cos(n t - x sin(t)) over 0 <= t <= pi, for whole n",
    "DLMF 10.29.1": "2 I_nu' = I_(nu-1) + I_(nu+1), 2 K_nu' = -K_(nu-1) - K_(nu+1)",
    "DLMF 10.32.9": "K_nu(x) = int_0^oo exp(-x cosh t) cosh(nu t) dt: it is positive, and decreases in x",
    "DLMF 10.32.10": "K_nu(z) = (z/2)^nu/2 times the integral of exp(-t - z^2/(4 t)) t^(-nu-1) over t > 0",
    "DLMF 19.2.8": "K(m), E(m) = int_0^(pi/2) (1 - m sin(t)^2)^(-1/2), ^(1/2) dt: K > 0 increases in m, E >= 1 decreases",
    "DLMF 19.4.1": "dK/dm = (E - (1 - m) K)/(2 m (1 - m)) and, by 19.4.2, dE/dm = (E - K)/(2 m), with m = k^2",
    "DLMF 25.2.4": "zeta(s) = 1/(s - 1) + sum of (-1)^n gamma_n (s - 1)^n/n!, with Stieltjes' constants of 25.2.5",
    "DLMF 25.2.9": "zeta(s) by a sum up to N, Bernoulli's numbers and a remainder, analytic in s; its derivatives by s",
    "DLMF 24.8.1": "sum cos(2 pi k x)/k^(2n) and, by 24.8.2, sum sin(2 pi k x)/k^(2n+1), 0 < x < 1, by B_2n(x), B_(2n+1)(x)",
    "DLMF 25.11.4": "zeta(s, a) is zeta(s, a + m) and the sum of (n + a)^(-s), 0 <= n < m; by 25.11.1 that for all n, s > 1",
    "DLMF 25.11.12": "psi^(n)(x) = (-1)^(n+1) n! zeta(n + 1, x) for n >= 1, a sum of (k + x)^(-n-1): it decreases for x > 0",
    "DLMF 25.12.6": "Li_2(x) + Li_2(1 - x) = pi^2/6 - log(x) log(1 - x) for 0 < x < 1, and Li_2(1) = pi^2/6",
    "DLMF 26.7.5": "the sum of k^n/k! over k >= 0 is e times Bell's number of n, for n >= 1 (Dobinski 1877)",
    "DLMF 26.13.4": "of n things n! times the sum of (-1)^k/k!, k <= n, permutations leave none in its place",
    "DLMF 26.8.12": "the sum of S(n, m) z^n/n! over n is (e^z - 1)^m/m!",
    "DLMF 26.8.6": "the n-th difference of x^m at 0 is n! S(m, n)",
    "Andrews 1976, chapter 6": "6.2: Meinardus's theorem on coefficients of products of (1 - z^k)^(-a_k), by the residue and "
    "values at 0 of the sum of a_k k^(-s); 6.4: of parts in a progression; 1.2: as many partitions into distinct as into odd "
    "parts",
    "Hardy and Ramanujan 1918, chapter 1": "(1.61): n has (1/(2 pi 2^(1/2))) d/dn (e^(C lambda)/lambda) + O(e^(D n^(1/2))) "
    "partitions, for C = pi (2/3)^(1/2), lambda = (n - 1/24)^(1/2) and every D > C/2",
    "Latouche and Ramaswami 1999, chapter 7": "a line with bounded steps and finitely many phases, which lead to one another, is "
    "positive recurrent where its mean drift is down, transient where it is up",
    "DLMF 5.4.12": "psi(1) = -EulerGamma, and by 5.4.13 psi(1/2) = -EulerGamma - 2 log 2",
    "DLMF 5.11.8": "log Gamma(z + h) by z, log z and Bernoulli's polynomials B_k(h), as z -> oo",
    "DLMF 5.15.5": "psi^(n)(z + 1) = psi^(n)(z) + (-1)^n n! z^(-n-1); by 5.15.2 and 5.15.3 at 1 and 1/2 by zeta(n + 1)",
    "Weyl 1916, chapter 1": "p(k) is equidistributed modulo 1 for a polynomial p with an irrational coefficient beside the "
    "constant one; pi is irrational (Lambert 1761)",
    "Flajolet and Sedgewick 2009, chapter 6": "VI.2: the coefficients of (1 - z)^(-a) (log(1/(1 - z)))^b by n^(a-1) (log n)^b, "
    "1/Gamma and its derivatives; VI.3, VI.5: what is O of that in a disc indented at its singularities has such coefficients",
    "Flajolet and Sedgewick 2009, chapter 8": "VIII.3: the saddle-point method: Cauchy's integral by what is near the saddle, "
    "where it is Gaussian, if the rest of the circle adds little; expanded to any order (for exponentials of poles Wright 1932)",
    "Flajolet, Gourdon and Dumas 1995, theorem 5": "a harmonic sum of e^(-x) by the residues of Gamma(s) times Dirichlet "
    "series, up to O(x^M), x -> 0+, as these grow like powers on vertical lines and Gamma falls exponentially; zeta(0) = -1/2, "
    "zeta'(0) = -log(2 pi)/2, zeta(-m) = -B_(m+1)/(m+1), zeta'(-2 m) by zeta(2 m + 1) (DLMF 25.4.1, 25.6)",
    "Walfisz 1963, chapter 3": "the sum of sigma(m)/m, m <= x, is pi^2 x/6 - log(x)/2 + O((log x)^(2/3))",
}
"""The facts that are cited beside those of the table of functions; DLMF is NIST's Digital Library of Mathematical Functions."""
