import { diagnoseSignature } from '../contract/checks/diagnose-signature.ts';
import { lenientExpression } from '../contract/events/body.ts';
import { createMapper } from '../contract/events/mapping.ts';
import { type Contract, coversQuery, signsId } from '../contract/schema/contract-schema.ts';
import { requestForm, requestForms } from '../contract/schema/request-form.ts';
import { tokenReaderOf } from '../contract/signature/by-method.ts';
import { hideToken } from '../contract/signature/hidden-values.ts';
import { queryOf, readPart, requestReader } from '../contract/signature/request-reader.ts';
import { createTokenReader } from '../contract/signature/verify.ts';
import { bodyKindOf } from './captured/body-kind.ts';
import type { Capture, Secrets } from './captured/capture.ts';
import { isPhone } from './captured/columns.ts';
import { type CapturedBody, type ParsedBodies, parseBodies } from './captured/parse-bodies.ts';
import { applyProposals, type Proposal } from './proposal.ts';
import { type MappingProposal, proposeErrors, proposeMapping, proposeStatuses } from './propose-mapping.ts';
import type { SearchOutcome } from './signature/find-signature.ts';
import { methodOf, withQueryAsBody } from './signature/readable-capture.ts';
import { findWebhookForms } from './webhook-forms.ts';
import { guessStatus } from './words.ts';

/** The contract that captured requests show. */
export interface Discovery {
  readonly captures: number;
  /** Undefined if there was no secret, so that no search was possible. */
  readonly signature: SearchOutcome | undefined;
  /** The bodies that the mapping is derived from: those whose signature verifies, or all if none does. Of requests that are equal, one. */
  readonly bodies: ParsedBodies;
  readonly bodiesUsed: number;
  /** How many requests were left out because they are equal to another one. */
  readonly repeats: number;
  readonly mapping: MappingProposal;
  /** The proposals for the mapping and for words, as accepted. */
  readonly proposals: readonly Proposal[];
  /** The contract with all of that. */
  readonly contract: Contract;
  /** How the contract reads the bodies. */
  readonly reads: Reads;
  /** What the captures hold that no proposal reads, and what to do, in sentences. */
  readonly remarks: readonly string[];
}

/** How a contract reads captured bodies. */
interface Reads {
  readonly events: number;
  readonly of: number;
  /** The reasons why the other events are not read, with their numbers. */
  readonly problems: readonly string[];
  /** How many events have a number without a country code, which is ambiguous. */
  readonly withoutCountry: number;
}

/** Asks a person about guesses. @returns the proposals as accepted */
export type Answer = (proposals: readonly Proposal[]) => Promise<readonly Proposal[]>;

/**
 * Discovers how captured requests are signed, and where the fields of events are in them.
 *
 * @param contract supplies what the captures do not show
 * @param now milliseconds since the epoch; used for captures without a time of receipt
 */
export async function discover(
  requests: readonly Capture[],
  secrets: Secrets,
  contract: Contract,
  now: number,
  answer: Answer,
): Promise<Discovery> {
  const captures = requests.map(withQueryAsBody);
  const timeOf = ({ receivedAt }: Capture) => (receivedAt === undefined ? now : Date.parse(receivedAt));
  const all = [...new Set(captures.flatMap((capture) => secrets(timeOf(capture))))];
  const { signature, webhook } = findWebhookForms(captures, all, contract.webhook);
  const verifiable = { ...contract, webhook };
  // The token proves the request, and belongs to no event.
  const tokenIn = tokenReaderOf(requestForms(webhook), { createTokenReader });
  const captured = captures.map((capture): readonly [Capture, CapturedBody] => {
    const receivedAt = new Date(timeOf(capture)).toISOString();
    const method = methodOf(capture);
    const shown = hideToken({ ...capture, method }, tokenIn);
    const isReceiptKnown = capture.receivedAt !== undefined;
    return [
      capture,
      {
        bytes: shown.body,
        method,
        query: queryOf(shown.url),
        receivedAt,
        isReceiptKnown,
        ...signedIdOf(capture),
      },
    ];
  });
  const genuine = captured.filter(([capture]) => isVerified(capture));
  const chosen = genuine.length > 0 ? genuine : captured;
  const used = withoutRepeats(chosen);
  const hasValuesInUrl = used.some(([capture, body]) => bodyKindOf(capture, body) === 'url-only');
  const signed = hasValuesInUrl ? withQueryRead(verifiable) : verifiable;
  const bodies = parseBodies(used, signed.webhook);

  const mapping = proposeMapping(bodies, signed);
  const fields = await answer(mapping.proposals);
  const mapped = applyProposals(signed, fields);
  const isReport = kindTest(mapped, 'sms.status');
  const reports = mapping.events.map(({ value }) => value).filter(isReport);
  const words = await answer([...proposeStatuses(mapped, reports), ...proposeErrors(mapped, reports)]);
  const discovered = applyProposals(mapped, words);
  return {
    captures: captures.length,
    signature,
    bodies,
    bodiesUsed: used.length,
    repeats: chosen.length - used.length,
    mapping,
    proposals: [...fields, ...words],
    contract: discovered,
    reads: readsOf(discovered, bodies),
    remarks: remarksOf(mapping, bodies, used),
  };

  function diagnose(capture: Capture) {
    const receivedAt = capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt);
    return diagnoseSignature(verifiable, capture, secrets(timeOf(capture)), receivedAt);
  }

  function isVerified(capture: Capture): boolean {
    return signature?.kind === 'found' && diagnose(capture).kind === 'verified';
  }

  /** Reads the signed id. Without a discovered scheme, the contract's scheme is used, which may well be right. */
  function signedIdOf(capture: Capture): { readonly signedId?: string } {
    if (signature?.kind === 'found') {
      const diagnosis = diagnose(capture);
      return diagnosis.kind === 'verified' && diagnosis.signedId !== undefined
        ? { signedId: diagnosis.signedId }
        : {};
    }
    const form = requestForm(webhook, methodOf(capture));
    const { signature: scheme } = form;
    const id = 'signedContent' in scheme && signsId(scheme) ? scheme.id : null;
    const value = readPart(id, requestReader(capture, form));
    return value === undefined ? {} : { signedId: value };
  }
}

/** Leaves out requests that repeat another, as a service does without an answer: they show nothing new. Those with ids of their own do. */
function withoutRepeats<T extends readonly [Capture, CapturedBody]>(requests: readonly T[]): readonly T[] {
  const keyOf = ([{ url }, { method, query, bytes, signedId }]: T) =>
    JSON.stringify([method, url.split('?', 1), query, signedId, Buffer.from(bytes).toString('base64')]);
  return [...Map.groupBy(requests, keyOf).values()].flatMap((same) => same.slice(0, 1));
}

/** Lets events have the query of a POST as `requestQuery`. */
function withQueryRead(contract: Contract): Contract {
  const { webhook } = contract;
  const isSigned = requestForms(webhook)
    .filter(({ method }) => method === 'POST')
    .every(({ signature }) => coversQuery(signature));
  const query = isSigned ? 'signed' : 'unsigned';
  return { ...contract, webhook: { ...webhook, reads: { ...webhook.reads, query } } };
}

/** Says that not all was searched, and names words of statuses that stand in the path of the URL of events without another status. */
function remarksOf(
  { events, hasMore }: MappingProposal,
  { bodies }: ParsedBodies,
  used: readonly (readonly [Capture, CapturedBody])[],
): string[] {
  const urls = new Map(used.map(([{ url }, body]) => [body, url]));
  const unread = new Set(
    events.flatMap(({ kind, body }) => (kind === undefined ? [bodies[body]?.captured] : [])),
  );
  const words = [...unread].flatMap((captured) => {
    const url = captured === undefined ? undefined : URL.parse(urls.get(captured) ?? '');
    const last = url?.pathname.split('/').findLast((segment) => segment !== '') ?? '';
    return guessStatus(last) === undefined ? [] : [last];
  });
  const more = hasMore
    ? [
        'The bodies have more than discovery searches: at most 2,000 events, 200 of each body and the same number of each, 50 lists and 400 fields, those of most events first. The rest was left out, so requests of strangers may have taken the place of genuine ones. If a secret verifies requests, those of strangers are not among them.',
      ]
    : [];
  if (words.length === 0) return more;
  return [
    ...more,
    `The path of the URL says what happened: ${[...new Set(words)].join(', ')}. Set "webhook.reads.path", and read it from the list requestPath, such as requestPath[0].`,
  ];
}

function kindTest({ events }: Contract, kind: string): (event: unknown) => boolean {
  const kindOf = lenientExpression(events.kind);
  return (event) => kindOf(event) === kind;
}

function readsOf(contract: Contract, { bodies }: ParsedBodies): Reads {
  const map = createMapper(contract);
  const mapped = bodies.flatMap(({ captured }) =>
    map(captured.bytes, captured.signedId, captured.receivedAt, captured),
  );
  const read = mapped.flatMap((outcome) => (outcome.kind === 'event' ? [outcome.event] : []));
  const problems = new Map<string, number>();
  for (const outcome of mapped)
    if (outcome.kind === 'unreadable') {
      const problem = outcome.field === undefined ? outcome.reason : `${outcome.reason} (${outcome.field})`;
      problems.set(problem, (problems.get(problem) ?? 0) + 1);
    }
  return {
    events: read.length,
    of: mapped.length,
    problems: [...problems].map(([problem, times]) => `${times} ${problem}`),
    withoutCountry: read.filter((event) => {
      const number = event.kind === 'sms.status' ? event.phone : event.from;
      return number !== undefined && !number.startsWith('+') && isPhone(number);
    }).length,
  };
}
