import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Insights } from '../../../client/types.ts';
import { overviewQuery } from '../../api/queries.ts';
import { TimeCharts } from '../../charts/time-charts.tsx';
import { Missing } from '../../parts/notice.tsx';
import { OutcomeTiles } from '../../parts/outcome-tiles.tsx';
import { Page } from '../../parts/page.tsx';
import { RangeChoice } from '../../parts/range-choice.tsx';
import { SpendFacts } from '../../parts/spend-facts.tsx';
import { type OverviewRange, overviewRanges, type Times } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useNow } from '../../viewer/now.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { EmptyOverview } from './empty-overview.tsx';
import { Keyboard } from './keyboard.tsx';
import { OverviewDownload } from './overview-download.tsx';
import { OverviewTables } from './overview-tables.tsx';
import { WeekChanges } from './week-changes.tsx';

const route = getRouteApi('/');

/** The page that the console opens with: how messages are doing, and what changed. */
export function OverviewPage() {
  const words = useWords();
  const { range = '24h', from, to } = route.useSearch();
  const times = { range, from, to };
  const navigate = route.useNavigate();
  const now = useNow();
  const insights = useQuery(overviewQuery(times, now));
  return (
    <Page
      title={words.overview.title}
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
        <OverviewFigures insights={insights.data} times={times} now={now} />
      )}
      <Keyboard />
    </Page>
  );
}

interface OverviewFiguresProps {
  readonly insights: Insights;
  readonly times: Times<OverviewRange>;
  readonly now: number;
}

function OverviewFigures({ insights, times, now }: OverviewFiguresProps) {
  const { overview, figures, charts } = useWords();
  const { count } = useFormats();
  const { total } = insights;
  if (total.messages === 0 && total.replies === 0) return <EmptyOverview times={times} />;
  return (
    <>
      <section aria-label={figures.label}>
        <OutcomeTiles
          counts={total}
          hasTwoLists
          linkOf={(state, content) => (
            <Link to="/messages" search={{ state, by: 'first', ...times }}>
              {content}
            </Link>
          )}
        />
        <p className="tiles-note">
          {figures.replies}: <strong>{count(total.replies)}</strong>. {figures.optOuts}:{' '}
          <strong>{count(total.optOuts)}</strong>. {figures.rates}
        </p>
        {(total.spend.length > 0 || total.segments > 0) && (
          <dl className="card facts-row">
            <SpendFacts counts={total} />
          </dl>
        )}
      </section>
      <WeekChanges now={now} />
      <section className="card" aria-labelledby="over-time">
        <div className="card-head">
          <h2 id="over-time">{overview.charts}</h2>
          <OverviewDownload insights={insights} times={times} />
        </div>
        <TimeCharts insights={insights} />
        {insights.interval === 'day' && <p className="note">{charts.utc}</p>}
      </section>
      <OverviewTables total={total} times={times} now={now} />
    </>
  );
}
