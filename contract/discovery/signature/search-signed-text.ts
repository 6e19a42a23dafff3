import type { SignatureContract } from '../../schema/contract-schema.ts';
import type { HeaderPart } from '../../signature/webhook-request.ts';
import { type Confirmed, confirm, type Effort } from './confirm.ts';
import { bodyForms, type Layout, layoutsIn, type Round, roundsOf } from './layouts.ts';
import { candidateKeys, type Probe, probesOf } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';
import type { Encoding, SignatureSlot } from './signature-slots.ts';
import { type SignedValue, varies } from './signed-values.ts';

/** A scheme as contract.json would hold it, not yet looked at by the schema. */
interface Draft {
  readonly scheme: SignatureContract['scheme'];
  readonly [key: string]: unknown;
}

/**
 * Writes down a scheme that was found.
 *
 * @returns undefined where two values stand in lists: the contract names one such value, as its id
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

/** The value that the contract calls its id: one out of a list, or one that is called so and differs from request to request. */
function idOf(tokens: readonly SignedValue[]): SignedValue | undefined {
  return tokens.find(isEntry) ?? tokens.find((value) => isCalledId(value.header) && varies(value.texts));
}

function isCalledId(header: string): boolean {
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

export interface SignedTextSearch {
  readonly best: Confirmed | undefined;
  /** Why schemes that fit cannot be taken, in sentences. */
  readonly refused: readonly string[];
}

/** How many captures are searched: some may be forged. */
const maxCaptures = { cheap: 8, dear: 3 };
/** Microseconds; a hash takes less. */
const dearCost = 50;
/** What a hash reads, where it is slow. */
const bytesPerMicrosecond = 400;

/**
 * Searches what is signed and how, for schemes that sign a text made of the request. What is likely comes first, on the
 * smallest captures; what fits one of them is verified on all.
 *
 * @param rounds how far to go, 1 to 3
 */
export function searchSignedText(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  slots: readonly SignatureSlot[],
  values: readonly SignedValue[],
  effort: Effort,
  rounds: number,
): SignedTextSearch {
  const keys = candidateKeys(secrets);
  const bySize = captures
    .map((capture, index) => ({ index, capture, probes: probesOf(index, slots, keys, secrets) }))
    .filter(({ probes }) => probes.length > 0)
    .sort((a, b) => a.capture.capture.body.length - b.capture.capture.body.length);
  const isDear = bySize.some(({ probes }) => probes.some(({ cost }) => cost >= dearCost));
  const targets = spread(bySize, isDear ? maxCaptures.dear : maxCaptures.cheap);

  const refused = new Set<string>();
  let best: Confirmed | undefined;
  const search = ({ index, capture, probes }: (typeof targets)[number], round: Round): boolean => {
    for (const layout of layoutsIn(round, index, bodyForms(capture)))
      for (const probe of probes) {
        if (effort.isSpent()) return true;
        effort.spend(probe.cost + layout.content.length / bytesPerMicrosecond);
        const fitting = probe.fitting(layout.content);
        if (fitting.length === 0) continue;
        const found = confirmAny(probe, layout, fitting, captures, secrets);
        if (typeof found === 'string') refused.add(found);
        else if (found.fits > (best?.fits ?? 0)) best = found;
        // Where checks are dear, a second capture that fits is proof enough.
        if (best !== undefined && best.fits >= (probe.cost < dearCost ? best.carriers : 2)) return true;
      }
    return best !== undefined && best.fits > 1;
  };
  roundsOf(values, slots)
    .slice(0, rounds)
    .some((round) => targets.some((target) => search(target, round)));
  return { best, refused: [...refused] };
}

const twoEntries = 'two of the signed values stand in lists, and it names one of those, as its id';

/** The scheme for the place and the spelling of the signature that fit most captures. */
function confirmAny(
  probe: Probe,
  layout: Layout,
  slots: readonly SignatureSlot[],
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
): Confirmed | string {
  let best: Confirmed | undefined;
  let refused = '';
  for (const slot of slots) {
    const found = slot.encodings.flatMap((encoding) => {
      const draft = draftScheme(probe, slot, layout, encoding);
      return draft === undefined ? { refused: twoEntries } : confirm(draft, captures, secrets);
    });
    const [first] = found.filter((one) => 'scheme' in one).sort((a, b) => b.fits - a.fits);
    if (first !== undefined && first.fits > (best?.fits ?? 0)) best = withNotes(first, slot, layout);
    refused ||= found.find((one) => 'refused' in one)?.refused ?? '';
  }
  return (
    best ?? `${slots[0]?.header ?? ''}: what is signed was found, and no contract can say it: ${refused}.`
  );
}

function withNotes(found: Confirmed, slot: SignatureSlot, { order }: Layout): Confirmed {
  const notes = order.flatMap((value) =>
    value === null || value.alike.length === 0
      ? []
      : `${value.header} and ${value.alike.join(', ')} held the same in every capture: ${value.header} was taken.`,
  );
  const list =
    slot.separator === null && /^v\d+,$/.test(slot.prefix)
      ? [
          'One signature was seen at a time; several are accepted with blanks between them, as is usual with this prefix.',
        ]
      : [];
  const encoding = slot.isAmbiguous
    ? [
        'The signatures seen may be base64 as well as base64url: one with "+", "/", "-" or "_" would tell them apart.',
      ]
    : [];
  return { ...found, ambiguities: [...found.ambiguities, ...encoding, ...notes, ...list] };
}

/** So many of a list, evenly over it, the first one first. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / most));
  return items.filter((_, index) => index % step === 0).slice(0, most);
}
