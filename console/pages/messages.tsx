import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  type CanonicalStatus,
  canonicalStatuses,
  outcomeOf,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import { Choice } from '../parts/choice.tsx';
import { Page } from '../parts/page.tsx';
import { RangeChoice, useSince } from '../parts/range-choice.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { isCanonicalStatus } from '../rules/deciding-report.ts';
import { useWords } from '../viewer/preferences.tsx';
import { keyOfMessage, useMessageColumns } from './message-columns.tsx';

const route = getRouteApi('/messages');

function statusesOf(state: 'failed' | 'pending'): readonly CanonicalStatus[] {
  const outcome = state === 'failed' ? 'failure' : 'open';
  return canonicalStatuses.filter((status) => outcomeOf(rankOf(status)) === outcome);
}

/** The messages that failed, and those that wait for a final status. */
export function MessagesPage() {
  const words = useWords();
  const { state, status, range } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useMessageColumns(state === 'failed' ? 'statusAt' : 'firstSeenAt');
  const shownRange = range ?? (state === 'failed' ? '24h' : 'all');
  const since = useSince(shownRange);
  const shownStatus = status !== undefined && isCanonicalStatus(status) ? status : undefined;
  const source = useMemo(
    () => ({ path: '/v1/messages', filters: { state, since, status: shownStatus } }),
    [state, since, shownStatus],
  );
  const texts = state === 'failed' ? words.failures : words.pending;
  const statuses = statusesOf(state).map((known) => [known, words.statuses[known]] as const);
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      filters={
        <>
          <Choice
            label={words.columns.status}
            value={shownStatus ?? ''}
            options={[['', words.list.anyStatus], ...statuses]}
            onChange={(next) =>
              void navigate({
                search: { state, ...(range && { range }), ...(next !== '' && { status: next }) },
                replace: true,
              })
            }
          />
          <RangeChoice
            value={shownRange}
            hasAll={state === 'pending'}
            onChange={(next) =>
              void navigate({ search: (before) => ({ ...before, range: next }), replace: true })
            }
          />
        </>
      }
    >
      <RecordList
        key={state}
        name={state === 'failed' ? 'failures' : 'pending'}
        label={texts.title}
        source={source}
        columns={columns}
        keyOf={keyOfMessage}
        empty={texts.empty}
      />
    </Page>
  );
}
