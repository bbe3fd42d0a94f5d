// JavaScript libraries on a map and its problems: rivals/run measures them beside wend, all under strict corners.
// Prints a line per problem: name, number, nanoseconds of processor time, length (-1: no path).
import { readFileSync } from "node:fs";
import PF from "pathfinding";
import EasyStar from "easystarjs";
import createGraph from "ngraph.graph";
import ngraphPath from "ngraph.path";

const [mapFile, scenarioFile] = process.argv.slice(2);
const rows = readFileSync(mapFile, "utf8").trimEnd().split("\n").slice(4);
const open = rows.map((row) => [...row].map((letter) => ".GS".includes(letter)));
const isOpen = (x, y) => open[y]?.[x] ?? false;
const problems = readFileSync(scenarioFile, "utf8").trimEnd().split("\n").slice(1).map((line) => line.split("\t").slice(4, 8).map(Number));

const length = (path) => {
  if (!path?.length) return -1;
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += path[i][0] !== path[i - 1][0] && path[i][1] !== path[i - 1][1] ? Math.SQRT2 : 1;
  return sum;
};
const octile = (ax, ay, bx, by) => {
  const dx = Math.abs(ax - bx), dy = Math.abs(ay - by);
  return Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy);
};

const walls = open.map((row) => row.map((free) => (free ? 0 : 1)));
const grid = new PF.Grid(walls);
const strict = { diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile };
// A grid of PathFinding.js serves one search, so its users clone it for each.
const pathfinding = (finder) => (sx, sy, gx, gy) => PF.Util.expandPath(finder.findPath(sx, sy, gx, gy, grid.clone()));

const easystar = new EasyStar.js();
easystar.setGrid(walls);
easystar.setAcceptableTiles([0]);
easystar.enableDiagonals();
easystar.disableCornerCutting();
easystar.enableSync();

const graph = createGraph();
const name = (x, y) => y * rows[0].length + x;
open.forEach((row, y) => row.forEach((free, x) => free && graph.addNode(name(x, y), { x, y })));
graph.forEachNode(({ data: { x, y } }) => {
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [-1, 1]])
    if (isOpen(x + dx, y + dy) && isOpen(x + dx, y) && isOpen(x, y + dy)) graph.addLink(name(x, y), name(x + dx, y + dy));
});
const between = (a, b) => octile(a.data.x, a.data.y, b.data.x, b.data.y);
const finder = ngraphPath.aStar(graph, { distance: between, heuristic: between });

const libraries = {
  "PathFinding.js A*": pathfinding(new PF.AStarFinder(strict)),
  "PathFinding.js JPS": pathfinding(PF.JumpPointFinder(strict)),
  "EasyStar.js": (sx, sy, gx, gy) => {
    let found = null;
    easystar.findPath(sx, sy, gx, gy, (path) => (found = path));
    easystar.calculate();
    return found?.map(({ x, y }) => [x, y]);
  },
  "ngraph.path A*": (sx, sy, gx, gy) => finder.find(name(sx, sy), name(gx, gy)).map(({ data: { x, y } }) => [x, y]),
};
for (const [label, find] of Object.entries(libraries))
  problems.forEach((problem, number) => {
    let least = Infinity, path;
    for (let repeat = 0; repeat < 3; repeat++) {
      const before = process.cpuUsage();
      path = find(...problem);
      const spent = process.cpuUsage(before);
      least = Math.min(least, 1000 * (spent.user + spent.system));
    }
    console.log(`${label}\t${number}\t${least}\t${length(path)}`);
  });
