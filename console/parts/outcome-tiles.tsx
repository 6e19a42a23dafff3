import type { ReactNode } from 'react';
import type { Send } from '../../client/types.ts';
import { deliveryRate, failureRate, isFailureRateHigh, type OutcomeCounts } from '../rules/rates.ts';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';

type StatusCount = Send['statuses'][number];

interface OutcomeTilesProps {
  readonly counts: OutcomeCounts & { readonly statuses?: readonly StatusCount[] };
  /** Wraps the number of an outcome in a link to its messages. */
  readonly linkOf: (outcome: 'failed' | 'pending' | 'unknown', content: ReactNode) => ReactNode;
  /** Whether messages that wait and messages marked unknown are in two lists. Then each has a link of its own. */
  readonly hasTwoLists?: boolean;
}

/** One number for each state. The failure rate is highlighted when it is high. */
export function OutcomeTiles({ counts, linkOf, hasTwoLists = false }: OutcomeTilesProps) {
  const { figures, outcomes } = useWords();
  const { count, percent } = useFormats();
  const unknown = counts.statuses?.find(({ status }) => status === 'unknown')?.messages ?? 0;
  const waiting = counts.pending - unknown;
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
        {counts.pending === 0 || hasTwoLists
          ? number(counts.pending)
          : linkOf('pending', number(counts.pending))}
        <span className="tile-name">{outcomes.pending}</span>
        <span className="tile-rate">
          {hasTwoLists && counts.pending > 0 ? (
            <>
              {waiting > 0 && linkOf('pending', figures.waiting(count(waiting)))}
              {waiting > 0 && unknown > 0 && ', '}
              {unknown > 0 && linkOf('unknown', figures.unknown(count(unknown)))}
            </>
          ) : (
            figures.pendingNote
          )}
        </span>
      </li>
    </ul>
  );
}
