import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PeriodTotal } from '../../../client/types.ts';
import { insightsQuery } from '../../api/queries.ts';
import { BarTable } from '../../parts/bar-table.tsx';
import { Before } from '../../parts/before.tsx';
import { useCountryName } from '../../parts/country-name.ts';
import { NextStepButton, useReasonText } from '../../parts/status.tsx';
import { deliveryRate, hasFallen, isFailureRateHigh } from '../../rules/rates.ts';
import { insightsSpanBefore, type OverviewRange, type Times } from '../../rules/time-range.ts';
import { countsByReason, hasRisen, partOf } from '../../rules/week-change.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

interface OverviewTablesProps {
  readonly total: PeriodTotal;
  readonly times: Times<OverviewRange>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Why messages failed, and how they are doing in each country, with the same time before. */
export function OverviewTables({ total, times, now }: OverviewTablesProps) {
  const { overview } = useWords();
  const span = insightsSpanBefore(times, now);
  const before = useQuery(insightsQuery({ ...span, by: 'country,reason' })).data?.total;
  return (
    <>
      <div className="columns">
        <Reasons total={total} times={times} before={before} />
        <Countries total={total} times={times} before={before} />
      </div>
      <p className="footnote">{overview.beforeNote[times.from === undefined ? times.range : 'days']}</p>
    </>
  );
}

interface TableProps extends Omit<OverviewTablesProps, 'now'> {
  /** Undefined until it is known. */
  readonly before: PeriodTotal | undefined;
}

function Reasons({ total, times, before }: TableProps) {
  const { figures, columns, overview } = useWords();
  const { count, percent } = useFormats();
  const reasonText = useReasonText();
  const counts = countsByReason(total.failures);
  const countsBefore = countsByReason(before?.failures);
  const reasons = [...new Set([...counts.keys(), ...countsBefore.keys()])];
  const most = Math.max(1, ...counts.values());
  return (
    <section className="card" aria-labelledby="reasons">
      <h2 id="reasons">{figures.failures}</h2>
      {reasons.length === 0 ? (
        <p className="note">{figures.noFailures}</p>
      ) : (
        <BarTable
          label={figures.failures}
          headers={[columns.reason, columns.messages, columns.share, overview.before]}
          rows={reasons.map((reason) => {
            const change = { now: counts.get(reason) ?? 0, before: countsBefore.get(reason) ?? 0 };
            return {
              key: reason,
              outcome: 'failed',
              share: change.now / most,
              name:
                change.now === 0 ? (
                  reasonText({ errorReason: reason })
                ) : (
                  <span className="reason-name">
                    <Link to="/messages" search={{ state: 'failed', by: 'first', ...times, reason }}>
                      {reasonText({ errorReason: reason })}
                    </Link>
                    <NextStepButton reason={reason} />
                  </span>
                ),
              cells: [
                count(change.now),
                percent(total.failed === 0 ? undefined : change.now / total.failed),
                before && (
                  <Before
                    key="before"
                    icon={hasRisen(partOf(reason, total), partOf(reason, before)) ? 'up' : undefined}
                  >
                    {count(change.before)}
                  </Before>
                ),
              ],
            };
          })}
        />
      )}
    </section>
  );
}

function Countries({ total, times, before }: TableProps) {
  const { overview, columns, outcomes } = useWords();
  const countryName = useCountryName();
  const { count, percent } = useFormats();
  const countries = total.countries ?? [];
  const most = countries[0]?.messages ?? 0;
  return (
    <section className="card" aria-labelledby="countries">
      <h2 id="countries">{overview.countries}</h2>
      <BarTable
        label={overview.countries}
        headers={[overview.country, columns.messages, outcomes.delivered, overview.before]}
        rows={countries.map((own) => {
          const old = before?.countries?.find(({ country }) => country === own.country);
          return {
            key: own.country,
            share: most === 0 ? 0 : own.messages / most,
            name:
              own.failed === 0 ? (
                countryName(own.country)
              ) : (
                <Link
                  to="/messages"
                  search={{ state: 'failed', by: 'first', ...times, country: own.country }}
                  aria-label={overview.failuresIn(countryName(own.country))}
                >
                  {countryName(own.country)}
                </Link>
              ),
            cells: [
              count(own.messages),
              <span className="failed-share" data-alarming={isFailureRateHigh(own) || undefined} key="rate">
                {percent(deliveryRate(own))}
              </span>,
              before && (
                <Before key="before" icon={hasFallen(own, old) ? 'down' : undefined}>
                  {percent(old && deliveryRate(old))}
                </Before>
              ),
            ],
          };
        })}
      />
    </section>
  );
}
