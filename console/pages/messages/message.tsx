import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Message } from '../../../client/types.ts';
import { messageQuery } from '../../api/queries.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { ForeignText, SendLink } from '../../parts/entry-links.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Missing } from '../../parts/notice.tsx';
import { NumberText } from '../../parts/number-text.tsx';
import { Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { MessageReports } from './message-reports.tsx';

/** One message: its status, every report about it, and which report decides. */
export function MessagePage() {
  const words = useWords();
  const { messageId } = useParams({ from: '/messages/$messageId' });
  const message = useQuery(messageQuery(messageId));
  // An address with a masked id may be opened by a viewer who may see the id.
  const shownId = message.data?.messageId ?? messageId;
  return (
    <Page
      title={words.message.title}
      id={shownId}
      subject={<code>{shownId}</code>}
      actions={
        message.data && (
          <Link className="button" to="/messages/$messageId/proof" params={{ messageId }}>
            {words.message.proof}
          </Link>
        )
      }
    >
      {message.data === undefined ? (
        <Missing
          query={message}
          unknown={{ title: words.message.unknownTitle, text: words.message.unknown }}
        />
      ) : (
        <MessageDetail message={message.data} />
      )}
    </Page>
  );
}

function MessageDetail({ message }: { readonly message: Message }) {
  const words = useWords();
  return (
    <>
      <section className="card summary" aria-label={words.columns.status}>
        <p className="summary-status">
          <Status status={message.status} />
          <span className="since">
            {words.conversation.since} <Time at={message.statusAt} isStop />
          </span>
        </p>
        <p className="summary-number">
          {message.phone === null ? (
            words.message.noNumber
          ) : (
            <>
              <span className="number">
                <NumberText number={message.phone} />
              </span>
              <Link className="button" to="/conversations/$of" params={{ of: `m~${message.messageId}` }}>
                <Icon name="replies" />
                {words.message.conversation}
              </Link>
            </>
          )}
        </p>
        <p className="note">{message.final ? words.message.final : words.message.open}</p>
      </section>
      {message.conflict && (
        <section className="card conflict" role="alert">
          <h2>
            <Icon name="alert" />
            {words.message.conflictTitle}
          </h2>
          <p>{words.message.conflict}</p>
        </section>
      )}
      <MessageReports message={message} />
      <CostAndRoute message={message} />
      <section className="card" aria-labelledby="identifiers">
        <h2 id="identifiers">{words.message.identifiers}</h2>
        <dl className="facts">
          <dt>{words.columns.messageId}</dt>
          <dd>
            <Copyable text={message.messageId} label={words.columns.messageId} />
          </dd>
          {message.phone !== null && (
            <>
              <dt>{words.columns.number}</dt>
              <dd>
                <Copyable text={message.phone} label={words.columns.number} />
              </dd>
            </>
          )}
          {message.sendId !== null && (
            <>
              <dt>{words.columns.send}</dt>
              <dd>
                <Copyable text={message.sendId} label={words.columns.send}>
                  <SendLink sendId={message.sendId} />
                </Copyable>
              </dd>
            </>
          )}
          <dt>{words.columns.firstSeen}</dt>
          <dd>
            <Time at={message.firstSeenAt} isStop />
          </dd>
        </dl>
      </section>
    </>
  );
}

/** What the message cost and how it was sent, if a report has any of it. */
function CostAndRoute({ message }: { readonly message: Message }) {
  const { message: texts, columns } = useWords();
  const { money } = useFormats();
  const { price, currency, segments, network, carrier } = message;
  const facts = [
    [columns.price, price === undefined || currency === undefined ? undefined : money(price, currency)],
    [columns.segments, segments],
    [columns.network, network],
    [columns.carrier, carrier && <ForeignText text={carrier} />],
  ] as const;
  const known = facts.filter(([, value]) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <section className="card" aria-labelledby="cost">
      <h2 id="cost">{texts.costAndRoute}</h2>
      <dl className="facts">
        {known.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
