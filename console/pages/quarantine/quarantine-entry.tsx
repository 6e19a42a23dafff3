import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { QuarantineEntry } from '../../../client/types.ts';
import { shellWord } from '../../../contract/text/shell-word.ts';
import { quarantineEntryQuery, refreshQuarantine, replay, returnedQuery } from '../../api/queries.ts';
import { RequestError } from '../../api/request.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Missing } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { shownText } from '../../rules/shown-text.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
import { QuarantineStep, useQuarantineReason } from './quarantine.tsx';

/** One entry of the quarantine: why it is there, what was received, and its replay. */
export function QuarantineEntryPage() {
  const words = useWords();
  const { entryId } = useParams({ from: '/quarantine/$entryId' });
  const entry = useQuery(quarantineEntryQuery(entryId));
  return (
    <Page
      title={words.quarantine.entryTitle}
      actions={entry.data && <ReplayButton key={entryId} entry={entry.data} />}
    >
      {entry.data === undefined ? (
        <Missing
          query={entry}
          unknown={{ title: words.quarantine.unknownTitle, text: words.quarantine.unknown }}
        />
      ) : (
        <EntryDetail entry={entry.data} />
      )}
    </Page>
  );
}

/** A body of line breaks only would have 262,144 blocks. */
const maxLines = 2000;

function EntryDetail({ entry }: { readonly entry: QuarantineEntry }) {
  const { masked } = useSession();
  const { columns, quarantine, states } = useWords();
  const reasonText = useQuarantineReason();
  const received = entry.encoding === 'utf8' ? readableJson(entry.raw) : entry.raw;
  // Each line is a block, so that a browser lays out one at a time.
  const all = received.split('\n');
  const lines = all.slice(0, maxLines).map((line) => shownText(line));
  const isCut = all.length > maxLines || lines.some((line) => line.wholeLength !== undefined);
  return (
    <>
      <section className="card" aria-label={columns.reason}>
        <p className="why-quarantined">{reasonText(entry.reason)}</p>
        <QuarantineStep reason={entry.reason} />
        <dl className="facts">
          <dt>{columns.reason}</dt>
          <dd>
            <code>{entry.reason}</code>
          </dd>
          {entry.field !== null && (
            <>
              <dt>{columns.field}</dt>
              <dd>
                <code>{entry.field}</code>
              </dd>
            </>
          )}
          <dt>{columns.received}</dt>
          <dd>
            <Time at={entry.receivedAt} isStop />
          </dd>
          <dt>{columns.entry}</dt>
          <dd>{entry.index === null ? quarantine.whole : quarantine.position(entry.index)}</dd>
          {entry.method !== undefined && (
            <>
              <dt>{quarantine.method}</dt>
              <dd>
                <code>{entry.method}</code>
              </dd>
            </>
          )}
          <dt>{columns.request}</dt>
          <dd>
            <Copyable text={entry.requestId} label={columns.request} />
          </dd>
          <dt>{quarantine.command}</dt>
          <dd>
            <Copyable text={`sms quarantine replay --id ${shellWord(entry.id)}`} label={quarantine.command} />
          </dd>
          {entry.contract !== undefined && (
            <>
              <dt>{quarantine.contract}</dt>
              <dd>
                <Copyable text={entry.contract} label={quarantine.contract} />
              </dd>
            </>
          )}
        </dl>
      </section>
      <section className="card" aria-labelledby="received">
        <h2 id="received">{quarantine.received}</h2>
        {masked && <p className="note">{quarantine.unmasked}</p>}
        {entry.encoding === 'base64' && <p className="note">{quarantine.base64}</p>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
        <pre className="raw" tabIndex={0} dir="ltr">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have an order.
            <div key={index}>{`${line.text}\n`}</div>
          ))}
        </pre>
        {isCut && <p className="note">{states.cutText(entry.raw.length)}</p>}
      </section>
      <section className="card" aria-labelledby="headers">
        <h2 id="headers">{quarantine.headers}</h2>
        {entry.headers === null ? (
          <p className="note">{quarantine.noHeaders}</p>
        ) : (
          <dl className="facts">
            {Object.entries(entry.headers).map(([name, value]) => (
              <div className="fact" key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  <code>{value}</code>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    </>
  );
}

/** Returns JSON with line breaks; any other text as it is. */
function readableJson(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), undefined, 2);
  } catch {
    return raw;
  }
}

function ReplayButton({ entry }: { readonly entry: QuarantineEntry }) {
  const { quarantine } = useWords();
  const { canReplay } = useSession();
  const client = useQueryClient();
  const reasonText = useQuarantineReason();
  const [isAsking, setAsking] = useState(false);
  const outcome = useRef<HTMLParagraphElement>(null);
  const replaying = useMutation({
    mutationFn: (acceptDuplicates: boolean) => replay(entry.id, acceptDuplicates),
    onSuccess: () => refreshQuarantine(client),
  });
  const isSent = replaying.data?.outcome === 'sent';
  const { returned, isOver } = useReturned(entry, isSent);
  if (!canReplay) return <p className="note">{quarantine.replayNot}</p>;
  const isRead = isSent && isOver && returned === undefined;
  const detail = replaying.error instanceof RequestError ? ` ${replaying.error.problem.detail}` : '';
  return (
    <div className="replay">
      <Button
        className="button primary"
        // A disabled button would lose the focus.
        isPending={replaying.isPending || isSent}
        onPress={() => setAsking(true)}
      >
        {quarantine.replay}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={quarantine.replayTitle}
        text={quarantine.replayText}
        action={quarantine.replay}
        onConfirm={() => replaying.mutate(false)}
      />
      <p
        role="status"
        className="replay-outcome"
        data-good={isRead || undefined}
        data-bad={replaying.isError || (replaying.data && !isSent) || returned !== undefined || undefined}
        tabIndex={-1}
        ref={outcome}
      >
        {replaying.data && <Icon name={isRead ? 'check' : isSent && !returned ? 'pending' : 'alert'} />}
        {replaying.isError && <Icon name="cross" />}
        {replaying.data &&
          (isSent
            ? returned === undefined &&
              `${quarantine.replayed} ${isOver ? quarantine.notReturned : quarantine.mayReturn}`
            : `${quarantine.stays} ${quarantine.whyStays[replaying.data.outcome] ?? replaying.data.why ?? replaying.data.outcome}`)}
        {returned && (
          <>
            {quarantine.returned}{' '}
            <Link to="/quarantine/$entryId" params={{ entryId: returned.id }}>
              {reasonText(returned.reason)}
            </Link>
          </>
        )}
        {replaying.isError && quarantine.replayFailed + detail}
      </p>
      {replaying.data?.outcome === 'unidentifiable' && !replaying.variables && (
        <Button
          className="button"
          onPress={() => {
            // This button disappears.
            outcome.current?.focus();
            replaying.mutate(true);
          }}
        >
          {quarantine.acceptDuplicate}
        </Button>
      )}
    </div>
  );
}

/** The worker reads a replayed request in seconds. */
const returnMs = 60_000;

/** Looks for a minute whether a replayed entry returns to the quarantine. */
function useReturned(entry: QuarantineEntry, isSent: boolean) {
  const client = useQueryClient();
  const [isOver, setOver] = useState(false);
  const { data: returned } = useQuery({ ...returnedQuery(entry), enabled: isSent && !isOver });
  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(() => setOver(true), returnMs);
    return () => clearTimeout(timer);
  }, [isSent]);
  const hasReturned = returned != null;
  useEffect(() => {
    if (!hasReturned) return;
    setOver(true);
    refreshQuarantine(client);
  }, [hasReturned, client]);
  return { returned: returned ?? undefined, isOver };
}
