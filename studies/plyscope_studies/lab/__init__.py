"""Published figures of other players and searches, measured again: tables and curves beside ours.

`studies.py` lists them, a module each; `lab.py` is what a study is given, `report.py` the page that it fills,
`charts.py` its pictures and `machine.py` the line that says where they were made.
"""
