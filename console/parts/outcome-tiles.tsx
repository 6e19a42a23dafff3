import type { ReactNode } from 'react';
import { deliveryRate, failureRate, isFailureRateHigh, type OutcomeCounts } from '../rules/rates.ts';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';

interface OutcomeTilesProps {
  readonly counts: OutcomeCounts;
  /** Wraps the number of an outcome in a link to its messages. */
  readonly linkOf: (outcome: 'failed' | 'pending', content: ReactNode) => ReactNode;
}

/** One number for each state. The failure rate is highlighted when it is high. */
export function OutcomeTiles({ counts, linkOf }: OutcomeTilesProps) {
  const { figures, outcomes } = useWords();
  const { count, percent } = useFormats();
  const isHigh = isFailureRateHigh(counts);
  const number = (value: number) => <span className="tile-number">{count(value)}</span>;
  return (
    <ul className="tiles">
      <li className="tile">
        {number(counts.messages)}
        <span className="tile-name">{figures.messages}</span>
      </li>
      <li className="tile">
        {number(counts.delivered)}
        <span className="tile-name">{outcomes.delivered}</span>
        <span className="tile-rate">{percent(deliveryRate(counts))}</span>
      </li>
      <li className="tile" data-alarming={isHigh || undefined}>
        {counts.failed === 0 ? number(0) : linkOf('failed', number(counts.failed))}
        <span className="tile-name">{outcomes.failed}</span>
        <span className="tile-rate">
          {percent(failureRate(counts))}
          {isHigh && <span className="tile-high"> {figures.high}</span>}
        </span>
      </li>
      <li className="tile">
        {counts.pending === 0 ? number(0) : linkOf('pending', number(counts.pending))}
        <span className="tile-name">{outcomes.pending}</span>
        <span className="tile-rate">{figures.pendingNote}</span>
      </li>
    </ul>
  );
}
