import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { BarTable } from '../../parts/bar-table.tsx';
import { SpendFacts } from '../../parts/spend-facts.tsx';
import { NextStepButton, useReasonText } from '../../parts/status.tsx';
import { deliveryRate, isFailureRateHigh } from '../../rules/rates.ts';
import type { SourceFigures } from '../../rules/sources.ts';
import type { OverviewRange, Times } from '../../rules/time-range.ts';
import { countsByReason } from '../../rules/week-change.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

interface ProviderCardProps {
  readonly name: string;
  /** Undefined without messages. */
  readonly counts: SourceFigures | undefined;
  readonly times: Times<OverviewRange>;
}

/** How the messages of one source are doing, and why they fail. */
export function ProviderCard({ name, counts, times }: ProviderCardProps) {
  const { providers } = useWords();
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {counts === undefined ? (
        <p className="note">{providers.none}</p>
      ) : (
        <>
          <Facts counts={counts} />
          <Reasons counts={counts} times={times} />
        </>
      )}
    </section>
  );
}

type CountsProps = Pick<ProviderCardProps, 'times'> & { readonly counts: SourceFigures };

function Facts({ counts }: Pick<CountsProps, 'counts'>) {
  const { figures, overview, providers } = useWords();
  const { count, percent, wait } = useFormats();
  const { messages, timeToDelivery: times } = counts;
  return (
    <dl className="facts-row">
      <div>
        <dt>{figures.messages}</dt>
        <dd>{count(messages)}</dd>
      </div>
      <div>
        <dt>{overview.rate}</dt>
        <dd>
          <span className="failed-share" data-alarming={isFailureRateHigh(counts) || undefined}>
            {percent(deliveryRate(counts))}
          </span>
        </dd>
      </div>
      <div>
        <dt>{providers.times}</dt>
        <dd>{times === null ? '–' : `${wait(times.p50)}, ${wait(times.p95)}`}</dd>
      </div>
      <SpendFacts counts={counts} />
    </dl>
  );
}

/** The reasons with a count, the most frequent first. Each opens its messages. */
function Reasons({ counts: { source, failures, failed }, times }: CountsProps) {
  const { figures, columns, providers } = useWords();
  const { count, percent } = useFormats();
  const reasonText = useReasonText();
  const reasons = [...countsByReason(failures)];
  const most = reasons[0]?.[1] ?? 0;
  if (reasons.length === 0) return <p className="note">{figures.noFailures}</p>;
  return (
    <BarTable
      label={providers.failures(source)}
      headers={[columns.reason, columns.messages, columns.share]}
      rows={reasons.map(([reason, messages]) => ({
        key: reason,
        outcome: 'failed',
        share: messages / most,
        name: (
          <span className="reason-name">
            <Link to="/messages" search={{ state: 'failed', by: 'first', ...times, reason, source }}>
              {reasonText({ errorReason: reason })}
            </Link>
            <NextStepButton reason={reason} />
          </span>
        ),
        cells: [count(messages), percent(messages / failed)],
      }))}
    />
  );
}
