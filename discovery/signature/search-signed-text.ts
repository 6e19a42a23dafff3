import { unsignedParts } from '../../contract/checks/unsigned-parts.ts';
import { postedJson } from '../../contract/schema/request-form.ts';
import { bodyForms } from './body-forms.ts';
import { bestOf, type Confirmed, confirm, type Effort } from './confirm.ts';
import { draftScheme, type Match } from './draft.ts';
import { layoutsIn, type Round, roundsOf } from './layouts.ts';
import { candidateKeys, probesOf } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValues } from './signed-values.ts';

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
 * @param slots places of signatures: headers, or one parameter or field
 * @param maxRounds how far to go, 1 to 4
 * @returns the scheme, or in sentences why matching schemes cannot be used
 */
export function searchSignedText(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  slots: readonly SignatureSlot[],
  values: SignedValues,
  effort: Effort,
  maxRounds: number,
): { readonly best: Confirmed | undefined; readonly refused: readonly string[] } {
  const keys = candidateKeys(secrets);
  const bySize = captures
    .map((capture, index) => ({ index, capture, probes: probesOf(index, slots, keys, secrets) }))
    .filter(({ probes }) => probes.length > 0)
    .sort((a, b) => a.capture.capture.body.length - b.capture.capture.body.length);
  const isExpensive = bySize.some(({ probes }) => probes.some(({ cost }) => cost >= expensiveCost));
  const targets = spread(bySize, isExpensive ? maxCaptures.expensive : maxCaptures.cheap);

  const rounds = roundsOf(values, slots, isExpensive).slice(0, maxRounds);
  const refused = new Set<string>();
  let best: Confirmed | undefined;
  const search = ({ index, capture, probes }: (typeof targets)[number], round: Round): boolean => {
    for (const layout of layoutsIn(round, index, bodyForms(capture, slots[0]?.place)))
      for (const probe of probes) {
        if (effort.isSpent()) return true;
        if (probe.isUnusual && rounds.indexOf(round) > 1) continue;
        effort.spend(probe.cost + layout.content.length / bytesPerMicrosecond);
        const fitting = probe.fitting(layout.content, layout.separator);
        if (fitting.length === 0) continue;
        const matches = fitting.map((place) => ({ ...place, probe, layout }));
        const match = confirmAny(matches, captures, secrets);
        if (typeof match === 'string') refused.add(match);
        else best = bestOf([best, match]);
        // Where checks are expensive, a second capture that verifies is proof enough.
        if (best !== undefined && best.fits >= (probe.cost < expensiveCost ? best.carriers : 2)) return true;
      }
    return best !== undefined && best.fits > 1;
  };
  rounds.some((round) =>
    targets.slice(0, round === rounds[1] ? 2 : undefined).some((target) => search(target, round)),
  );
  return { best, refused: [...refused] };
}

/** Confirms the place, the form of the body and the encoding of the signature that verify the most captures. @returns why none can be used, otherwise */
function confirmAny(
  matches: readonly Match[],
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
): Confirmed | string {
  const outcomes = matches.flatMap((match) =>
    [match.layout.form?.template ?? '', ...(match.layout.form?.others ?? [])].flatMap((form) =>
      match.slot.encodings.map((encoding) => {
        const draft = draftScheme(match, form, encoding, captures);
        if (typeof draft === 'string') return { kind: 'refused', reason: draft } as const;
        const outcome = confirm(draft, captures, secrets);
        return outcome.kind === 'confirmed' ? withNotes(outcome, match, captures) : outcome;
      }),
    ),
  );
  const refused = outcomes.find(({ kind }) => kind === 'refused');
  return (
    bestOf(outcomes) ??
    `${matches[0]?.slot.header ?? ''}: the signed content was found, and no contract can describe it: ${refused?.kind === 'refused' ? refused.reason : ''}.`
  );
}

function withNotes(
  confirmed: Confirmed,
  { slot, layout: { order } }: Match,
  captures: readonly ReadableCapture[],
): Confirmed {
  const notes = order.flatMap((value) =>
    value === null || value.alike.length === 0 || value.part === undefined
      ? []
      : `${value.name} and ${value.alike.join(', ')} held the same value in every capture: ${value.name} was chosen.`,
  );
  const list =
    slot.separator === null && /^v\d+,$/.test(slot.prefix)
      ? [
          'The captures hold one signature each. Several are accepted with blanks between them, as is usual with this prefix.',
        ]
      : [];
  const encoding = slot.isAmbiguous
    ? [
        slot.encodings.includes('hex')
          ? 'The signatures may be in small or capital hex digits: one with a letter would decide it.'
          : 'The signatures may be base64 or base64url: one with "+", "/", "-" or "_" would decide it.',
      ]
    : [];
  const { scheme } = confirmed;
  const unsigned =
    'unsignedBody' in scheme
      ? [
          `The signature covers ${'signedContent' in scheme ? scheme.signedContent : 'the token'} and no part of the body: who has seen one request can send another body with its signature, within the replay window. Events are identified by the signed id.`,
        ]
      : [];
  const [{ method, bodyFormat } = postedJson] = captures;
  const open = unsignedParts({ webhook: { signature: scheme, method, bodyFormat } }).flatMap(
    ({ id, sentence }) => (id === 'body' ? [] : [sentence]),
  );
  return {
    ...confirmed,
    ambiguities: [...confirmed.ambiguities, ...unsigned, ...open, ...encoding, ...notes, ...list],
  };
}

/** Chooses items evenly over a list, the first one included. */
function spread<T>(items: readonly T[], maxItems: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / maxItems));
  return items.filter((_, index) => index % step === 0).slice(0, maxItems);
}
