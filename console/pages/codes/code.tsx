import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { decisionOf } from '../../../client/deciding-report.ts';
import type { Insights, Message, Period } from '../../../client/types.ts';
import { insightsQuery, type Page as ListPart, listQuery } from '../../api/queries.ts';
import { Chart } from '../../charts/chart.tsx';
import { ChartTable } from '../../charts/chart-table.tsx';
import { useTimeAxis } from '../../charts/time-axis.ts';
import { ForeignText } from '../../parts/entry-links.tsx';
import { Missing } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { NextStep, useReasonText } from '../../parts/status.tsx';
import { countTicks } from '../../rules/axis.ts';
import { sinceOf } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { failureColumns, keyOfMessage } from '../messages/message-columns.tsx';

/** One error code of the service: what it says, what it means here, how often and since when, and its messages. */
export function CodePage() {
  const { codes } = useWords();
  const { code } = useParams({ from: '/codes/$code' });
  const since = useMemo(() => sinceOf('90d', Date.now()), []);
  const insights = useQuery(insightsQuery({ interval: 'day', since, by: 'reason' }));
  const source = useMemo(
    () => ({ path: '/v1/messages', filters: { state: 'failed', since, code } }),
    [since, code],
  );
  return (
    <Page title={codes.title} id={code} subject={<code>{code}</code>} intro={codes.intro}>
      {insights.data === undefined ? (
        <Missing query={insights} />
      ) : (
        <CodeFigures insights={insights.data} code={code} source={source} />
      )}
      <h2>{codes.messages}</h2>
      <RecordList
        name="failures"
        about={code}
        label={codes.messages}
        source={source}
        columns={failureColumns}
        keyOf={keyOfMessage}
        empty={codes.empty}
      />
    </Page>
  );
}

const countOf = (code: string, { failures = [] }: Pick<Period, 'failures'>) =>
  failures.filter((failure) => failure.code === code).reduce((sum, { messages }) => sum + messages, 0);

interface CodeFiguresProps {
  readonly insights: Insights;
  readonly code: string;
  readonly source: Parameters<typeof listQuery>[0];
}

function CodeFigures({ insights, code, source }: CodeFiguresProps) {
  const { codes, columns, message: texts, overview } = useWords();
  const { count } = useFormats();
  const reasonText = useReasonText();
  const [active, setActive] = useState<number>();
  const { names, columns: days, periods, steps, summaryOf } = useTimeAxis(insights);
  const newest = useInfiniteQuery(listQuery<ListPart<Message>>(source)).data?.pages[0]?.entries[0];
  const report = newest && decisionOf(newest)?.report;
  const counts = periods.map((period) => (period === undefined ? 0 : countOf(code, period)));
  const [first, last] = [counts.findIndex((one) => one > 0), counts.findLastIndex((one) => one > 0)];
  const reasons = (insights.total.failures ?? []).filter((failure) => failure.code === code);
  const [reason = report?.errorReason] = reasons.map((failure) => failure.reason);
  const isUnknown = reason === undefined || reason === 'unknown';
  return (
    <section className="card" aria-label={codes.title}>
      <dl className="facts">
        <dt>{texts.reason}</dt>
        <dd>
          {isUnknown ? (
            <>
              {codes.unknown} <code>{`"errors": { ${JSON.stringify(code)}: "…" }`}</code>
            </>
          ) : (
            reasonText({ errorReason: reason })
          )}
          <NextStep reason={reason} />
        </dd>
        {report?.errorText !== undefined && (
          <>
            <dt>{texts.errorText}</dt>
            <dd>
              <ForeignText text={report.errorText} />
            </dd>
          </>
        )}
        <dt>{columns.messages}</dt>
        <dd>{count(countOf(code, insights.total))}</dd>
        {first !== -1 && (
          <>
            <dt>{codes.firstDay}</dt>
            <dd>{names[first]}</dd>
            <dt>{codes.lastDay}</dt>
            <dd>{names[last]}</dd>
          </>
        )}
        <dt>{codes.where}</dt>
        <dd>
          <Link to="/messages" search={{ state: 'failed', code, range: '90d' }}>
            {codes.byCountry}
          </Link>
        </dd>
      </dl>
      {first !== -1 && (
        <Chart
          title={codes.perDay}
          summary={`${codes.perDay}. ${summaryOf(counts, count)}`}
          columns={days}
          marks={{ kind: 'bars', values: counts }}
          ticks={countTicks(Math.max(...counts))}
          format={count}
          steps={steps}
          active={active}
          onActive={setActive}
        >
          <ChartTable
            label={codes.perDay}
            headers={[overview.period, columns.messages]}
            rows={counts.map((one, index) => [names[index] ?? '', count(one)])}
          />
        </Chart>
      )}
    </section>
  );
}
