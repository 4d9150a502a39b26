const TREE = {A: {D: 3, E: 12, F: 8}, B: {G: 2, H: 4}, C: {I: {J: 5, K: 1}, L: 14}}
