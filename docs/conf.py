"""The site: ``pip install ".[docs]"``, then ``sphinx-build -W -n -b html docs build/site``; open build/site/index.html.

Nothing of it needs a network: formulas are MathML, fonts are the reader's own, the search runs in the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from asymp.version import __version__  # noqa: E402

project = "asymp"
author = "The asymp authors"
copyright = author
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "made", "narrow"]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
myst_links_external_new_tab = False
smartquotes = False  # quotes and dashes stand in what is typed

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
add_module_names = False
python_use_unqualified_type_names = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of other libraries, and what is not documented here

html_theme = "pydata_sphinx_theme"
html_title = "asymp"
html_static_path = ["_static", "../asymp/export/fonts"]
html_css_files = ["asymp.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # a page that is opened from the file system may not read another one
html_context = {"default_mode": "auto"}
html_math_renderer = "mathml"
html_theme_options = {
    "logo": {"text": "asymp"},
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "content_footer_items": [],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_nav_level": 1,
    "collapse_navigation": False,
    "header_links_before_dropdown": 6,
    "back_to_top_button": True,
}
html_sidebars = {"index": []}
pygments_style = "default"
