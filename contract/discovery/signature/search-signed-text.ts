import type { SignatureContract } from '../../schema/contract-schema.ts';
import type { HeaderPart } from '../../signature/webhook-request.ts';
import { bestOf, type Confirmed, confirm, type Effort } from './confirm.ts';
import { bodyForms, type Layout, layoutsIn, type Round, roundsOf } from './layouts.ts';
import { candidateKeys, type Probe, probesOf } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';
import type { Encoding, SignatureSlot } from './signature-slots.ts';
import { type SignedValue, varies } from './signed-values.ts';

/** A scheme as contract.json would hold it, not yet validated. */
interface Draft {
  readonly scheme: SignatureContract['scheme'];
  readonly [key: string]: unknown;
}

/**
 * Writes the scheme of a match.
 *
 * @returns undefined if two signed values are entries of lists: the contract can name only one of those, as its id
 */
function draftScheme(
  probe: Probe,
  slot: SignatureSlot,
  layout: Layout,
  encoding: Encoding,
): ((toleranceSeconds: number) => Draft) | undefined {
  const values = layout.order.filter((value) => value !== null);
  const time = values.find(({ kind }) => kind === 'time');
  const tokens = values.filter(({ kind }) => kind === 'token');
  const id = idOf(tokens);
  if (tokens.some((token) => isEntry(token) && token !== id)) return undefined;
  return (toleranceSeconds) => ({
    ...probe.fields,
    encoding,
    header: slot.header,
    prefix: slot.prefix,
    separator: slot.separator ?? (/^v\d+,$/.test(slot.prefix) ? ' ' : null),
    signedContent: templateOf(layout, id),
    id: id === undefined ? null : partOf(id),
    timestamp: time === undefined ? null : { ...partOf(time), unit: time.unit, toleranceSeconds },
  });
}

/** Chooses the value that the contract calls its id: an entry of a list, or a header named like an id that differs between requests. */
function idOf(tokens: readonly SignedValue[]): SignedValue | undefined {
  return tokens.find(isEntry) ?? tokens.find((value) => isIdName(value.header) && varies(value.texts));
}

function isIdName(header: string): boolean {
  return (
    /(?:^|[-_.])(?:u?u?id|guid)$|idempotency|event|message|delivery/.test(header) &&
    !/nonce|account|key-?id/.test(header)
  );
}

function isEntry({ prefix, separator }: HeaderPart): boolean {
  return prefix !== '' || separator !== null;
}

function partOf({ header, prefix, separator }: HeaderPart): HeaderPart {
  return { header, prefix, separator };
}

function templateOf({ order, form, word, separator }: Layout, id: SignedValue | undefined): string {
  const placeholders = order.map((value) => {
    if (value === null) return form.template;
    if (value.kind === 'time') return '{timestamp}';
    if (value.kind === 'url') return '{url}';
    return value === id ? '{id}' : `{header:${value.header}}`;
  });
  return [...(word === null ? [] : [word]), ...placeholders].join(separator);
}

/** How many captures are searched. Several are, because some may be forged. */
const maxCaptures = { cheap: 8, expensive: 3 };
/** In microseconds; computing a hash costs less. */
const expensiveCost = 50;
/** The throughput of a slow hash. */
const bytesPerMicrosecond = 400;

/**
 * Searches for a scheme that signs a text made of the request. Likely candidates come first, on the smallest captures. A match is then
 * verified on all captures.
 *
 * @param rounds how far to go, 1 to 3
 * @returns the scheme, or in sentences why matching schemes cannot be used
 */
export function searchSignedText(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  slots: readonly SignatureSlot[],
  values: readonly SignedValue[],
  effort: Effort,
  rounds: number,
): { readonly best: Confirmed | undefined; readonly refused: readonly string[] } {
  const keys = candidateKeys(secrets);
  const bySize = captures
    .map((capture, index) => ({ index, capture, probes: probesOf(index, slots, keys, secrets) }))
    .filter(({ probes }) => probes.length > 0)
    .sort((a, b) => a.capture.capture.body.length - b.capture.capture.body.length);
  const isExpensive = bySize.some(({ probes }) => probes.some(({ cost }) => cost >= expensiveCost));
  const targets = spread(bySize, isExpensive ? maxCaptures.expensive : maxCaptures.cheap);

  const refused = new Set<string>();
  let best: Confirmed | undefined;
  const search = ({ index, capture, probes }: (typeof targets)[number], round: Round): boolean => {
    for (const layout of layoutsIn(round, index, bodyForms(capture)))
      for (const probe of probes) {
        if (effort.isSpent()) return true;
        effort.spend(probe.cost + layout.content.length / bytesPerMicrosecond);
        const fitting = probe.fitting(layout.content);
        if (fitting.length === 0) continue;
        const match = confirmAny(probe, layout, fitting, captures, secrets);
        if (typeof match === 'string') refused.add(match);
        else best = bestOf([best, match]);
        // Where checks are expensive, a second capture that verifies is proof enough.
        if (best !== undefined && best.fits >= (probe.cost < expensiveCost ? best.carriers : 2)) return true;
      }
    return best !== undefined && best.fits > 1;
  };
  roundsOf(values, slots)
    .slice(0, rounds)
    .some((round) => targets.some((target) => search(target, round)));
  return { best, refused: [...refused] };
}

const twoEntries =
  'two of the signed values are entries of lists, and it can name only one of those, as its id';

/** Confirms the place and the encoding of the signature that verify the most captures. @returns why none can be used, otherwise */
function confirmAny(
  probe: Probe,
  layout: Layout,
  slots: readonly SignatureSlot[],
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
): Confirmed | string {
  const outcomes = slots.flatMap((slot) =>
    slot.encodings.map((encoding) => {
      const draft = draftScheme(probe, slot, layout, encoding);
      if (draft === undefined) return { kind: 'refused', reason: twoEntries } as const;
      const outcome = confirm(draft, captures, secrets);
      return outcome.kind === 'confirmed' ? withNotes(outcome, slot, layout) : outcome;
    }),
  );
  const refused = outcomes.find(({ kind }) => kind === 'refused');
  return (
    bestOf(outcomes) ??
    `${slots[0]?.header ?? ''}: the signed content was found, and no contract can describe it: ${refused?.kind === 'refused' ? refused.reason : ''}.`
  );
}

function withNotes(confirmed: Confirmed, slot: SignatureSlot, { order }: Layout): Confirmed {
  const notes = order.flatMap((value) =>
    value === null || value.alike.length === 0
      ? []
      : `${value.header} and ${value.alike.join(', ')} held the same value in every capture: ${value.header} was chosen.`,
  );
  const list =
    slot.separator === null && /^v\d+,$/.test(slot.prefix)
      ? [
          'The captures hold one signature each. Several are accepted with blanks between them, as is usual with this prefix.',
        ]
      : [];
  const encoding = slot.isAmbiguous
    ? ['The signatures may be base64 or base64url: one with "+", "/", "-" or "_" would decide it.']
    : [];
  return { ...confirmed, ambiguities: [...confirmed.ambiguities, ...encoding, ...notes, ...list] };
}

/** Chooses items evenly over a list, the first one included. */
function spread<T>(items: readonly T[], maxItems: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / maxItems));
  return items.filter((_, index) => index % step === 0).slice(0, maxItems);
}
