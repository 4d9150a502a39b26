var gameTree = {
  board: [['X','O','X'],['O','O','X'],['','','']], isMaximizing: true, depth: 0,
  alpha: -Infinity, beta: Infinity, score: 0, move: null,
  children: [
    {move: {row: 2, col: 0}, isMaximizing: false, depth: 1, alpha: -Infinity, beta: Infinity, score: -1, children: [
      {move: {row: 2, col: 1}, isMaximizing: true, depth: 2, alpha: -Infinity, beta: Infinity, score: -1, gameOver: true, children: []},
    ]},
    {move: {row: 2, col: 1}, isMaximizing: false, depth: 1, alpha: -1, beta: Infinity, score: 0, children: [
      {move: {row: 2, col: 0}, isMaximizing: true, depth: 2, alpha: -1, beta: Infinity, score: 0, children: "Max depth reached"},
      {move: {row: 2, col: 2}, isMaximizing: true, depth: 2, alpha: -1, beta: 0, score: 1, gameOver: true, children: []},
    ]},
  ],
};
