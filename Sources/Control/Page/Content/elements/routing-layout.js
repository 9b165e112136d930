// Where boxes and lines of the picture of the routing stand: three columns, as in the drawings of presets. Sizes are pixels.

/** A box is as high as a finger needs. */
const [BOX, GAP, INSET, TOP] = [44, 12, 6, 4];
const [NARROWEST, WIDEST] = [92, 280];

/**
 * Gives everything of a plan a place within a width.
 * @returns `width`, `height`, `boxes` (key, name, kind, x, y, width, height; the kind `block` is the frame of a session), `curves` (way, path).
 */
export function layOut(plan, available) {
  // A phone has little room for lines; what is left on a wide screen goes to them.
  const gutter = Math.max(26, Math.min(220, available * 0.3 - 80));
  const column = Math.min(WIDEST, Math.max(NARROWEST, (available - 2 * gutter) / 3));
  const between = Math.max(gutter, (available - 3 * column) / 2);
  const [left, middle, right] = [0, column + between, 2 * (column + between)];
  const boxes = [];
  const places = new Map();
  const put = (key, name, kind, x, y, width) => {
    const box = { key, name, kind, x, y, width, height: BOX };
    boxes.push(box);
    places.set(key, box);
    return box;
  };

  let y = TOP;
  for (const { id, streams } of plan.sessions) {
    const height = INSET + BOX + streams.length * (BOX + INSET) + INSET;
    boxes.push({ kind: "block", x: middle, y, width: column, height });
    put(`/session/${id}`, id, "session", middle + INSET, y + INSET, column - 2 * INSET);
    streams.forEach((stream, index) =>
      put(`/session/${id}/stream/${stream}`, stream, "stream", middle + INSET, y + 2 * INSET + BOX + index * (BOX + INSET), column - 2 * INSET));
    y += height + GAP;
  }

  // Ports come as near to the middle of their lines as their neighbours allow.
  const stack = (ports, x, own, other) => {
    const wanted = ports.map((port, index) => {
      const ends = plan.ways.filter((way) => way[own] === port.key).map((way) => places.get(way[other])?.y).filter((end) => end !== undefined);
      return { port, at: ends.length > 0 ? ends.reduce((sum, end) => sum + end, 0) / ends.length : Infinity, index };
    });
    wanted.sort((one, two) => (one.at === two.at ? one.index - two.index : one.at - two.at));
    let bottom = TOP;
    for (const { port, at } of wanted) {
      const top = Number.isFinite(at) ? Math.max(bottom, at) : bottom;
      put(port.key, port.name, port.kind, x, top, column);
      bottom = top + BOX + GAP;
    }
    return bottom;
  };
  const leftEnd = stack(plan.sources, left, "from", "to");
  const rightEnd = stack(plan.sinks, right, "to", "from");
  const height = Math.max(y, leftEnd, rightEnd);

  const curves = plan.ways.map((way) => {
    const [from, to] = [places.get(way.from), places.get(way.to)];
    if (!from || !to) return null;
    const [x1, x2] = [from.x + from.width, to.x];
    const [y1, y2] = [portAt(plan.ways, way, "from", from), portAt(plan.ways, way, "to", to)];
    const bend = (x2 - x1) / 2;
    return { way, path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` };
  }).filter(Boolean);
  return { width: Math.max(available, right + column), height, boxes, curves };
}

/** Where a line meets its box: all lines of a box share its side. */
function portAt(ways, way, end, box) {
  const all = ways.filter((other) => other[end] === way[end]);
  return box.y + (box.height * (all.indexOf(way) + 1)) / (all.length + 1);
}
