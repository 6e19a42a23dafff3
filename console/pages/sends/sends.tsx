import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SendFigures } from '../../../client/types.ts';
import type { Column } from '../../parts/column.ts';
import { SendLink } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { OutcomeBar } from '../../parts/outcome-bar.tsx';
import { useSince } from '../../parts/range-choice.tsx';
import { Time } from '../../parts/time.tsx';
import { deliveryRate, failureRate, isFailureRateHigh } from '../../rules/rates.ts';
import { ranges } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/sends');
const keyOf = ({ sendId }: SendFigures) => sendId;

function useColumns(): readonly Column<SendFigures>[] {
  const { columns, outcomes } = useWords();
  const { count, percent } = useFormats();
  return useMemo(
    () => [
      {
        id: 'send',
        header: columns.send,
        text: ({ sendId }) => sendId,
        cell: ({ sendId }) => <SendLink sendId={sendId} />,
      },
      {
        id: 'messages',
        header: columns.messages,
        text: ({ messages }) => String(messages),
        cell: ({ messages }) => <Labelled value={count(messages)} label={columns.messages} />,
      },
      {
        id: 'pending',
        header: columns.states,
        text: ({ pending }) => String(pending),
        cell: (send) => <OutcomeBar counts={send} />,
      },
      {
        id: 'delivered',
        header: outcomes.delivered,
        text: ({ delivered }) => String(delivered),
        cell: (send) => <Labelled value={percent(deliveryRate(send))} label={outcomes.delivered} />,
      },
      {
        id: 'failed',
        header: outcomes.failed,
        text: ({ failed }) => String(failed),
        cell: (send) => (
          <span className="failed-share" data-alarming={isFailureRateHigh(send) || undefined}>
            <Labelled value={percent(failureRate(send))} label={outcomes.failed} />
          </span>
        ),
      },
      {
        id: 'time',
        header: columns.firstReport,
        text: ({ firstReportAt }) => firstReportAt,
        cell: (_, text) => <Time at={text} />,
      },
    ],
    [columns, outcomes, count, percent],
  );
}

/** A number with the name of its column, which shows where a phone has no room for headers. */
function Labelled({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <>
      {value}
      <span className="cell-label" aria-hidden="true">
        {' '}
        {label.toLocaleLowerCase()}
      </span>
    </>
  );
}

/** The bulk sends, and how each is doing. */
export function SendsPage() {
  const { sends } = useWords();
  const { range = '30d' } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(range);
  const source = useMemo(() => ({ path: '/v1/sends', filters: { since } }), [since]);
  return (
    <ListPage
      name="sends"
      texts={sends}
      source={source}
      columns={useColumns()}
      keyOf={keyOf}
      range={range}
      ranges={ranges}
      onRange={(next) => void navigate({ search: { range: next }, replace: true })}
    />
  );
}
