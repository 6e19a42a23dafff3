/** Chooses one of several, by a random number. */
export type Draw = <T>(choices: readonly [T, ...T[]]) => T;

export function drawFrom(random: () => number): Draw {
  return (choices) => choices[Math.floor(random() * choices.length)] ?? choices[0];
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

export function word(draw: Draw, length: number): string {
  const [first = '', ...rest] = letters;
  return Array.from({ length }, () => draw([first, ...rest])).join('');
}

export function bytes(draw: Draw, length: number): Buffer {
  const every = Array.from({ length: 255 }, (_, index) => index + 1);
  return Buffer.from(Array.from({ length }, () => draw([0, ...every])));
}
