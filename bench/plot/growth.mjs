import { machineInWords } from "../report.mjs";
import { FAINT, GOOD, INK, SHORT, logScale, picture, stroke, text } from "./svg.mjs";

const WIDTH = 900;
const HEIGHT = 396;
const LEFT = 70;
const RIGHT = 520;
const TOP = 56;
const BOTTOM = 320;
const FACTORS = [0.25, 0.5, 1, 2, 4, 8];
const COLOURS = [GOOD, "#3d5a80", "#e9a23b", "#8e5ea2"];

/** What the same work costs as a store grows, as a multiple of what it costs in a `small` one. */
export function plotGrowth(small, rows) {
  const sizes = [small, ...rows[0].results.map(({ size }) => size)];
  const across = logScale(small, sizes.at(-1), LEFT, RIGHT);
  const up = logScale(FACTORS[0], FACTORS.at(-1), BOTTOM, TOP);
  // A factor beyond the scale is drawn at its edge; the figure beside is the true one.
  const inside = (factor) => Math.min(Math.max(factor, FACTORS[0]), FACTORS.at(-1));
  const elements = [
    text(16, 26, "Time of the same work as the store grows, as a multiple of the smallest", {
      weight: 600,
    }),
    ...sizes.map((size) =>
      text(across(size), BOTTOM + 22, size.toLocaleString("en"), { anchor: "middle", fill: FAINT }),
    ),
    text((LEFT + RIGHT) / 2, BOTTOM + 44, "keys in the store", { anchor: "middle", fill: FAINT }),
    text(16, HEIGHT - 16, machineInWords(), { fill: FAINT }),
    ...FACTORS.flatMap((factor) => level(factor, up(factor))),
  ];
  for (const { name, atMost } of rows.filter((row) => row.atMost !== undefined)) {
    elements.push(
      horizontal(up(atMost), SHORT, 1.5, "6 4"),
      text(RIGHT, up(atMost) - 7, `${name}: at most ${atMost}x`, { anchor: "end", fill: SHORT }),
    );
  }
  for (const [index, { name, results }] of rows.entries()) {
    const factors = [1, ...results.map(({ ratio }) => ratio)];
    const points = factors.map((factor, at) => [across(sizes[at]), up(inside(factor))]);
    const y = TOP + 24 + index * 52;
    elements.push(
      stroke(points, COLOURS[index], 2.5),
      text(RIGHT + 40, y, name, { fill: COLOURS[index], weight: 600 }),
      text(RIGHT + 40, y + 19, summary(results.at(-1))),
    );
  }
  return picture(WIDTH, HEIGHT, "What the same work costs as the store grows", elements);
}

function summary({ smallUs, largeUs, ratio }) {
  return `${smallUs.toFixed(1)} us beside ${largeUs.toFixed(1)} us: ${ratio.toFixed(2)}x`;
}

function level(factor, y) {
  return [
    text(LEFT - 14, y + 4, `${factor}x`, { anchor: "end", fill: FAINT }),
    horizontal(y, factor === 1 ? INK : "#e4e7eb"),
  ];
}

function horizontal(y, ...look) {
  return stroke(
    [
      [LEFT, y],
      [RIGHT, y],
    ],
    ...look,
  );
}
