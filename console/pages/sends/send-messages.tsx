import { getRouteApi, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { ReasonCount } from '../../../client/types.ts';
import { segment } from '../../api/request.ts';
import { Choice } from '../../parts/choice.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { NextStep, useReasonText } from '../../parts/status.tsx';
import { fileNameOf } from '../../rules/csv.ts';
import { statusesOf } from '../../rules/failure-filter.ts';
import { isOutcome, outcomeOrder } from '../../rules/rates.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { keyOfMessage, sendMessageColumns } from '../messages/message-columns.tsx';

const route = getRouteApi('/sends/$sendId');

interface SendMessagesProps {
  readonly sendId: string;
  /** The reasons to choose from. */
  readonly failures: readonly ReasonCount[];
  /** Whether figures of the send are kept. */
  readonly hasFigures: boolean;
  /** Whether what is above has its height. */
  readonly isPlaced: boolean;
}

/** The messages of a send, by state and by reason of failure. */
export function SendMessages({ sendId, failures, hasFigures, isPlaced }: SendMessagesProps) {
  const words = useWords();
  const reasonText = useReasonText();
  const { state, reason, code } = route.useSearch();
  const navigate = route.useNavigate();
  const heading = useFocusByAddress(`${state} ${reason} ${code}`, isPlaced);
  const source = useMemo(
    () => ({
      path: `/v1/sends/${segment(sendId)}/messages`,
      filters: { status: state && statusesOf(state).join(','), reason, code },
    }),
    [sendId, state, reason, code],
  );
  const reasons = [...new Set([...failures.map((failure) => failure.reason), ...(reason ? [reason] : [])])];
  return (
    <section aria-labelledby="messages">
      <div className="card-head">
        <h2 id="messages" tabIndex={-1} ref={heading}>
          {words.send.messages}
        </h2>
        <fieldset className="filters">
          <legend className="visually-hidden">{words.list.filters}</legend>
          <Choice
            label={words.list.state}
            value={state ?? ''}
            options={[
              ['', words.list.anyState],
              ...outcomeOrder.map((known) => [known, words.outcomes[known]] as const),
            ]}
            onChange={(next) =>
              void navigate({
                search: isOutcome(next) ? { state: next } : {},
                replace: true,
                resetScroll: false,
              })
            }
          />
          {state === 'failed' && (
            <Choice
              label={words.columns.reason}
              value={reason ?? ''}
              options={[
                ['', words.list.anyReason],
                ...reasons.map((known) => [known, reasonText({ errorReason: known })] as const),
              ]}
              onChange={(next) =>
                void navigate({
                  search: { state: 'failed', ...(next !== '' && { reason: next }) },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          )}
          {code !== undefined && (
            <p className="count">
              {words.columns.code}: {code === '' ? words.figures.noCode : <code>{code}</code>}
            </p>
          )}
        </fieldset>
      </div>
      <NextStep reason={reason} />
      <RecordList
        name="send"
        about={fileNameOf([sendId, state, reason, code])}
        label={words.send.messages}
        source={source}
        columns={sendMessageColumns}
        keyOf={keyOfMessage}
        emptyIcon={hasFigures ? 'check' : 'question'}
        empty={
          state !== undefined ? words.send.emptyFilter : hasFigures ? words.send.empty : words.send.unknown
        }
      />
    </section>
  );
}

/** Moves the view and the focus to the messages when an address names them: the viewer followed a number to its messages. */
function useFocusByAddress(filter: string, isPlaced: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another way to the messages.
  useEffect(() => {
    if (!isPlaced || hash !== 'messages') return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [hash, filter, isPlaced]);
  return heading;
}
