import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Insights } from '../../../client/types.ts';
import { insightsQuery } from '../../api/queries.ts';
import { Missing } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeChoice } from '../../parts/range-choice.tsx';
import { insightsSpan, type OverviewRange, overviewRanges, type Times } from '../../rules/time-range.ts';
import { useNow } from '../../viewer/now.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
import { ProviderCard } from './provider-card.tsx';
import { ProviderComparison } from './provider-comparison.tsx';
import { ProviderCountries } from './provider-countries.tsx';
import { ProviderRates } from './provider-rates.tsx';

const route = getRouteApi('/providers');

/** The sources of a pipeline with several, side by side. */
export function ProvidersPage() {
  const { providers } = useWords();
  const { range = '7d', from, to } = route.useSearch();
  const times = { range, from, to };
  const navigate = route.useNavigate();
  const span = insightsSpan(times, useNow());
  const insights = useQuery(insightsQuery({ ...span, by: 'source,country,reason' }));
  return (
    <Page
      title={providers.title}
      intro={providers.intro}
      filters={
        <RangeChoice
          times={times}
          options={overviewRanges}
          isOfFigures
          onChange={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
        />
      }
    >
      {insights.data === undefined ? (
        <Missing query={insights} />
      ) : (
        <ProviderFigures insights={insights.data} times={times} />
      )}
    </Page>
  );
}

interface ProviderFiguresProps {
  readonly insights: Insights;
  readonly times: Times<OverviewRange>;
}

function ProviderFigures({ insights, times }: ProviderFiguresProps) {
  const { overview, charts, figures } = useWords();
  const { sources } = useSession();
  const counted = insights.total.sources ?? [];
  const idle = sources.filter((name) => !counted.some(({ source }) => source === name));
  const names = [...counted.map(({ source }) => source), ...idle];
  return (
    <>
      <ProviderComparison names={names} counted={counted} times={times} />
      <div className="columns">
        {names.map((name) => (
          <ProviderCard
            key={name}
            name={name}
            counts={counted.find(({ source }) => source === name)}
            times={times}
          />
        ))}
      </div>
      <p className="tiles-note">{figures.rates}</p>
      {counted.length > 0 && (
        <>
          <section className="card" aria-labelledby="over-time">
            <h2 id="over-time">{overview.charts}</h2>
            <ProviderRates insights={insights} names={names} />
            {insights.interval === 'day' && <p className="note">{charts.utc}</p>}
          </section>
          <ProviderCountries sources={counted} />
        </>
      )}
    </>
  );
}
