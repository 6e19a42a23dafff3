import type { Contract } from '../../functions/core/contract/contract.ts';
import { checkSamples } from '../../functions/core/contract/samples.ts';
import { samplesThatHold } from './absent-kind.ts';
import type { Discovery } from './discovery.ts';
import { makeSamples } from './make-samples.ts';

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
  const hasScheme = signature?.found === true;
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
