/** Dollars with as many digits as tell something. */
export function dollars(amount: number): string {
  if (amount === 0) return '-';
  const digits = Math.abs(amount) >= 1000 ? 0 : Math.abs(amount) >= 0.1 ? 2 : 4;
  return amount.toFixed(digits);
}

/** A difference, with its sign. */
export function difference(amount: number): string {
  return Math.abs(amount) < 0.00005 ? '-' : `${amount > 0 ? '+' : ''}${dollars(amount)}`;
}

/** For example `10 k` or `2.5 M`. */
export function countText(count: number): string {
  for (const [size, letter] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (count >= size) return `${Number((count / size).toPrecision(4))} ${letter}`;
  return String(Number(count.toPrecision(4)));
}
