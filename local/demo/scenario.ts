/** An event as `POST /sandbox/events` accepts it. */
export interface SandboxEvent {
  readonly kind: 'sms.status' | 'sms.reply';
  readonly fields: Readonly<Record<string, string>>;
}

interface ExpectedMessage {
  readonly messageId: string;
  /** The canonical status it must end with. */
  readonly status: string;
  /** The number of events that its history must have, without repeats. */
  readonly events: number;
}

/** A send of several messages, with the expected end of each. */
export interface Scenario {
  readonly sendId: string;
  /** Oldest first. */
  readonly events: readonly SandboxEvent[];
  readonly messages: readonly ExpectedMessage[];
  /** A message whose history is worth showing. */
  readonly shown: { readonly messageId: string; readonly phone: string };
  /** The number of messages whose outcome no report says. */
  readonly pending: number;
  /** The ids of the messages that fail. */
  readonly failures: readonly string[];
  /** The recipient that replies STOP. */
  readonly optingOut: { readonly messageId: string; readonly phone: string };
}

interface Course {
  readonly statuses: readonly string[];
  readonly error?: { readonly errorCode: string; readonly errorText: string };
}

const WAY = ['accepted', 'queued', 'sent'];

const COURSES: readonly Course[] = [
  { statuses: [...WAY, 'delivered', 'read'] },
  { statuses: [...WAY, 'delivered'] },
  { statuses: [...WAY, 'delivered'] },
  {
    statuses: [...WAY, 'undelivered'],
    error: { errorCode: '30003', errorText: 'handset unreachable' },
  },
  { statuses: [...WAY, 'delivered'] },
  { statuses: [...WAY, 'expired'] },
  { statuses: [...WAY, 'undelivered'], error: { errorCode: '30003', errorText: 'handset unreachable' } },
  { statuses: ['accepted', 'rejected'], error: { errorCode: '21610', errorText: 'number opted out' } },
  { statuses: [...WAY, 'delivered', 'read'] },
  { statuses: [...WAY, 'delivered'] },
];

const FAILURES: ReadonlySet<string> = new Set(['expired', 'rejected', 'failed', 'undelivered']);

const SUCCESSES: ReadonlySet<string> = new Set(['delivered', 'read']);

const SENDER = '+12025550100';
const STATUS_INTERVAL_MS = 2000;
const MAX_STATUSES = Math.max(...COURSES.map(({ statuses }) => statuses.length));

/**
 * @param now ms since the epoch: shortly after the last of the events
 * @param id makes the ids of one scenario different from another's
 * @param reported the canonical statuses that the contract has words for; others are not sent
 */
export function demonstrationScenario(now: number, id: string, reported: ReadonlySet<string>): Scenario {
  const courses = COURSES.map(({ statuses, ...rest }) => ({
    ...rest,
    statuses: statuses.filter((status) => reported.has(status)),
  })).filter(({ statuses }) => statuses.length > 0);
  const events = courses.flatMap(({ statuses, error }, index) =>
    statuses.map((status, step): SandboxEvent => {
      const fields = {
        messageId: messageIdOf(id, index),
        sendId: sendIdOf(id),
        recipient: phoneOf(index),
        status,
        occurredAt: new Date(now - (MAX_STATUSES - step) * STATUS_INTERVAL_MS).toISOString(),
      };
      const ends = step === statuses.length - 1;
      return { kind: 'sms.status', fields: ends ? { ...fields, ...error } : fields };
    }),
  );
  const messages = courses.map(({ statuses }, index) => ({
    messageId: messageIdOf(id, index),
    status: statuses.at(-1) ?? '',
    events: statuses.length,
  }));
  const recipient = (index: number) => ({ messageId: messageIdOf(id, index), phone: phoneOf(index) });
  return {
    sendId: sendIdOf(id),
    events,
    messages,
    shown: recipient(0),
    pending: messages.filter(({ status }) => !FAILURES.has(status) && !SUCCESSES.has(status)).length,
    failures: messages.filter(({ status }) => FAILURES.has(status)).map(({ messageId }) => messageId),
    optingOut: recipient(1),
  };
}

/** Divides the events into two parts, each with reports of every message, so that the figures of the send change while it is under way. */
export function partsOf({ events }: Scenario): readonly (readonly SandboxEvent[])[] {
  const isEven = (_: SandboxEvent, index: number) => index % 2 === 0;
  return [events.filter(isEven), events.filter((event, index) => !isEven(event, index))].filter(
    (part) => part.length > 0,
  );
}

/** The recipient of the shown message replies. @param now ms since the epoch */
export function replyTo({ shown }: Scenario, now: number): SandboxEvent {
  return reply(shown, 'Thanks, see you at nine', now);
}

/** A recipient replies STOP. @param now ms since the epoch */
export function stopFrom({ optingOut }: Scenario, now: number): SandboxEvent {
  return reply(optingOut, 'STOP', now);
}

function reply({ messageId, phone }: Scenario['shown'], text: string, now: number): SandboxEvent {
  const fields = {
    replyId: `${messageId}-reply`,
    messageId,
    from: phone,
    to: SENDER,
    text,
    occurredAt: new Date(now).toISOString(),
  };
  return { kind: 'sms.reply', fields };
}

const sendIdOf = (id: string) => `demo-${id}`;

function messageIdOf(id: string, index: number): string {
  return `demo-${id}-${String(index + 1).padStart(2, '0')}`;
}

function phoneOf(index: number): string {
  return `+1202555${String(110 + index).padStart(4, '0')}`;
}
