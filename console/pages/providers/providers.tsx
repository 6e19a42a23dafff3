import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Insights } from '../../../client/types.ts';
import { insightsQuery } from '../../api/queries.ts';
import { Missing } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeChoice } from '../../parts/range-choice.tsx';
import { insightsSpan, type OverviewRange, overviewRanges } from '../../rules/time-range.ts';
import { useNow } from '../../viewer/now.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
import { ProviderCard } from './provider-card.tsx';
import { ProviderCountries } from './provider-countries.tsx';
import { ProviderRates } from './provider-rates.tsx';

const route = getRouteApi('/providers');

/** The sources of a pipeline with several, side by side. */
export function ProvidersPage() {
  const { providers } = useWords();
  const { range = '7d' } = route.useSearch();
  const navigate = route.useNavigate();
  const { interval, since } = insightsSpan(range, useNow());
  const insights = useQuery(insightsQuery({ interval, since, by: 'source,country,reason' }));
  return (
    <Page
      title={providers.title}
      intro={providers.intro}
      filters={
        <RangeChoice
          value={range}
          options={overviewRanges}
          onChange={(next) => void navigate({ search: { range: next }, replace: true })}
        />
      }
    >
      {insights.data === undefined ? (
        <Missing query={insights} />
      ) : (
        <ProviderFigures insights={insights.data} range={range} />
      )}
    </Page>
  );
}

interface ProviderFiguresProps {
  readonly insights: Insights;
  readonly range: OverviewRange;
}

function ProviderFigures({ insights, range }: ProviderFiguresProps) {
  const { overview, charts, figures } = useWords();
  const { sources } = useSession();
  const counted = insights.total.sources ?? [];
  const idle = sources.filter((name) => !counted.some(({ source }) => source === name));
  const names = [...counted.map(({ source }) => source), ...idle];
  return (
    <>
      <div className="columns">
        {names.map((name) => (
          <ProviderCard
            key={name}
            name={name}
            counts={counted.find(({ source }) => source === name)}
            range={range}
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
