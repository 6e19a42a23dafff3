import { bodyForms } from './body-forms.ts';
import { type Confirmed, confirm } from './confirm.ts';
import { draftScheme } from './draft-scheme.ts';
import type { Effort } from './effort.ts';
import type { Layout } from './layouts.ts';
import { type Probe, probesOf } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';
import { layoutsIn, type Round, roundsOf } from './rounds.ts';
import { candidateKeys } from './secret-rules.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-value.ts';

export interface SignedTextSearch {
  readonly best: Confirmed | undefined;
  /** Why schemes that fit cannot be taken, in sentences. */
  readonly refused: readonly string[];
}

/** How many captures are searched: some may be forged. */
const mostCaptures = { cheap: 8, dear: 3 };
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
  const targets = spread(bySize, isDear ? mostCaptures.dear : mostCaptures.cheap);

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
