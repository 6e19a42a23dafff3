import { bodyOfSample, checkSamples } from '../document/parse.ts';
import { isObject } from '../events/body.ts';
import { createMapper } from '../events/mapping.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { anonymise } from './anonymise.ts';
import type { CapturedBody } from './captured/capture.ts';
import type { Steps } from './captured/field-names.ts';
import type { Discovery } from './discovery.ts';
import type { Kind } from './event-kind.ts';
import type { FoundEvent } from './event-list.ts';
import { samplesThatHold } from './propose-mapping.ts';

type Sample = Contract['samples'][number];

/** More samples than that say nothing new. */
const maxSamples = 16;
/** When samples that do not say so came; any id that a signature covered stands for this one. */
const sampleRequest = { signedId: 'sample', receivedAt: '2026-01-15T12:00:00.000Z' };

interface MadeSamples {
  readonly samples: readonly Sample[];
  /** How many events could not be made one of: anonymised they would be read differently. */
  readonly left: number;
}

/**
 * Makes samples of captured events, one for each kind and status word: every number, text, id, name and time in them is
 * invented, and the contract reads them as it reads what they were made of.
 *
 * @param bodies as they were parsed; events say which is theirs
 */
function makeSamples(
  contract: Contract,
  events: readonly (FoundEvent & { readonly kind: Kind | undefined })[],
  bodies: readonly { readonly captured: CapturedBody; readonly value: unknown }[],
): MadeSamples {
  const map = createMapper(contract);
  const read = (value: unknown) => {
    const body = bodyOfSample({ name: '', body: jsonOf(value) }, contract.webhook.bodyFormat);
    const mapped = map(body, sampleRequest.signedId, sampleRequest.receivedAt);
    return mapped.length === 1 && mapped[0]?.kind === 'event' ? mapped[0].event : undefined;
  };
  const made = new Map<string, Sample>();
  const unmade = new Set<string>();
  for (const event of events) {
    if (made.size >= maxSamples) break;
    const whole = bodies[event.body]?.value;
    const original = read(alone(whole, event.at));
    if (original === undefined) continue;
    const name = original.kind === 'sms.status' ? `a delivery report: ${wordIn(original)}` : 'a reply';
    if (made.has(name)) continue;
    const body = anonymise(alone(whole, event.at), { kind: original.kind, depth: event.at.length }, contract);
    const copy = body === undefined ? undefined : read(body);
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
      !isArrival(field, contract, copy.kind)
        ? [[field, value]]
        : [],
    );
    made.set(name, { name, body: jsonOf(body), becomes: [Object.fromEntries(becomes)] });
  }
  return { samples: [...made.values()], left: [...unmade].filter((name) => !made.has(name)).length };
}

/** Without an id of its own a reply goes by the event's, and without a time by that of arrival: a sample cannot show them. */
function isArrival(field: string, { events }: Contract, kind: Kind): boolean {
  if (field === 'replyId') return events.reply.replyId === null;
  return field === 'occurredAt' && (kind === 'sms.status' ? events.status : events.reply).occurredAt === null;
}

function wordIn(
  event: { readonly status: string; readonly word?: string } | { readonly text: string },
): string {
  if ('text' in event) return '';
  return event.word ?? event.status;
}

/** A body with one of its events alone: of every list on the way to it nothing but that element. */
function alone(value: unknown, at: Steps): unknown {
  const [step, ...rest] = at;
  if (typeof step === 'number' && Array.isArray(value)) return [alone(value[step], rest)];
  if (typeof step !== 'string' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === step ? alone(inner, rest) : inner]),
  );
}

function jsonOf(value: unknown): Sample['body'] {
  return JSON.parse(JSON.stringify(value));
}

/** What of a discovery can be written, as a whole contract. */
export interface Writable {
  readonly contract: Contract;
  /** What is not in it, in sentences. */
  readonly missing: readonly string[];
}

/**
 * Makes a contract of what was found: the signature, and the mapping with samples. Each is left as it was where it was not
 * found.
 *
 * @param before the contract as it is
 * @returns undefined where neither was found
 */
export function contractToWrite(discovery: Discovery, before: Contract): Writable | undefined {
  const { signature, proposals, contract, mapping, bodies } = discovery;
  const hasScheme = signature?.kind === 'found';
  const unfound = proposals.filter(({ value }) => value === undefined).map(({ key }) => key);
  const hasMapping = unfound.length === 0 && mapping.events.some(({ kind }) => kind !== undefined);
  const noScheme = hasScheme ? [] : ['No signature scheme was found: webhook.signature stays as it is.'];
  if (hasMapping) {
    const { samples, left } = makeSamples(contract, mapping.events, bodies.bodies);
    const kinds = new Set(samples.flatMap(({ becomes = [] }) => becomes.map(({ kind }) => kind)));
    const kept = (['sms.status', 'sms.reply'] as const)
      .filter((kind) => !kinds.has(kind))
      .flatMap((kind) => samplesThatHold({ ...before, ...rulesOf(contract) }, kind));
    const noSample =
      left === 0 ? [] : [`Of ${left} kinds of events no sample could be made that says nothing of anybody.`];
    return { contract: { ...contract, samples: [...samples, ...kept] }, missing: [...noScheme, ...noSample] };
  }
  if (!hasScheme) return undefined;
  const { scheme } = signature;
  const signsId =
    scheme.scheme === 'jwt'
      ? scheme.id !== null
      : 'signedContent' in scheme && scheme.signedContent.includes('{id}');
  const id =
    before.events.id.from === 'signed-id' && !signsId ? ({ from: 'content' } as const) : before.events.id;
  const signed = {
    ...before,
    webhook: { ...before.webhook, signature: scheme },
    events: { ...before.events, id },
  };
  const held = signed.samples.filter((sample) => checkSamples({ ...signed, samples: [sample] }).length === 0);
  const why = unfound.length === 0 ? 'no event was recognised' : `not found: ${unfound.join(', ')}`;
  return {
    contract: { ...signed, samples: held },
    missing: [`The mapping stays as it is: ${why}.`],
  };
}

function rulesOf({ webhook, events, statuses, errors }: Contract) {
  return { webhook, events, statuses, errors };
}
