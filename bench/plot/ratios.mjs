import { isCompared, isMet, machineInWords } from "../report.mjs";
import { FAINT, GOOD, INK, SHORT, bar, logScale, picture, stroke, text } from "./svg.mjs";

const WIDTH = 900;
const ROW = 22;
const TOP = 64;
const NAMES_END = 330;
const BARS_END = 690;
const GRID = [0.1, 0.3, 1, 3, 10, 30, 100];

/** How many times as fast as each peer: a bar a row from 1x, with a tick where it is to reach. */
export function plotRatios(results) {
  const compared = results.filter(isCompared);
  const bounded = results.filter((result) => !isCompared(result));
  const groups = groupByPeer(compared);
  const at = logScale(GRID[0], GRID.at(-1), NAMES_END + 12, BARS_END);
  const elements = [];
  let y = TOP;
  for (const [peer, rows] of groups) {
    y = group(elements, y, `beside ${peer}`);
    for (const result of rows) y = ratioRow(elements, y, result, at);
  }
  const gridEnd = y;
  if (bounded.length > 0) y = group(elements, y, "by itself");
  for (const result of bounded) y = figureRow(elements, y, result);
  elements.push(text(16, y + 28, machineInWords(), { fill: FAINT }));
  return picture(WIDTH, y + 44, "fencekv beside its peers: how many times as fast", [
    text(16, 26, "How many times as fast fencekv is; the black tick is the least it is held to", {
      weight: 600,
    }),
    ...GRID.flatMap((value) => [
      text(at(value), TOP - 14, `${value}x`, { anchor: "middle", fill: FAINT }),
      stroke(
        [
          [at(value), TOP - 8],
          [at(value), gridEnd],
        ],
        value === 1 ? INK : "#e4e7eb",
      ),
    ]),
    ...elements,
  ]);
}

function groupByPeer(results) {
  const groups = new Map();
  for (const result of results) {
    groups.set(result.peer, [...(groups.get(result.peer) ?? []), result]);
  }
  return groups;
}

function group(elements, y, title) {
  elements.push(text(16, y + ROW, title, { weight: 600 }));
  return y + ROW + 8;
}

function ratioRow(elements, y, result, at) {
  const { name, ratio, atLeast } = result;
  const colour = isMet(result) ? GOOD : SHORT;
  const [from, to] = [at(1), at(ratio)].sort((a, b) => a - b);
  elements.push(
    text(NAMES_END, y + 15, name, { anchor: "end" }),
    bar(from, y + 4, to - from, ROW - 8, colour),
    stroke(
      [
        [at(atLeast), y + 1],
        [at(atLeast), y + ROW - 1],
      ],
      INK,
      2,
    ),
    text(BARS_END + 16, y + 15, `${ratio.toFixed(2)}x`, { fill: colour, weight: 600 }),
    text(BARS_END + 96, y + 15, `at least ${atLeast}x`, { fill: FAINT }),
  );
  return y + ROW;
}

function figureRow(elements, y, result) {
  const { name, figure, unit, atMost } = result;
  const colour = isMet(result) ? GOOD : SHORT;
  elements.push(
    text(NAMES_END + 70, y + 15, name, { anchor: "end" }),
    text(BARS_END + 16, y + 15, `${figure.toFixed(1)} ${unit}`, { fill: colour, weight: 600 }),
    text(BARS_END + 96, y + 15, `at most ${atMost} ${unit}`, { fill: FAINT }),
  );
  return y + ROW;
}
