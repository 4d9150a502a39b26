"""Published figures of other players and searches, measured again: tables and curves beside ours.

`studies.py` lists them, a module each; `lab.py` is what a study is given, `report.py` the page that it fills
and `charts.py` its pictures.
"""
