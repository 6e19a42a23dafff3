import type { View } from './print.ts';
import type { ReplayRange } from './replay-range.ts';
import { sanitize } from './text/sanitize.ts';
import { renderFields } from './text/table.ts';
import { formatTime } from './text/time.ts';

/** What a replay sends to where. */
export interface ReplayPlan extends ReplayRange {
  readonly rule: string;
  /** ARNs. */
  readonly targets: readonly string[];
}

/** For machines. */
export function viewPlan({ from, to, rule, targets }: ReplayPlan): object {
  return { from, to, rule, targets };
}

/** For people. */
export function renderPlan({ from, to, rule, targets }: ReplayPlan, view: View): string {
  const time = (iso: string) => formatTime(iso, view.zone);
  return renderFields(
    [
      ['Events', `published from ${time(from)} to ${time(to)} that the rule matches`],
      ['Rule', sanitize(rule)],
      ['Targets', targets.length === 0 ? 'none' : targets.map(sanitize).join(', ')],
    ],
    view,
  );
}
