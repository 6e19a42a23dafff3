import { diagnoseSignature } from '../checks/diagnose-signature.ts';
import { createMapper } from '../events/mapping.ts';
import type { Contract } from '../schema/contract-schema.ts';
import { applyProposals } from './apply-proposals.ts';
import {
  type Capture,
  type CapturedBody,
  headerNamed,
  type ParsedBodies,
  parseBodies,
  type Secrets,
} from './captured/capture.ts';
import { isPhone } from './captured/columns.ts';
import type { Proposal } from './proposal.ts';
import {
  lookUp,
  type MappingProposal,
  proposeErrors,
  proposeMapping,
  proposeStatuses,
} from './propose-mapping.ts';
import { findSignature, type SearchOutcome } from './signature/find-signature.ts';

/** What captured requests show of a contract. */
export interface Discovery {
  readonly captures: number;
  /** Undefined where no secret was given, so that nothing could be searched. */
  readonly signature: SearchOutcome | undefined;
  /** Of the captures that the mapping was found in: those whose signature verifies, or all where none does. */
  readonly bodies: ParsedBodies;
  readonly bodiesUsed: number;
  readonly mapping: MappingProposal;
  /** What is proposed of the mapping and of words, as it was answered for. */
  readonly proposals: readonly Proposal[];
  /** With all of that in it. */
  readonly contract: Contract;
  /** How many events of the bodies it reads, and why it does not read the others. */
  readonly reads: Reads;
}

/** What a contract makes of captured bodies. */
interface Reads {
  readonly events: number;
  readonly of: number;
  /** Why others are not read, each with how many. */
  readonly problems: readonly string[];
  /** Events with a number that has no country code, so that nobody knows whose it is. */
  readonly withoutCountry: number;
}

/** Lets somebody answer for guesses: gives proposals back as they are to be taken. */
export type Answer = (proposals: readonly Proposal[]) => Promise<readonly Proposal[]>;

/**
 * Finds how captured requests are signed, and where things are in them.
 *
 * @param contract what the captures do not show stays as it says
 * @param now milliseconds since the epoch: when those were received of which nobody knows
 */
export async function discover(
  captures: readonly Capture[],
  secrets: Secrets,
  contract: Contract,
  now: number,
  answer: Answer,
): Promise<Discovery> {
  const timeOf = ({ receivedAt }: Capture) => (receivedAt === undefined ? now : Date.parse(receivedAt));
  const all = [...new Set(captures.flatMap((capture) => secrets(timeOf(capture))))];
  const signature = all.length === 0 ? undefined : findSignature(captures, all);
  const scheme = signature?.kind === 'found' ? signature.scheme : contract.webhook.signature;
  const signed = { ...contract, webhook: { ...contract.webhook, signature: scheme } };
  const captured = captures.map((capture): readonly [Capture, CapturedBody] => {
    const receivedAt = new Date(timeOf(capture)).toISOString();
    return [capture, { bytes: capture.body, receivedAt, ...signedIdOf(capture) }];
  });
  const genuine = captured.filter(([capture]) => isVerified(capture));
  const used = genuine.length > 0 ? genuine : captured;
  const bodies = parseBodies(used);

  const mapping = proposeMapping(bodies, signed);
  const fields = await answer(mapping.proposals);
  const mapped = applyProposals(signed, fields);
  const isReport = kindTest(mapped, 'sms.status');
  const reports = mapping.events.map(({ value }) => value).filter(isReport);
  const words = await answer([...proposeStatuses(mapped, reports), ...proposeErrors(mapped, reports)]);
  const found = applyProposals(mapped, words);
  return {
    captures: captures.length,
    signature,
    bodies,
    bodiesUsed: used.length,
    mapping,
    proposals: [...fields, ...words],
    contract: found,
    reads: readsOf(found, used),
  };

  function check(capture: Capture) {
    const receivedAt = capture.receivedAt === undefined ? undefined : Date.parse(capture.receivedAt);
    return diagnoseSignature(signed, capture, secrets(timeOf(capture)), receivedAt);
  }

  function isVerified(capture: Capture): boolean {
    return signature?.kind === 'found' && check(capture).kind === 'verified';
  }

  /** Where no scheme was found the id is told by the contract's, which may well be right. */
  function signedIdOf(capture: Capture): { readonly signedId?: string } {
    if (signature?.kind === 'found') {
      const checked = check(capture);
      return checked.kind === 'verified' && checked.signedId !== undefined
        ? { signedId: checked.signedId }
        : {};
    }
    const id = 'signedContent' in scheme && scheme.signedContent.includes('{id}') ? scheme.id : null;
    const value = id === null ? undefined : headerNamed(capture.headers, id.header.toLowerCase());
    return value === undefined ? {} : { signedId: value };
  }
}

function kindTest({ events }: Contract, kind: string): (event: unknown) => boolean {
  const kindOf = lookUp(events.kind);
  return (event) => kindOf(event) === kind;
}

function readsOf(contract: Contract, captured: readonly (readonly [Capture, CapturedBody])[]): Reads {
  const map = createMapper(contract);
  const mapped = captured.flatMap(([, { bytes, signedId, receivedAt }]) => map(bytes, signedId, receivedAt));
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
