import type { Conversation } from '../../../client/types.ts';
import { ForeignText } from '../../parts/entry-links.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../viewer/preferences.tsx';

/** Whether a number wants messages, and each statement about it. */
export function OptOutState({ optOut }: Pick<Conversation, 'optOut'>) {
  const { conversation } = useWords();
  const { state = 'none', statements = [] } = optOut ?? {};
  const [newest] = statements;
  const text = { out: conversation.optedOut, in: conversation.optedIn, none: conversation.noStatement }[
    state
  ];
  return (
    <section className="card opt-out" data-state={state} aria-label={conversation.history}>
      <p className="opt-out-state">
        <Icon name={state === 'out' ? 'optOuts' : 'check'} />
        <strong>{text}</strong>
        {newest && (
          <span className="since">
            {conversation.since} <Time at={newest.at} isStop />
          </span>
        )}
      </p>
      {statements.length > 0 && (
        <details>
          <summary>{conversation.history}</summary>
          <ol className="statements">
            {statements.map(({ state, at, by, replyId, entryId, messageId, reason, recordedBy }) => (
              <li key={`${replyId ?? entryId ?? messageId} ${state} ${at}`}>
                <Time at={at} isStop />
                <span>
                  {state === 'out' ? conversation.statementOut : conversation.statementIn},{' '}
                  {conversation.by[by]}
                </span>
                {recordedBy !== undefined && <ForeignText text={conversation.recordedBy(recordedBy)} />}
                {reason !== undefined && <ForeignText text={reason} />}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
