import { Link } from '@tanstack/react-router';
import { type Decision, decisionOf, decisionText } from '../../../client/deciding-report.ts';
import type { Message, StatusEvent } from '../../../client/types.ts';
import { ReportLine } from '../../charts/report-line.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { ForeignText } from '../../parts/entry-links.tsx';
import { countedReason, NextStep, Status, useReasonText, useStatusName } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { doubtTexts } from '../../parts/unread-notes.tsx';
import { durationText } from '../../rules/time-text.ts';
import { useWords } from '../../viewer/preferences.tsx';

/** Every report about a message in the order of time, with the one that decides and the reason for it. */
export function MessageReports({ message }: { readonly message: Message }) {
  const words = useWords();
  const decision = decisionOf(message);
  const hasParts = new Set(message.events.map(({ partId }) => partId)).size > 1;
  return (
    <section className="card" aria-labelledby="reports">
      <h2 id="reports">
        {words.message.reports}
        <span className="subject">{words.message.reportCount(message.events.length)}</span>
      </h2>
      {message.events.length > 1 && <ReportLine reports={message.events} />}
      <ol className="timeline">
        {message.events.map((report) => (
          <li key={report.eventId} data-decides={report === decision?.report || undefined}>
            <Report
              report={report}
              decision={report === decision?.report ? decision : undefined}
              showsPart={hasParts}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ReportProps {
  readonly report: StatusEvent;
  /** Whether the message has reports of several parts. */
  readonly showsPart: boolean;
  /** Defined for the report that decides. */
  readonly decision: Decision | undefined;
}

function Report({ report, decision, showsPart }: ReportProps) {
  const words = useWords();
  const reasonText = useReasonText();
  const statusName = useStatusName();
  const { message } = words;
  const doubts = doubtTexts(report, words);
  return (
    <article>
      <h3>
        <Status status={report.status} />
        <Time at={report.occurredAt} isStop />
        {decision && <span className="decides">{message.decides}</span>}
      </h3>
      {decision && <p className="why">{decisionText(decision, words.decision, statusName)}</p>}
      <dl className="facts">
        {reasonText(report) !== '' && (
          <>
            <dt>{message.reason}</dt>
            <dd>
              <ForeignText text={reasonText(report)} />
              {decision && <NextStep reason={countedReason(report)} />}
            </dd>
          </>
        )}
        {report.errorCode !== undefined && (
          <>
            <dt>{message.errorCode}</dt>
            <dd>
              <Link to="/codes/$code" params={{ code: report.errorCode }}>
                <code>{report.errorCode}</code>
              </Link>
            </dd>
          </>
        )}
        {report.errorText !== undefined && (
          <>
            <dt>{message.errorText}</dt>
            <dd>
              <ForeignText text={report.errorText} />
            </dd>
          </>
        )}
        {report.origin !== undefined && (
          <>
            <dt>{message.origin}</dt>
            <dd>{message.origins[report.origin]}</dd>
          </>
        )}
        {report.word !== undefined && (
          <>
            <dt>{message.word}</dt>
            <dd>
              <ForeignText text={report.word} />
            </dd>
          </>
        )}
        {showsPart && report.partId !== undefined && (
          <>
            <dt>{message.part}</dt>
            <dd>
              <code>{report.partId}</code>
            </dd>
          </>
        )}
        {doubts.length > 0 && (
          <>
            <dt>{message.notRead}</dt>
            {doubts.map((doubt) => (
              <dd key={doubt}>{doubt}</dd>
            ))}
          </>
        )}
        <dt>{message.received}</dt>
        <dd>
          <Time at={report.receivedAt} isStop />{' '}
          <span className="delay">
            {(report.receivedAt < report.occurredAt ? message.receivedBefore : message.receivedAfter)(
              durationText(report.occurredAt, report.receivedAt),
            )}
          </span>
        </dd>
        <dt>{message.eventId}</dt>
        <dd>
          <Copyable text={report.eventId} label={message.eventId} />
        </dd>
      </dl>
    </article>
  );
}
