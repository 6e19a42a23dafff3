import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PeriodTotal } from '../../../client/types.ts';
import { BarTable } from '../../parts/bar-table.tsx';
import { useReasonText } from '../../parts/status.tsx';
import { deliveryRate, isFailureRateHigh } from '../../rules/rates.ts';
import type { OverviewRange } from '../../rules/time-range.ts';
import { countsByReason } from '../../rules/week-change.ts';
import { useFormats } from '../../viewer/formats.ts';
import { usePreferences, useWords } from '../../viewer/preferences.tsx';

interface OverviewTablesProps {
  readonly total: PeriodTotal;
  readonly range: OverviewRange;
}

/** Why messages failed, and how they are doing in each country. */
export function OverviewTables({ total, range }: OverviewTablesProps) {
  return (
    <div className="columns">
      <Reasons total={total} range={range} />
      <Countries total={total} />
    </div>
  );
}

function Reasons({ total, range }: OverviewTablesProps) {
  const { figures, columns } = useWords();
  const { count, percent } = useFormats();
  const reasonText = useReasonText();
  const reasons = [...countsByReason(total.failures)];
  const most = reasons[0]?.[1] ?? 0;
  return (
    <section className="card" aria-labelledby="reasons">
      <h2 id="reasons">{figures.failures}</h2>
      {reasons.length === 0 ? (
        <p className="note">{figures.noFailures}</p>
      ) : (
        <BarTable
          label={figures.failures}
          headers={[columns.reason, columns.messages, columns.share]}
          rows={reasons.map(([reason, messages]) => ({
            key: reason,
            outcome: 'failed',
            share: messages / most,
            name: (
              <Link to="/messages" search={{ state: 'failed', by: 'first', range, reason }}>
                {reasonText({ errorReason: reason })}
              </Link>
            ),
            cells: [count(messages), percent(messages / total.failed)],
          }))}
        />
      )}
    </section>
  );
}

function Countries({ total }: Pick<OverviewTablesProps, 'total'>) {
  const { overview, columns, outcomes } = useWords();
  const { language } = usePreferences();
  const { count, percent } = useFormats();
  const names = useMemo(() => new Intl.DisplayNames(language, { type: 'region' }), [language]);
  const countries = total.countries ?? [];
  const most = countries[0]?.messages ?? 0;
  return (
    <section className="card" aria-labelledby="countries">
      <h2 id="countries">{overview.countries}</h2>
      <BarTable
        label={overview.countries}
        headers={[overview.country, columns.messages, outcomes.delivered]}
        rows={countries.map((own) => ({
          key: own.country,
          share: most === 0 ? 0 : own.messages / most,
          name: own.country === 'ZZ' ? overview.unknownCountry : names.of(own.country),
          cells: [
            count(own.messages),
            <span className="failed-share" data-alarming={isFailureRateHigh(own) || undefined} key="rate">
              {percent(deliveryRate(own))}
            </span>,
          ],
        }))}
      />
    </section>
  );
}
