"""The papers that come with asymp, one package each; entry points of the group ``asymp.papers`` name them.

In a checkout they lie in ``proofs/``, beside the claims of their own; what is installed has them here.  Nothing of asymp imports
one: they are outside code, as a package of somebody else's is.

>>> from importlib.util import find_spec
>>> find_spec("asymp.papers.lfms").name
'asymp.papers.lfms'
"""

from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]
if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "proofs").is_dir():
    __path__.append(str(_CHECKOUT / "proofs"))
