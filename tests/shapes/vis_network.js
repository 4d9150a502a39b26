let data = {
  nodes: [
    {id: 1, label: 'MAX\n6', color: '#fa8', level: 0},
    {id: 2, label: 'MIN\n6', color: '#8af', level: 1},
    {id: 3, label: 'MIN\n4', color: '#8af', level: 1},
    {id: 4, label: '6', level: 2},
  ],
  edges: [{from: 1, to: 2, label: 'c6'}, {from: 1, to: 3, label: 'd6'}, {from: 2, to: 4, label: 'c7'}],
};
