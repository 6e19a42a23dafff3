/** A figure that is to be no more than its target. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly most: number;
  /** As printed behind both; empty for a ratio. */
  readonly unit: string;
}

/** Of no figure at all nothing was reached either. */
export function isReached({ value, most }: Pick<Target, 'value' | 'most'>): boolean {
  return value <= most;
}

/** A line for each target: what was measured, what was promised, and whether that was reached. */
export function renderTargets(targets: readonly Target[]): string {
  return targets.map(renderTarget).join('\n');
}

function renderTarget({ name, value, most, unit }: Target): string {
  const verdict = isReached({ value, most }) ? 'reached' : 'MISSED ';
  const suffix = unit === '' ? '' : ` ${unit}`;
  return `${verdict}  ${name}: ${value.toFixed(3)}${suffix}, at most ${most}${suffix}`;
}
