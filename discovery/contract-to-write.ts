import { bodyOfSample, checkSamples, requestOfSample } from '../contract/document/parse.ts';
import { encodeForm } from '../contract/events/body.ts';
import { createMapper } from '../contract/events/mapping.ts';
import type { Place } from '../contract/events/places.ts';
import { withBeside } from '../contract/events/request-values.ts';
import { type Contract, problemOfId } from '../contract/schema/contract-schema.ts';
import { requestForm, requestForms } from '../contract/schema/request-form.ts';
import { isObject } from '../contract/text/json.ts';
import { anonymise } from './anonymise.ts';
import type { CapturedBody, ReadBody } from './captured/parse-bodies.ts';
import type { Discovery } from './discovery.ts';
import type { Kind } from './event-kind.ts';
import type { FoundEvent } from './event-list.ts';
import { samplesThatHold } from './propose-mapping.ts';

type Sample = Contract['samples'][number];

/** More samples would show nothing new. */
const maxSamples = 16;
/** The request of samples without one: a fixed time of receipt, about which times are invented, and a stand-in for a signed id. */
const sampleRequest = { signedId: 'sample', receivedAt: '2026-01-15T12:00:00.000Z' };

interface MadeSamples {
  readonly samples: readonly Sample[];
  /** For how many names no sample could be made, because the contract reads the anonymised event differently. */
  readonly failed: number;
}

/**
 * Makes samples of captured events, one for each kind and status. Their values are invented, as {@link anonymise} says, and the contract reads
 * them as it reads the original events.
 *
 * @param bodies the parsed bodies; each event refers to its own
 */
function makeSamples(
  contract: Contract,
  events: readonly (FoundEvent & { readonly kind: Kind | undefined })[],
  bodies: readonly ReadBody[],
): MadeSamples {
  const map = createMapper(contract);
  const read = (request: SampleRequest, receivedAt: string) => {
    const sample = { name: '', ...request };
    const body = bodyOfSample(sample, requestForm(contract.webhook, sample.method));
    const mapped = map(body, sampleRequest.signedId, receivedAt, requestOfSample(sample));
    return mapped.length === 1 && mapped[0]?.kind === 'event' ? mapped[0].event : undefined;
  };
  const made = new Map<string, Sample>();
  const unmade = new Set<string>();
  for (const event of events) {
    if (made.size >= maxSamples) break;
    const body = bodies[event.body];
    if (body === undefined) continue;
    const whole = withBeside(alone(body.value, event.place), body.beside);
    const asRequest = (value: unknown) => requestOf(value, body.captured, contract.webhook);
    const original = read(asRequest(whole), body.captured.receivedAt);
    if (original === undefined) continue;
    const name = original.kind === 'sms.status' ? `a delivery report: ${wordIn(original)}` : 'a reply';
    if (made.has(name)) continue;
    const invented = anonymise(whole, { kind: original.kind, depth: event.place.length }, contract);
    const request = invented === undefined ? undefined : asRequest(invented);
    const copy = request === undefined ? undefined : read(request, sampleRequest.receivedAt);
    const isAlike =
      copy !== undefined &&
      Object.keys(original).join() === Object.keys(copy).join() &&
      original.kind === copy.kind &&
      (original.kind === 'sms.reply' || copy.kind === 'sms.reply' || original.status === copy.status);
    if (!isAlike) {
      unmade.add(name);
      continue;
    }
    const isOwnId = contract.events.id.from === 'body';
    const becomes = Object.entries(copy).flatMap(([field, value]): [string, string][] =>
      typeof value === 'string' &&
      field !== 'original' &&
      (isOwnId || field !== 'eventId') &&
      !isFromRequest(field, contract, copy.kind)
        ? [[field, value]]
        : [],
    );
    made.set(name, { name, ...request, becomes: [Object.fromEntries(becomes)] });
  }
  return { samples: [...made.values()], failed: [...unmade].filter((name) => !made.has(name)).length };
}

type SampleRequest = Pick<Sample, 'body' | 'method' | 'query'>;

/** Writes a body, with what events get of the URL, as the request of a sample. */
function requestOf(
  value: unknown,
  { method }: CapturedBody,
  { also, reads }: Contract['webhook'],
): SampleRequest {
  const { requestQuery, ...body } = isObject(value) ? value : {};
  const readsQuery = reads?.query !== undefined && method === 'POST';
  return {
    body: jsonOf(readsQuery ? body : value),
    ...(also !== undefined && { method }),
    ...(readsQuery && { query: Buffer.from(encodeForm(requestQuery)).toString() }),
  };
}

/** Recognises values that a sample cannot show: a reply id taken from the event, and a time taken from the receipt. */
function isFromRequest(field: string, { events }: Contract, kind: Kind): boolean {
  if (field === 'replyId') return events.reply.replyId === null;
  return field === 'occurredAt' && (kind === 'sms.status' ? events.status : events.reply).occurredAt === null;
}

function wordIn(
  event: { readonly status: string; readonly word?: string } | { readonly text: string },
): string {
  if ('text' in event) return '';
  return event.word ?? event.status;
}

/** Returns a body with only one of its events: every list on the way to it keeps only that element. */
function alone(value: unknown, place: Place): unknown {
  const [step, ...rest] = place;
  if (typeof step === 'number' && Array.isArray(value)) return [alone(value[step], rest)];
  if (typeof step !== 'string' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === step ? alone(inner, rest) : inner]),
  );
}

function jsonOf(value: unknown): Sample['body'] {
  return JSON.parse(JSON.stringify(value));
}

/** The result of a discovery, as a complete contract. */
export interface Writable {
  readonly contract: Contract;
  /** The parts that the contract lacks, in sentences. */
  readonly missing: readonly string[];
  /** Whether the signature or the mapping was searched, and not found. */
  readonly isHalf: boolean;
}

/**
 * Makes a contract with the discovered signature, and with the discovered mapping and its samples. Each stays unchanged if it was not
 * discovered.
 *
 * @param before the contract before the discovery
 * @returns undefined if neither was discovered
 */
export function contractToWrite(discovery: Discovery, before: Contract): Writable | undefined {
  const { signature, proposals, contract, mapping, bodies } = discovery;
  const hasScheme = signature?.kind === 'found';
  const missing = proposals.flatMap(({ key, value, rivals }) =>
    value === undefined ? [rivals.length === 0 ? key : `${key} (perhaps ${rivals.join(' or ')})`] : [],
  );
  const hasMapping = missing.length === 0 && mapping.events.some(({ kind }) => kind !== undefined);
  const noScheme = hasScheme ? [] : ['No signature scheme was found: webhook.signature stays as it is.'];
  if (hasMapping) {
    const { samples, failed } = makeSamples(contract, mapping.events, bodies.bodies);
    const kinds = new Set(samples.flatMap(({ becomes = [] }) => becomes.map(({ kind }) => kind)));
    const kept = (['sms.status', 'sms.reply'] as const)
      .filter((kind) => !kinds.has(kind))
      .flatMap((kind) => samplesThatHold({ ...before, ...rulesOf(contract) }, kind));
    const noSample = failed === 0 ? [] : [`No anonymous sample could be made of ${failed} kinds of events.`];
    return {
      contract: { ...contract, samples: [...samples, ...kept] },
      missing: [...noScheme, ...noSample],
      isHalf: signature !== undefined && !hasScheme,
    };
  }
  if (!hasScheme) return undefined;
  const { scheme } = signature;
  const allows = (from: 'body' | 'content' | 'signed-id') =>
    requestForms(contract.webhook).every(
      ({ signature, method }) => problemOfId(from, signature, method) === undefined,
    );
  const from = (['content', 'signed-id'] as const).find(allows);
  const id = allows(before.events.id.from) || from === undefined ? before.events.id : { from };
  const signed = {
    ...before,
    webhook: {
      ...before.webhook,
      signature: scheme,
      ...(contract.webhook.method === 'GET' ? { method: 'GET' as const, bodyFormat: 'form' as const } : {}),
      ...(contract.webhook.also !== undefined && { also: contract.webhook.also }),
    },
    events: { ...before.events, id },
  };
  const passing = signed.samples.filter(
    (sample) => checkSamples({ ...signed, samples: [sample] }).length === 0,
  );
  const why = missing.length === 0 ? 'no event was recognised' : `not found: ${missing.join(', ')}`;
  return {
    contract: { ...signed, samples: passing },
    missing: [`The mapping stays as it is: ${why}.`],
    isHalf: true,
  };
}

function rulesOf({ webhook, events, statuses, errors }: Contract) {
  return { webhook, events, statuses, errors };
}
