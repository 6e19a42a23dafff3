/** A place in an image, in pixels from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Colours of text and lines that can be read on white and on black. */
const style = `text { font: 12px sans-serif; fill: #57606a; }
.title { font-weight: bold; } .grid { stroke: #8b949e; stroke-opacity: .3; } .limit { stroke: #d1242f; stroke-dasharray: 5 4; }`;
const dark = '@media (prefers-color-scheme: dark) { text { fill: #c9d1d9; } }';

/**
 * Returns an SVG image.
 *
 * @param label what it shows, for readers who do not see it
 * @param ownStyle CSS of the classes that only this image has
 */
export function image(
  { width, height }: { readonly width: number; readonly height: number },
  label: string,
  ownStyle: string,
  content: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<style>${[style, ownStyle, dark].filter((part) => part !== '').join('\n')}</style>`,
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

export function text(
  { x, y }: Point,
  content: string,
  anchor: 'start' | 'middle' | 'end',
  kind = '',
): string {
  const named = kind === '' ? '' : ` class="${kind}"`;
  return `<text${named} x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${content}</text>`;
}

export function line(from: Point, to: Point, kind: string): string {
  return `<line class="${kind}" x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}"/>`;
}

/** Returns the value of the attribute `points` of a polyline. */
export function pointsOf(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');
}

/** Rounds to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
