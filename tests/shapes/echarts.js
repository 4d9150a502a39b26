option = {
  tooltip: {trigger: 'item'},
  series: [{type: 'tree', symbolSize: 7, data: [{
    name: 'root', value: 2, children: [
      {name: 'L', value: 2, collapsed: true, children: [{name: 'LL', value: 2}, {name: 'LR', value: 8}]},
      {name: 'R', value: -3, itemStyle: {color: 'red'}}]}]}]
};
