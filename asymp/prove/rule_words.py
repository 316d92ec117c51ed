"""What a derivation says of a step by each rule, where it says no more than that and the statement.

Formulas stand between dollars; what stands in braces is filled in from the rule's data.
"""

ROUTINE = frozenset(
    ("algebra", "sums", "written out", "telescope", "partial sum", "known sum", "replace", "rewrite", "tied", "instance")
)
"""Rules of algebra: what rests on these alone is folded away."""

ROLES = {
    "induction": ("Induction on {variable}. At its least value", "From {variable} to {next} the two sides grow by"),
    "root": ("Along the range the gap between the sides has one direction", "At the one point", "At the other"),
    "one for all": ("With {variable} = {value}, for all", "The number {value} is allowed"),
    "places": ("It would follow that",),
    "rewrite": ("By the model", "With these values put in"),
    "implicit root": ("Of the gap between the sides, or of the sides, on each piece of the interval",),
    "slope": ("Up to a positive factor the slope is",),
    "total root": (
        "Of the total the first term is", "Each term is the one before times a ratio", "This ratio tends below 1",
        "It is above 0", "It increases", "The first term is above 0", "The ratio tends to 0 at the one end",
        "At the other end it tends to {limit}", "The value that is sought is above the first term",
        "It is below the total at the other end",
    ),
    "total gamma": ("The first term is", "Each term and the next", "The first parameter is positive", "The argument is positive"),
    "total below": (
        "The total is", "Its first term is", "Each term and the next", "The first parameter is positive",
        "The argument is positive", "The first term is positive", "The share is positive", "It is at most 1",
        "The left side is below the bound", "The logarithm of the total is below the right side",
    ),
    "total rises": (
        "The first term is", "Each term is the one before times a ratio", "This ratio tends below 1", "It is above 0",
        "It moves in one direction", "The first term is above 0",
    ),
    "falling": ("The difference of the sides tends to a limit that is not negative", "It falls"),
    "in the end": ("The one side tends to", "This is on the right side of the other"),
    "cases": ("In one case", "In the other case"),
    "no factor": ("In the end the side is not negative", "But it is not of the order of the other"),
    "of a power": ("Of the power", "The sequence is positive in the end"),
    "same order": ("The sequence is of the order", "The statement for that order"),
}
"""Of rules whose premises have parts of their own: what each premise is there for, the last for all that follow."""

LAST = frozenset({"rewrite"})
"""Of these the last word is for the last premise, and the first for all others."""

WORDS = {
    "leaf": "given", "asymptotic": "by series", "path": "by series", "along powers": "so it fails",
    "root series": "with $c$ and with $-c$ times the growth for the remainder, $c$ large, the sides of its equation differ in "
    "opposite directions",
    "implicit root": "the equation has one root at most there, and changes sign around these terms",
    "slope": "its slope has that sign, up to a positive factor",
    "algebra": "by algebra",
    "boxes": "a cover of the domain by boxes, each settled by balls",
    "line": "by balls between, and series with explicit remainders at the ends",
    "all": "all parts together",
    "contrary": "the opposite fails at each point of the domain",
    "apart": "for each value of a parameter by itself",
    "narrower": "the same in a narrower regime",
    "partial totals": "the partial ones tend to that number",
    "in the end": "from some point on, since the limit lies on that side",
    "no limit law": "it spreads, since in a smaller scale there is a limit law",
    "limit law": "by the theorem of continuity of laws",
    "limit point": "the same in what tends to infinity", "two sides": "from above and from below", "offset": "near that limit",
    "some constant": "with {variable} = {value}", "no constant": "the rest is not bounded, for no number",
    "one constant": "the limit is the one number that is possible, and it fails for that",
    "one for all": "with the same {value} for all", "none for all": "no number does in the end",
    "no one number": "what is needed at some points is too much at another",
    "no factor": "one side is not of the order of the other",
    "uniform": "along every choice of the variable in its range, by series",
    "upper limit": "by what an upper limit is", "upper bound": "by series, whose terms stay below it or vanish",
    "negation": "the contrary has been shown",
    "bounded": "by series, with what oscillates as a quantity between its bounds",
    "along": "so it fails",
    "sums": "by algebra",
    "telescope": "since each summand is the difference of {by} at {next} and at {variable}",
    "termwise": "term by term", "induction": "by induction",
    "logarithm": "since $1 - 1/y \\le \\ln y \\le y - 1$",
    "monotone": "of an increasing function of both sides", "by logarithms": "by logarithms",
    "totals": "adding up the differences of $h$ = {h}, whose terms and those of the totals fall at a rate below 1",
    "root value": "the equation that defines the function",
    "total gamma": "by the series of the incomplete gamma function",
    "total below": "the total is $c b z^{{-b}} e^{{z}} \\gamma(b, z) \\ge c\\,q^{{b}} e^{{z (1 - q)}}$ with $c$ = {value}, "
    "$b$ = {first}, $z$ = {at}, $q$ = {share}",
    "total rises": "each term rises, and so does the total",
    "total root": "the total is continuous and rises from below the value to above it",
    "consecutive": "from each value to the next", "places": "it has not that shape",
    "conditional": "the conditional, each way by itself",
    "other roots": "{how often the two sides are equal}",
    "root": "one side gains on the other all along, and is first below and then above it",
    "written out": "short sums and products written out, or (-1)^k for cos(pi*k)",
    "rounding": "the value to its digits, by balls",
    "cases": "case by case", "falling": "the difference falls to its limit",
    "instance": "with {values}", "given": "with what has been shown before",
    "residues": "for each remainder of the variable", "fraction": "by the whole part of the variable",
    "lattice": "by counting lattice points in two ways",
    "tied": "with its value for a variable that others give",
    "rewrite": "with the values of the functions",
    "replace": "equals for equals",
    "known sum": "a sum that has a name",
    "partial sum": "a sum of differences", "series": "by the limit of its sums", "recurrence": "by a recurrence",
    "chain": "the law of the chain, by balance",
    "relative": "an equation of the chain, up to a number",
    "settles": "where the chain comes to rest, by the mean after the next move",
    "conserved": "what rises as much as it falls, in the long run",
    "population": "by the law of the population, the multinomial theorem and the integral of Gamma",
    "sequence": "the sequence is that term, by induction",
    "generating function": "the coefficients of a function that solves the recurrence's differential equation",
    "fixed point": "each step brings it nearer to a fixed point",
    "increments": "{what each step adds, summed up}",
    "doubling": "each step raises it to a power, up to a factor",
    "next": "with the values before it", "of a power": "with a power of the sequence", "shifted": "the same further on",
    "ratio": "bounds of the ratio of one value and the next, by induction",
    "squeezed": "between two such",
    "growth": "its ratios are those of the growth, up to what has a finite product",
    "same order": "of the same order", "logarithm of an order": "the logarithm of what is of that order",
    "dividing": "bounds by induction, for each remainder by itself",
    "powers": "along powers of a number the sequence is that term",
    "order": "for all such functions, by order and cases",
    "order fails": "for one choice of the functions",
}
