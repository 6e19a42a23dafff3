import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Button } from 'react-aria-components';
import { type Proof, proofOf } from '../../../client/proof.ts';
import type { Message } from '../../../client/types.ts';
import { messageQuery } from '../../api/queries.ts';
import { ForeignText } from '../../parts/entry-links.tsx';
import { Missing } from '../../parts/notice.tsx';
import { NumberText } from '../../parts/number-text.tsx';
import { Page } from '../../parts/page.tsx';
import { useReasonText, useStatusName } from '../../parts/status.tsx';
import { doubtTexts } from '../../parts/unread-notes.tsx';
import { isMasked } from '../../rules/search-kind.ts';
import { browserZone, durationText, timeTexts, timeWithOffset } from '../../rules/time-text.ts';
import { usePreferences, useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
import { proofTexts } from '../../words/proof.ts';

/** What is known about one message, for paper: its reports, which of them decides, and what they do not prove. */
export function ProofPage() {
  const words = useWords();
  const { language } = usePreferences();
  const { messageId } = useParams({ from: '/messages/$messageId/proof' });
  const message = useQuery(messageQuery(messageId));
  // An address with a masked id may be opened by a viewer who may see the id.
  const shownId = message.data?.messageId ?? messageId;
  return (
    <Page
      title={proofTexts[language].title}
      id={shownId}
      subject={<code>{shownId}</code>}
      className="proof"
      actions={
        <>
          <Link className="button" to="/messages/$messageId" params={{ messageId }}>
            {words.actions.back}
          </Link>
          {message.data && (
            <Button className="button primary" onPress={() => window.print()}>
              {words.message.print}
            </Button>
          )}
        </>
      }
    >
      {message.data === undefined ? (
        <Missing
          query={message}
          unknown={{ title: words.message.unknownTitle, text: words.message.unknown }}
        />
      ) : (
        <ProofOf message={message.data} readAt={message.dataUpdatedAt} />
      )}
    </Page>
  );
}

interface ProofOfProps {
  readonly message: Message;
  /** When the message was read; milliseconds since the epoch. */
  readonly readAt: number;
}

function ProofOf({ message, readAt }: ProofOfProps) {
  const words = useWords();
  const { language, timeZone } = usePreferences();
  const { pipeline, contracts } = useSession();
  const status = useStatusName();
  const reason = useReasonText();
  const proof = useMemo(
    () =>
      proofOf(
        message,
        {
          pipeline,
          at: new Date(readAt).toISOString(),
          zone: timeZone ?? browserZone(),
          contract: contracts.find(({ source }) => source === (message.source ?? 'main')),
          isMasked: message.phone !== null && isMasked(message.phone),
        },
        proofTexts[language],
        {
          status,
          reason,
          number: (number) => number,
          time: (iso) => timeWithOffset(iso, language, timeZone),
          utc: (iso) => timeTexts(iso, language, 'UTC').shown,
          duration: durationText,
          doubts: (report) => doubtTexts(report, words),
        },
      ),
    [message, readAt, pipeline, contracts, language, timeZone, status, reason, words],
  );
  return (
    <>
      <Facts facts={proof.head} />
      <section>
        <h2>{proof.message.title}</h2>
        <Facts facts={proof.message.facts ?? []} number={message.phone} />
      </section>
      <section>
        <h2>{proof.reportsTitle}</h2>
        <ol>
          {proof.reports.map(({ title, mark, facts }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reports have an order.
            <li key={index}>
              <h3>
                {index + 1}. {title}
                {mark !== undefined && <span className="decides">{mark}</span>}
              </h3>
              <Facts facts={facts} />
            </li>
          ))}
        </ol>
      </section>
      {proof.sections.map(({ title, sentences }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface FactsProps {
  readonly facts: Proof['head'];
  /** The value that is a number, for its groups. */
  readonly number?: string | null;
}

function Facts({ facts, number }: FactsProps) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, note }) => (
        <div className="fact" key={`${name} ${value}`}>
          <dt>{name}</dt>
          <dd>
            {value === number ? <NumberText number={value} /> : <ForeignText text={value} />}
            {note !== undefined && <span className="proof-note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
