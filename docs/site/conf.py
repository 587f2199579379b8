"""Sphinx's settings of the site. docs/site/build lays its pages out and calls Sphinx."""

project = "Minas"
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "alabaster"
html_title = "Minas"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_show_sourcelink = False
# Pages are read from files, too, where scripts may not fetch other pages to quote them.
html_show_search_summary = False
html_theme_options = {"fixed_sidebar": True, "page_width": "76rem", "sidebar_width": "16rem", "show_powered_by": False,
                      "show_relbars": True, "font_family": "system-ui, sans-serif", "head_font_family": "system-ui, sans-serif"}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
pygments_style = "default"
# Headings of pages that are read in the repository, too, may leave a level out.
suppress_warnings = ["myst.header"]
