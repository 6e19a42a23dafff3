import { diagnoseSignature, type SignatureDiagnosis } from '../../../contract/checks/diagnose-signature.ts';
import { createExplain, type ExplainedEvent } from '../../../contract/checks/explain.ts';
import {
  bodyOfSample,
  createSampleCheck,
  requestOfSample,
  type Sample,
  sampleReceivedAt,
} from '../../../contract/document/parse.ts';
import type { UnreadValue } from '../../../contract/drift/unread-values.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../contract/schema/request-form.ts';
import type { ReplyEvent, StatusEvent } from '../../../contract/schema/sms-event.ts';
import { maxParameters, queryOf } from '../../../contract/signature/request-reader.ts';
import type { Capture, Secrets } from '../../../discovery/captured/capture.ts';
import { withQueryAsBody } from '../../../discovery/signature/readable-capture.ts';
import { reasonMeanings } from '../../../functions/receive/index.ts';

/** Describes a signature's diagnosis in one line, without a secret or a valid signature. */
export function describeSignature(check: SignatureDiagnosis, { webhook }: Pick<Contract, 'webhook'>): string {
  const { signature } = webhook;
  switch (check.kind) {
    case 'verified':
      return 'verified';
    case 'not-signed':
      return 'the contract requires none: every request is accepted';
    case 'no-secret':
      return 'not verified: no secret (--secret-file, --secret-from-service)';
    case 'unusable-secret':
      return `the secret is not in the format of the contract${keyForm(signature)}, so no signature can fit it`;
    case 'mismatch':
      return `does not fit the secret: the secret is another one, the body was changed, or webhook.signature is wrong${coversUrl(signature) ? '; it covers the URL too, which must be the one the service posted to' : ''}`;
    case 'missing':
      return check.headers.length > 0
        ? `missing: ${check.headers.join(', ')}`
        : 'missing: a value of webhook.signature.signedContent is not where the contract says';
    case 'ambiguous-content':
      return 'ambiguous: a value of webhook.signature.signedContent, such as the id, contains the text that separates it from the next one, so another request could have the same signature';
    case 'too-many-parameters':
      return `not verified: it has more than ${maxParameters} parameters, and is answered with 413`;
    case 'timestamp-invalid':
      return 'its timestamp is missing or not a number: see webhook.signature.timestamp';
    case 'outside-window':
      return `its timestamp${check.sentAt === undefined ? '' : ` (${check.sentAt})`} is outside the replay window around its receipt`;
  }
}

/** Returns whether the pipeline would reject a request with this diagnosis. */
export function isRejected({ kind }: SignatureDiagnosis): boolean {
  return kind !== 'verified' && kind !== 'not-signed' && kind !== 'no-secret';
}

/** Names the format of the key in the contract. */
function keyForm(signature: Contract['webhook']['signature']): string {
  if (signature.scheme === 'hash') return '';
  const isShared =
    signature.scheme === 'hmac' || (signature.scheme === 'jwt' && signature.algorithm.startsWith('HS'));
  return isShared ? ` (${signature.secret.encoding})` : ' (a public key of its algorithm)';
}

function coversUrl(signature: Contract['webhook']['signature']): boolean {
  if (signature.scheme === 'jwt') return signature.urlHash !== null;
  return 'signedContent' in signature && /\{(?:url|path|query|host)/.test(signature.signedContent);
}

/** The result of testing a contract with one request. */
export interface TestedRequest {
  readonly name: string;
  readonly isSample: boolean;
  /** Undefined for a sample without a signature. */
  readonly signature: SignatureDiagnosis | undefined;
  /** The origin of a sample's signature. */
  readonly signed?: 'documented' | 'by us';
  /** Empty for a sample that tests only its signature. */
  readonly events: readonly ExplainedEvent[];
  /** The reasons of a failure, a line each. */
  readonly problems: readonly string[];
}

/** Verifies and maps the samples of a contract. */
export function testSamples(contract: Contract): readonly TestedRequest[] {
  const explain = createExplain(contract);
  const check = createSampleCheck(contract);
  return contract.samples.map((sample, index) => {
    const body = bodyOfSample(sample, requestForm(contract.webhook, sample.method));
    const signature = signatureOf(sample, body, contract);
    const signedId = signature?.kind === 'verified' ? signature.signedId : 'sample';
    const explained =
      sample.becomes === undefined
        ? []
        : explain(body, signedId, sampleReceivedAt(sample), requestOfSample(sample));
    const events = sample.request === undefined ? explained.map(withoutOffsets) : explained;
    return {
      name: `sample ${index + 1} "${sample.name}"`,
      isSample: true,
      signature,
      ...(sample.request === undefined ? {} : { signed: sample.request.signed }),
      events,
      problems: [...check(sample), ...explainUnknownFields(sample, events)],
    };
  });
}

/** Removes the offsets that times without a zone seem to have, because the time of receipt of the sample is invented. */
function withoutOffsets({ unread = [], ...explained }: ExplainedEvent): ExplainedEvent {
  const isAssumed = explained.event?.timeIs === 'assumed';
  const kept = unread.flatMap((value): readonly UnreadValue[] => {
    if (!value.problem.startsWith('looks-like-')) return [value];
    return isAssumed ? [{ ...value, problem: 'no-zone' }] : [];
  });
  return { ...explained, ...(kept.length > 0 && { unread: kept }) };
}

/** The fields of events that a sample may compare. */
const comparableFields: Readonly<{
  'sms.status': readonly (keyof StatusEvent)[];
  'sms.reply': readonly (keyof ReplyEvent)[];
}> = {
  'sms.status': [
    ...(['kind', 'eventId', 'messageId', 'sendId', 'phone', 'status', 'rank', 'word', 'occurredAt'] as const),
    ...(['timeIs', 'errorCode', 'errorReason', 'errorText', 'price', 'currency', 'segments'] as const),
    ...(['network', 'carrier', 'channel', 'partId', 'unread', 'original'] as const),
  ],
  'sms.reply': [
    ...([
      'kind',
      'eventId',
      'replyId',
      'messageId',
      'from',
      'to',
      'text',
      'media',
      'channel',
      'optOut',
      'part',
    ] as const),
    ...(['occurredAt', 'timeIs', 'unread', 'original'] as const),
  ],
};

const eventNames = { 'sms.status': 'a delivery report', 'sms.reply': 'a reply' } as const;

/** The field that has the number of the person, by kind of event. */
const numberFields = { 'sms.status': 'phone', 'sms.reply': 'from' } as const;

/** The names of numbers in contracts and events. */
const namesOfNumbers: ReadonlySet<string> = new Set(['phone', 'recipient', 'from', 'to', 'number']);

/** Explains the fields that a sample expects, and that no event of its kind has. */
function explainUnknownFields({ becomes = [] }: Sample, events: readonly ExplainedEvent[]): string[] {
  return becomes.flatMap((expected, index) => {
    const kind = events[index]?.event?.kind;
    if (kind === undefined) return [];
    const known: readonly string[] = comparableFields[kind];
    return Object.keys(expected)
      .filter((field) => !known.includes(field))
      .map((field) => {
        const hint = namesOfNumbers.has(field)
          ? `its number is "${numberFields[kind]}"`
          : `its fields are ${known.join(', ')}`;
        return `event ${index + 1}: ${eventNames[kind]} has no field "${field}"; ${hint}`;
      });
  });
}

function signatureOf(sample: Sample, body: Uint8Array, contract: Contract): SignatureDiagnosis | undefined {
  const { request, method } = sample;
  return (
    request &&
    diagnoseSignature(
      contract,
      { ...request, method, body },
      [request.secret],
      Date.parse(request.receivedAt),
    )
  );
}

/** Returns the path behind that of the webhook, `/webhooks/sms` or `/webhooks/sms/<source>`, as API Gateway passes it on. */
function pathBehind(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/, '').split('?');
  const [, behind = ''] = /^\/webhooks\/sms(?:\/(.*))?$/.exec(path) ?? [];
  return behind;
}

/**
 * Verifies and maps captured requests. It maps rejected requests too.
 *
 * @param now milliseconds since the epoch: the receipt time of requests without one
 */
export function testCaptures(
  contract: Contract,
  captures: readonly Capture[],
  secrets: Secrets,
  now: number,
): readonly TestedRequest[] {
  const explain = createExplain(contract);
  return captures.map(withQueryAsBody).map((capture) => {
    const receivedAt = capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt);
    const signature = diagnoseSignature(contract, capture, secrets(receivedAt ?? now), receivedAt);
    const signedId = signature.kind === 'verified' ? signature.signedId : undefined;
    const { body, method, url } = capture;
    const beside = { method, query: queryOf(url), path: pathBehind(url) };
    const events = explain(body, signedId, new Date(receivedAt ?? now).toISOString(), beside);
    return {
      name: capture.name,
      isSample: false,
      signature,
      events,
      problems: [
        ...(isRejected(signature) ? [`signature: ${describeSignature(signature, contract)}`] : []),
        ...events.flatMap((event, index) => {
          if (event.reason === undefined) return [];
          const field = event.field === undefined ? '' : ` (${event.field})`;
          return [`event ${index + 1}: ${event.reason}${field}: ${reasonMeanings[event.reason]}`];
        }),
      ],
    };
  });
}
