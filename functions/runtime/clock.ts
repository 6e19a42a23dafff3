/** Tells the time in milliseconds since the epoch. */
export type Clock = () => number;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A duration in the units a person would name: `120 ms`, `2.1 s`, `3 min 5 s`, `2 d 4 h`; the sign is left out.
 *
 * @param milliseconds between two times
 */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < second) return `${Math.round(length)} ms`;
  if (length < 10 * second) return `${(Math.floor(length / 100) / 10).toFixed(1)} s`;
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return inUnits(length, minute, 'min', second, 's');
  if (length < day) return inUnits(length, hour, 'h', minute, 'min');
  return inUnits(length, day, 'd', hour, 'h');
}

function inUnits(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small);
  return `${Math.floor(length / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
