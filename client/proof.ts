import { type DecisionTexts, decisionOf, decisionText } from './deciding-report.ts';
import type { Message, StatusEvent } from './types.ts';

/** What a proof says of the contract by which reports are read. */
export interface ProofContract {
  /** The hash of the contract in use. */
  readonly hash: string;
  /** The name of the service, if the contract has it. */
  readonly service: string | null;
  /** The words of the service that mean `delivered`; null if they could not be read. */
  readonly delivered: readonly string[] | null;
}

/** What a proof says beyond the message. */
export interface ProofContext {
  readonly pipeline: string;
  /** When the proof is made; ISO 8601. */
  readonly at: string;
  /** The zone of its times: `America/Sao_Paulo`. */
  readonly zone: string;
  /** Undefined if it is not known. */
  readonly contract: ProofContract | undefined;
  /** Whether the number is masked. */
  readonly isMasked: boolean;
}

/** How values are written. */
export interface ProofFormats {
  readonly status: (status: string) => string;
  /** A reason of a failure; empty without one. */
  readonly reason: (report: StatusEvent) => string;
  readonly number: (number: string) => string;
  /** A time with date, year and zone. */
  readonly time: (iso: string) => string;
  /** The same in UTC. */
  readonly utc: (iso: string) => string;
  /** The time between two times, whichever is first. */
  readonly duration: (one: string, other: string) => string;
  /** What was not read exactly of a report. */
  readonly doubts: (report: StatusEvent) => readonly string[];
}

/** A line of a proof: `Received: 29 Nov 2026, 16:01:23`, and what is beside it. */
interface ProofFact {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}

interface ProofSection {
  readonly title: string;
  readonly facts?: readonly ProofFact[];
  readonly sentences?: readonly string[];
}

export interface Proof {
  readonly title: string;
  /** What it is about, before the reports. */
  readonly head: readonly ProofFact[];
  readonly message: ProofSection;
  readonly reportsTitle: string;
  /** By the time they happened. */
  readonly reports: readonly (Required<Pick<ProofSection, 'title' | 'facts'>> & { readonly mark?: string })[];
  readonly sections: readonly Required<Pick<ProofSection, 'title' | 'sentences'>>[];
}

/** The words of a proof in a language. */
export interface ProofTexts {
  readonly title: string;
  readonly pipeline: string;
  readonly made: string;
  readonly zone: string;
  readonly utc: (time: string) => string;
  readonly message: string;
  readonly status: string;
  readonly final: string;
  readonly open: string;
  readonly number: string;
  readonly noNumber: string;
  readonly masked: string;
  readonly sender: string;
  readonly noSender: string;
  readonly messageId: string;
  readonly send: string;
  readonly source: string;
  readonly service: string;
  readonly channel: string;
  readonly firstReceived: string;
  readonly contract: string;
  readonly contractNote: string;
  readonly unknownContract: string;
  readonly reports: (count: number) => string;
  readonly decides: string;
  readonly happened: string;
  readonly received: string;
  readonly after: (duration: string) => string;
  readonly before: (duration: string) => string;
  readonly word: string;
  readonly reason: string;
  readonly errorCode: string;
  readonly errorText: string;
  readonly origin: string;
  readonly origins: Readonly<Record<'webhook' | 'lookup' | 'import', string>>;
  readonly part: string;
  readonly notRead: string;
  readonly eventId: string;
  readonly decision: string;
  readonly decidedBy: (status: string, time: string) => string;
  readonly conflict: string;
  readonly why: DecisionTexts;
  readonly meaning: (delivered: string) => string;
  readonly words: (words: string, delivered: string) => string;
  readonly noWords: (delivered: string) => string;
  readonly unreadWords: (delivered: string) => string;
  readonly noConfirmation: string;
  readonly limits: string;
  readonly limit: readonly string[];
}

/** Makes what a proof of a message says: what is known, by whom and since when, and what is not known. */
export function proofOf(
  message: Omit<Message, 'events'> & { readonly events: readonly StatusEvent[] },
  { pipeline, at, zone, contract, isMasked }: ProofContext,
  texts: ProofTexts,
  formats: ProofFormats,
): Proof {
  const { status: nameOf, time, utc } = formats;
  const timeFact = (name: string, iso: string, note?: string): ProofFact => ({
    name,
    value: time(iso),
    note: [texts.utc(utc(iso)), note].filter((part) => part !== undefined).join('; '),
  });
  const decision = decisionOf(message);
  const hasParts = new Set(message.events.map(({ partId }) => partId)).size > 1;
  const delivered = nameOf('delivered');
  return {
    title: texts.title,
    head: [
      { name: texts.pipeline, value: pipeline },
      timeFact(texts.made, at),
      { name: texts.zone, value: zone },
    ],
    message: {
      title: texts.message,
      facts: [
        { name: texts.status, value: nameOf(message.status), note: message.final ? texts.final : texts.open },
        message.phone === null
          ? { name: texts.number, value: texts.noNumber }
          : {
              name: texts.number,
              value: formats.number(message.phone),
              ...(isMasked && { note: texts.masked }),
            },
        { name: texts.sender, value: texts.noSender },
        { name: texts.messageId, value: message.messageId },
        ...(message.sendId === null ? [] : [{ name: texts.send, value: message.sendId }]),
        ...(message.source === undefined ? [] : [{ name: texts.source, value: message.source }]),
        ...(contract?.service == null ? [] : [{ name: texts.service, value: contract.service }]),
        ...(message.channel === undefined ? [] : [{ name: texts.channel, value: message.channel }]),
        timeFact(texts.firstReceived, message.firstSeenAt),
        contract === undefined
          ? { name: texts.contract, value: texts.unknownContract }
          : { name: texts.contract, value: contract.hash, note: texts.contractNote },
      ],
    },
    reportsTitle: texts.reports(message.events.length),
    reports: message.events.map((report) => ({
      title: nameOf(report.status),
      ...(report === decision?.report && { mark: texts.decides }),
      facts: [
        timeFact(texts.happened, report.occurredAt),
        timeFact(
          texts.received,
          report.receivedAt,
          (report.receivedAt < report.occurredAt ? texts.before : texts.after)(
            formats.duration(report.occurredAt, report.receivedAt),
          ),
        ),
        { name: texts.origin, value: texts.origins[report.origin ?? 'webhook'] },
        ...known(texts.word, report.word),
        ...known(texts.reason, formats.reason(report) || undefined),
        ...known(texts.errorCode, report.errorCode),
        ...known(texts.errorText, report.errorText),
        ...known(texts.part, hasParts ? report.partId : undefined),
        ...formats.doubts(report).map((value) => ({ name: texts.notRead, value })),
        { name: texts.eventId, value: report.eventId },
      ],
    })),
    sections: [
      ...(decision === undefined
        ? []
        : [
            {
              title: texts.decision,
              sentences: [
                texts.decidedBy(nameOf(decision.report.status), time(decision.report.occurredAt)),
                decisionText(decision, texts.why, nameOf),
                ...(message.conflict ? [texts.conflict] : []),
              ],
            },
          ]),
      {
        title: texts.meaning(delivered),
        sentences: meaningOf(contract?.delivered ?? null, delivered, texts),
      },
      { title: texts.limits, sentences: texts.limit },
    ],
  };
}

function known(name: string, value: string | undefined): readonly ProofFact[] {
  return value === undefined ? [] : [{ name, value }];
}

function meaningOf(words: readonly string[] | null, delivered: string, texts: ProofTexts): readonly string[] {
  if (words === null) return [texts.unreadWords(delivered), texts.noConfirmation];
  const sentence =
    words.length === 0
      ? texts.noWords(delivered)
      : texts.words(words.map((word) => `“${word}”`).join(', '), delivered);
  return [sentence, texts.noConfirmation];
}
