import type { ReactNode } from 'react';
import type { Health } from '../../../client/types.ts';
import { CountsHead } from '../../parts/bar-table.tsx';
import { ForeignText } from '../../parts/entry-links.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';

interface CardProps {
  /** Named by links of checks. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the health. Its title is also the name of its section. */
function Card({ id, title, children }: CardProps) {
  return (
    <section className="card" id={id} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** What the checks are about: the webhook and its secret, queues, dead letters, alarms, and how events differ from the contract. */
export function HealthDetails({ health }: { readonly health: Health }) {
  const { health: words } = useWords();
  const { place, sources } = useSession();
  const { count, wait } = useFormats();
  const { webhook, queues, deadLetters, alarms, contractDrift } = health;
  return (
    <>
      <Card id="webhook" title={sources.length > 1 ? `${words.webhook.title}: main` : words.webhook.title}>
        {webhook === null ? <NotRead command="sms webhook status" /> : <Webhook webhook={webhook} />}
      </Card>
      <Card id="queues" title={words.queues}>
        {queues === null ? (
          <NotRead command="sms doctor" />
        ) : (
          <Counts
            label={words.queues}
            last={words.oldest}
            rows={queues.map(({ oldestSeconds, ...counts }) => ({
              ...counts,
              last: oldestSeconds === null ? '–' : wait(oldestSeconds * 1000),
            }))}
          />
        )}
      </Card>
      <Card id="dead-letters" title={words.deadLetters}>
        {deadLetters === null ? (
          <NotRead command="sms dead-letter list" />
        ) : (
          <Counts
            label={words.deadLetters}
            last={words.oldest}
            rows={deadLetters.map(({ oldestSeenAt, ...counts }) => ({
              ...counts,
              last: oldestSeenAt === null ? '–' : <Time at={oldestSeenAt} isStop />,
            }))}
          />
        )}
      </Card>
      <Card id="alarms" title={words.alarms}>
        {alarms === null && place === 'local' && <p className="note">{words.noAlarmsHere}</p>}
        {alarms === null && place !== 'local' && <NotRead command="sms doctor" />}
        {alarms?.length === 0 && <p>{words.noAlarms}</p>}
        {alarms !== null && alarms.length > 0 && (
          <ul className="findings">
            {alarms.map(({ name, since, description }) => (
              <li key={name}>
                <strong>{name}</strong>
                {since !== null && (
                  <>
                    , {words.since} <Time at={since} isStop />
                  </>
                )}
                {description !== null && <p className="note">{description}</p>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card id="drift" title={words.drift}>
        {contractDrift === null && <NotRead command="sms contract drift" />}
        {contractDrift?.mismatches.length === 0 && <p>{words.noDrift}</p>}
        {contractDrift !== null && contractDrift.mismatches.length > 0 && (
          <ul className="findings">
            {contractDrift.mismatches.map(
              ({ source, kind, field, expected, found, word, example, events, foundAt }) => (
                <li key={[source, kind, field, expected, found, word].join()}>
                  <strong>{words.differences[kind]}</strong> <code>{field}</code>
                  {source !== undefined && <> ({source})</>}
                  <p className="note">
                    {words.expected} <span lang="en">{expected}</span>, {words.found}{' '}
                    <ForeignText text={[found, word ?? example].filter(Boolean).join(': ')} />
                    {events !== undefined && `, ${words.events(count(events), events)}`}, {words.since}{' '}
                    <Time at={foundAt} isStop />
                  </p>
                </li>
              ),
            )}
          </ul>
        )}
      </Card>
    </>
  );
}

/** A part that this console may not read, or could not read. A check above says which. */
function NotRead({ command }: { readonly command: string }) {
  const { health } = useWords();
  return (
    <p className="note">
      {health.notRead} <code>{command}</code>
    </p>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A time; a word for none where the pipeline knows none. */
function KnownTime({ at }: { readonly at: string | null }) {
  const { health } = useWords();
  return at === null ? health.none : <Time at={at} isStop />;
}

function Webhook({ webhook }: { readonly webhook: NonNullable<Health['webhook']> }) {
  const { health } = useWords();
  const { webhook: words } = health;
  const { secret, drift, lastReconcile } = webhook;
  return (
    <dl className="facts">
      <Fact name={words.state}>{words.states[webhook.state]}</Fact>
      <Fact name={words.url}>
        {webhook.registeredUrl === '' ? health.none : <code>{webhook.registeredUrl}</code>}
      </Fact>
      {webhook.serviceFailure !== null && <Fact name={words.failure}>{webhook.serviceFailure}</Fact>}
      {drift !== null && (
        <Fact name={words.changed}>
          {drift.kinds.map((kind) => words.changes[kind]).join(', ')}, {health.since}{' '}
          <Time at={drift.since} isStop />
        </Fact>
      )}
      <Fact name={words.secret}>{secret.stored ? words.stored : words.notStored}</Fact>
      {secret.matchesService !== null && (
        <Fact name={words.matches}>{secret.matchesService ? words.yes : words.no}</Fact>
      )}
      <Fact name={words.secretSince}>
        <KnownTime at={secret.since} />
      </Fact>
      <Fact name={words.rotation}>
        {secret.rotating === null ? (
          words.noRotation
        ) : (
          <>
            {words.rotating} <Time at={secret.rotating.since} isStop />
          </>
        )}
      </Fact>
      {secret.previousValidUntil !== null && (
        <Fact name={words.previous}>
          <Time at={secret.previousValidUntil} isStop />
        </Fact>
      )}
      <Fact name={words.reconcile}>
        <KnownTime at={lastReconcile?.at ?? null} />
        {lastReconcile?.failure != null && `: ${lastReconcile.failure}`}
      </Fact>
      <Fact name={words.verified}>
        <KnownTime at={webhook.lastVerifiedAt} />
      </Fact>
      <Fact name={words.mismatches}>{webhook.mismatchesLastHour}</Fact>
    </dl>
  );
}

interface CountsProps {
  readonly label: string;
  /** The header of the last column. */
  readonly last: string;
  readonly rows: readonly {
    /** The output that holds its URL. */
    readonly name: string;
    readonly waiting: number;
    readonly inFlight: number;
    readonly last: ReactNode;
  }[];
}

/** Queues with the approximate number of their messages. */
function Counts({ label, last, rows }: CountsProps) {
  const { health } = useWords();
  const { count } = useFormats();
  return (
    <table className="plain-table">
      <caption className="visually-hidden">{label}</caption>
      <CountsHead headers={[health.queue, health.waiting, health.inFlight, last]} />
      <tbody>
        {rows.map(({ name, waiting, inFlight, last: value }) => (
          <tr key={name} data-filled={waiting + inFlight > 0 || undefined}>
            <th scope="row">{name.replace(/Url$/, '')}</th>
            <td className="numeric">{count(waiting)}</td>
            <td className="numeric">{count(inFlight)}</td>
            <td className="numeric">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
