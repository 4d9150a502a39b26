// A tree in the form of the JavaScript InfoVis Toolkit, as it was pasted in 2014: unquoted keys, single quotes.
var json = {
  id: 'n0', name: 'root', data: {layer: 'max', score: 3}, children: [
    {id: 'n1', name: 'wA1 bQ-', data: {layer: 'min', score: 3, factors: {'queen ring': 6, mobility: -3}}, children: [
      {id: 'n2', name: 'bA2 wQ-', data: {layer: 'max', score: 3, factors: {'queen ring': 6, mobility: -3}}, children: []},
      {id: 'n3', name: 'bG2 /wQ', data: {layer: 'max', score: 9.5, factors: {'queen ring': 10, mobility: -.5}}, children: []},
    ]},
    {id: 'n4', name: 'wB1 \\bQ', data: {layer: 'min', score: -2, factors: {'queen ring': -4, mobility: 2}}, children: [
      {id: 'n5', name: 'bG2 /wQ', data: {layer: 'max', score: -2, factors: {'queen ring': -4, mobility: 2}}, children: []},
    ]},
  ],
};
new $jit.ST({injectInto: 'infovis'}).loadJSON(json); // ignored: only the tree is read, nothing is ever run
