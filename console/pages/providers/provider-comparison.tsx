import { useQuery } from '@tanstack/react-query';
import { insightsQuery } from '../../api/queries.ts';
import { BarTable } from '../../parts/bar-table.tsx';
import { Before } from '../../parts/before.tsx';
import { deliveryRate, hasFallen, isFailureRateHigh } from '../../rules/rates.ts';
import type { SourceFigures } from '../../rules/sources.ts';
import { insightsSpanBefore, type OverviewRange, type Times } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useNow } from '../../viewer/now.ts';
import { useWords } from '../../viewer/preferences.tsx';

interface ProviderComparisonProps {
  /** The sources, in the order of the cards. */
  readonly names: readonly string[];
  readonly counted: readonly SourceFigures[];
  readonly times: Times<OverviewRange>;
}

/** Each source in a row: its messages and its delivery rate, with those of the same time before. */
export function ProviderComparison({ names, counted, times }: ProviderComparisonProps) {
  const { providers, columns, overview } = useWords();
  const { count, percent } = useFormats();
  const span = insightsSpanBefore(times, useNow());
  const before = useQuery(insightsQuery({ ...span, by: 'source' })).data?.total.sources;
  const most = Math.max(1, ...counted.map(({ messages }) => messages));
  const none = { messages: 0, delivered: 0, failed: 0 };
  return (
    <div className="card">
      <h2>{providers.compared}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which a keyboard needs a stop for. */}
      <section className="wide-table" aria-label={providers.compared} tabIndex={0}>
        <BarTable
          label={providers.compared}
          headers={[
            providers.provider,
            columns.messages,
            providers.messagesBefore,
            overview.rate,
            providers.rateBefore,
          ]}
          rows={names.map((name) => {
            const now = counted.find(({ source }) => source === name) ?? none;
            const old = before?.find(({ source }) => source === name) ?? none;
            return {
              key: name,
              name,
              share: now.messages / most,
              cells: [
                count(now.messages),
                before && (
                  <Before key="messages" icon={undefined}>
                    {count(old.messages)}
                  </Before>
                ),
                <span className="failed-share" data-alarming={isFailureRateHigh(now) || undefined} key="rate">
                  {percent(deliveryRate(now))}
                </span>,
                before && (
                  <Before key="before" icon={hasFallen(now, old) ? 'down' : undefined}>
                    {percent(deliveryRate(old))}
                  </Before>
                ),
              ],
            };
          })}
        />
      </section>
      <p className="note">{overview.beforeNote[times.from === undefined ? times.range : 'days']}</p>
    </div>
  );
}
