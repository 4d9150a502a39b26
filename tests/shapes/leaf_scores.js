// figure 5.2 of the lecture, values only in the leaves
const tree = {
  name: 'A', children: [
    {name: 'B', children: [{name: 'e', score: 3}, {name: 'f', score: 12}, {name: 'g', score: 8}]},
    {name: 'C', children: [{name: 'h', score: 2}, {name: 'i', score: 4}, {name: 'j', score: 6}]},
    {name: 'D', children: [{name: 'k', score: 14}, {name: 'l', score: 5}, {name: 'm', score: 2}]},
  ],
};
console.log(minimax(tree, true));
