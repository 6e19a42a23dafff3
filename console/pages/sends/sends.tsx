import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useId, useMemo, useState } from 'react';
import type { SendFigures } from '../../../client/types.ts';
import { Choice } from '../../parts/choice.tsx';
import { type Column, timeColumn } from '../../parts/column.tsx';
import { SendLink } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { OutcomeBar } from '../../parts/outcome-bar.tsx';
import { useListSpan } from '../../parts/range-choice.tsx';
import { SourceChoice, useKnownSource } from '../../parts/source-choice.tsx';
import { deliveryRate, failureRate, isFailureRateHigh } from '../../rules/rates.ts';
import { compareSends, hasName, sendOrders } from '../../rules/send-order.ts';
import { ranges } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/sends');
const keyOf = ({ sendId }: SendFigures) => sendId;

const columns: readonly Column<SendFigures>[] = [
  {
    id: 'send',
    header: ({ columns }) => columns.send,
    csv: ({ sendId }) => sendId,
    page: { width: 'minmax(0, 1.6fr)', cell: ({ sendId }) => <SendLink sendId={sendId} /> },
  },
  {
    id: 'messages',
    header: ({ columns }) => columns.messages,
    csv: ({ messages }) => String(messages),
    page: { width: '90px', cell: ({ messages }) => <Count of={messages} /> },
  },
  {
    id: 'pending',
    header: ({ columns }) => columns.states,
    csv: ({ pending }) => String(pending),
    page: { width: 'minmax(120px, 1fr)', cell: (send) => <OutcomeBar counts={send} /> },
  },
  {
    id: 'delivered',
    header: ({ outcomes }) => outcomes.delivered,
    csv: ({ delivered }) => String(delivered),
    page: { width: '90px', cell: (send) => <Share of="delivered" send={send} /> },
  },
  {
    id: 'failed',
    header: ({ outcomes }) => outcomes.failed,
    csv: ({ failed }) => String(failed),
    page: {
      width: '80px',
      cell: (send) => (
        <span className="failed-share" data-alarming={isFailureRateHigh(send) || undefined}>
          <Share of="failed" send={send} />
        </span>
      ),
    },
  },
  timeColumn(
    ({ columns }) => columns.firstReport,
    ({ firstReportAt }) => firstReportAt,
  ),
];

function Count({ of }: { readonly of: number }) {
  return useFormats().count(of);
}

interface ShareProps {
  readonly of: 'delivered' | 'failed';
  readonly send: SendFigures;
}

/** A share with the name of its column, which shows where a phone has no room for headers. */
function Share({ of, send }: ShareProps) {
  const { outcomes } = useWords();
  const { percent } = useFormats();
  return (
    <>
      {percent(of === 'failed' ? failureRate(send) : deliveryRate(send))}
      <span className="cell-label" aria-hidden="true">
        {' '}
        {outcomes[of].toLocaleLowerCase()}
      </span>
    </>
  );
}

/** The bulk sends, and how each is doing. */
export function SendsPage() {
  const { sends } = useWords();
  const { range = '30d', from, to, order = 'newest', name, source: sourceName } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  // The address follows the keys, and may be late.
  const [text, setText] = useState(name ?? '');
  const times = { range, from, to };
  const { since, until } = useListSpan(times);
  const shownSource = useKnownSource(sourceName);
  const source = useMemo(
    () => ({ path: '/v1/sends', filters: { since, until, source: shownSource } }),
    [since, until, shownSource],
  );
  const keep = useCallback(({ sendId }: SendFigures) => hasName(sendId, text), [text]);
  const id = useId();
  return (
    <ListPage
      name="sends"
      texts={text === '' ? sends : { ...sends, empty: sends.emptyName }}
      source={source}
      columns={columns}
      keyOf={keyOf}
      keep={keep}
      named={[text, shownSource, order === 'newest' ? undefined : order]}
      order={useMemo(() => compareSends(order), [order])}
      isWhole
      filters={
        <>
          <span className="choice">
            <label htmlFor={id}>{sends.name}</label>
            <input
              id={id}
              type="search"
              value={text}
              placeholder={sends.nameHint}
              autoComplete="off"
              spellCheck="false"
              onChange={({ target }) => {
                setText(target.value);
                show({ name: target.value === '' ? undefined : target.value });
              }}
            />
          </span>
          <Choice
            label={sends.order}
            value={order}
            options={sendOrders.map((known) => [known, sends.orders[known]] as const)}
            onChange={(next) => show({ order: next })}
          />
          <SourceChoice value={shownSource} onChange={(next) => show({ source: next })} />
        </>
      }
      times={times}
      ranges={ranges}
      onTimes={show}
    />
  );
}
