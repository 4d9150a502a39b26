var json = {
  id: "node02",
  name: "start",
  data: {"$color": "#557EAA", layer: "max", score: 12.5, factors: {mobility: 9, corners: 3.5}},
  children: [{
    id: "node13",
    name: "c6<br>score: 12.5",
    data: {layer: "min", score: 12.5, pre_score: 3, note: "<b>killer</b>"},
    children: [{id: "node13", name: "d6", data: {layer: "max", score: 12.5}, children: []}]
  }, {
    name: "wA1 bQ-",
    data: {layer: "min", score: 9, pre_score: 4},
    children: []
  }]
};
var st = new $jit.ST({injectInto: 'infovis'});
