import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Message } from '../../../client/types.ts';
import {
  type CanonicalStatus,
  canonicalStatuses,
  outcomeOf,
  rankOf,
} from '../../../contract/schema/sms-event.ts';
import { Choice } from '../../parts/choice.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useSince } from '../../parts/range-choice.tsx';
import { isCanonicalStatus } from '../../rules/deciding-report.ts';
import { failedFor } from '../../rules/failure-filter.ts';
import { ranges } from '../../rules/time-range.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { failureColumns, keyOfMessage, pendingColumns } from './message-columns.tsx';

const route = getRouteApi('/messages');

function statusesOf(state: 'failed' | 'pending'): readonly CanonicalStatus[] {
  const outcome = state === 'failed' ? 'failure' : 'open';
  return canonicalStatuses.filter((status) => outcomeOf(rankOf(status)) === outcome);
}

/** The messages that failed, and those that wait for a final status. */
export function MessagesPage() {
  const words = useWords();
  const { state, status, range, reason } = route.useSearch();
  const navigate = route.useNavigate();
  const shownRange = range ?? (state === 'failed' ? '24h' : 'all');
  const since = useSince(shownRange);
  const shownStatus = status !== undefined && isCanonicalStatus(status) ? status : undefined;
  const source = useMemo(
    () => ({ path: '/v1/messages', filters: { state, since, status: shownStatus } }),
    [state, since, shownStatus],
  );
  const reasons = Object.entries(words.errorReasons);
  const shownReason = reasons.some(([known]) => known === reason) ? reason : undefined;
  const keep = useCallback(
    (message: Message) =>
      shownReason === undefined || failedFor(message, { reason: shownReason, code: undefined }),
    [shownReason],
  );
  const texts = state === 'failed' ? words.failures : words.pending;
  const statuses = statusesOf(state).map((known) => [known, words.statuses[known]] as const);
  return (
    <ListPage
      listKey={`${state} ${shownReason}`}
      name={state === 'failed' ? 'failures' : 'pending'}
      texts={texts}
      source={source}
      columns={state === 'failed' ? failureColumns : pendingColumns}
      keyOf={keyOfMessage}
      keep={keep}
      filters={
        <>
          <Choice
            label={words.columns.status}
            value={shownStatus ?? ''}
            options={[['', words.list.anyStatus], ...statuses]}
            onChange={(next) =>
              void navigate({
                search: (before) => ({ ...before, status: next === '' ? undefined : next }),
                replace: true,
              })
            }
          />
          {state === 'failed' && (
            <Choice
              label={words.columns.reason}
              value={shownReason ?? ''}
              options={[['', words.list.anyReason], ...reasons]}
              onChange={(next) =>
                void navigate({
                  search: (before) => ({ ...before, reason: next === '' ? undefined : next }),
                  replace: true,
                })
              }
            />
          )}
        </>
      }
      range={shownRange}
      ranges={state === 'pending' ? ranges : dayRanges}
      onRange={(next) => void navigate({ search: (before) => ({ ...before, range: next }), replace: true })}
    />
  );
}
