var json = [
  {id: "g0", name: "start", data: {"$type": "star", score: 3}, adjacencies: [
    {nodeTo: "g1", nodeFrom: "g0", data: {"$color": "#557EAA"}},
    {nodeTo: "g2", data: {}}]},
  {id: "g1", name: "c6", data: {score: 3}, adjacencies: ["g0", "g3"]},
  {id: "g2", name: "d6", data: {score: 1}, adjacencies: ["g3", "lost"]},
  {id: "g3", name: "c7", data: {score: 3}, adjacencies: []}
];
