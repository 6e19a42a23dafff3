import { type Conversation, manualPrefix } from '../api/console-types.ts';
import { ForeignText } from '../parts/entry-links.tsx';
import { Icon } from '../parts/icons.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../viewer/preferences.tsx';

/** Whether a number wants messages, and each statement about it. */
export function OptOutState({ optOut }: Pick<Conversation, 'optOut'>) {
  const { conversation } = useWords();
  const [newest] = optOut.statements;
  const text = { out: conversation.optedOut, in: conversation.optedIn, none: conversation.noStatement }[
    optOut.state
  ];
  return (
    <section className="card opt-out" data-state={optOut.state} aria-label={conversation.history}>
      <p className="opt-out-state">
        <Icon name={optOut.state === 'out' ? 'optOuts' : 'check'} />
        <strong>{text}</strong>
        {newest && (
          <span className="since">
            {conversation.since} <Time at={newest.at} isStop />
          </span>
        )}
      </p>
      {optOut.statements.length > 0 && (
        <details>
          <summary>{conversation.history}</summary>
          <ol className="statements">
            {optOut.statements.map(({ state, at, replyId, reason }) => (
              <li key={`${replyId} ${state} ${at}`}>
                <Time at={at} isStop />
                <span>
                  {state === 'out' ? conversation.statementOut : conversation.statementIn},{' '}
                  {replyId.startsWith(manualPrefix) ? conversation.byOperator : conversation.byReply}
                </span>
                {reason !== undefined && <ForeignText text={reason} />}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
