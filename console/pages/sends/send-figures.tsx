import { Link } from '@tanstack/react-router';
import type { Send } from '../../../client/types.ts';
import { Histogram } from '../../charts/histogram.tsx';
import { OutcomeBar } from '../../parts/outcome-bar.tsx';
import { OutcomeTiles } from '../../parts/outcome-tiles.tsx';
import { SpendFacts } from '../../parts/spend-facts.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { SendFailures } from './send-failures.tsx';

/** How a send is doing: its states, times and failures. */
export function SendFiguresView({ send }: { readonly send: Send }) {
  const { figures, columns, send: texts } = useWords();
  const { count } = useFormats();
  return (
    <>
      <section aria-label={figures.label}>
        <OutcomeTiles
          counts={send}
          linkOf={(state, content) => (
            <Link
              to="/sends/$sendId"
              params={{ sendId: send.sendId }}
              search={{ state: state === 'failed' ? 'failed' : 'pending' }}
              hash="messages"
            >
              {content}
            </Link>
          )}
        />
        <div className="card send-summary">
          <OutcomeBar counts={send} />
          <ul className="status-counts">
            {send.statuses.map(({ status, messages }) => (
              <li key={status}>
                <Status status={status} /> <span className="number">{count(messages)}</span>
              </li>
            ))}
          </ul>
          <dl className="facts-row" aria-label={texts.facts}>
            <div>
              <dt>{columns.firstReport}</dt>
              <dd>
                <Time at={send.firstReportAt} isStop />
              </dd>
            </div>
            <div>
              <dt>{figures.replies}</dt>
              <dd>{count(send.replies)}</dd>
            </div>
            <div>
              <dt>{figures.optOuts}</dt>
              <dd>{count(send.optOuts)}</dd>
            </div>
            <SpendFacts counts={send} />
          </dl>
        </div>
      </section>
      <section className="card" aria-labelledby="times">
        <h2 id="times">{figures.timeToDelivery}</h2>
        <Histogram send={send} />
      </section>
      <SendFailures sendId={send.sendId} failures={send.failures} failed={send.failed} />
    </>
  );
}
