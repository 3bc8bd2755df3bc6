// The little of SVG that the plots are made of. Lengths are in pixels.

export const INK = "#1f2933";
export const FAINT = "#9aa5b1";
export const GOOD = "#2a9d8f";
export const SHORT = "#e76f51";

/** A picture on a background of its own, since a page that shows it may be light or dark. */
export function picture(width, height, title, elements) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="system-ui, sans-serif" font-size="13" role="img">\n`,
    `<title>${escaped(title)}</title>\n`,
    `<rect width="${width}" height="${height}" rx="6" fill="#fbfbfa"/>\n`,
    ...elements.map((element) => `${element}\n`),
    `</svg>\n`,
  ].join("");
}

/**
 * @param {number} y of the base line
 * @param {{ anchor?: "start" | "middle" | "end", fill?: string, weight?: number }} [look]
 */
export function text(x, y, what, { anchor = "start", fill = INK, weight = 400 } = {}) {
  const look = `text-anchor="${anchor}" fill="${fill}" font-weight="${weight}"`;
  return `<text x="${tidy(x)}" y="${tidy(y)}" ${look}>${escaped(what)}</text>`;
}

export function bar(x, y, width, height, fill) {
  const box = `x="${tidy(x)}" y="${tidy(y)}" width="${tidy(width)}" height="${tidy(height)}"`;
  return `<rect ${box} fill="${fill}"/>`;
}

/** @param {string} [dash] as `stroke-dasharray` has it */
export function stroke(points, colour, width = 1, dash = "none") {
  const path = points.map(([x, y]) => `${tidy(x)},${tidy(y)}`).join(" ");
  const look = `stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash}"`;
  return `<polyline points="${path}" fill="none" ${look}/>`;
}

/** A scale on which equal factors are equal lengths: `low` at `start`, `high` at `end`. */
export function logScale(low, high, start, end) {
  const length = Math.log(high / low);
  return (value) => start + (Math.log(value / low) / length) * (end - start);
}

function tidy(length) {
  return Number(length.toFixed(1));
}

function escaped(what) {
  return what.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
