import type { View } from '../print.ts';
import { showPhone } from '../show.ts';
import { clip } from '../text/display-width.ts';
import { maskNumbers } from '../text/mask-phone.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Proposal } from './proposal.ts';

/** An example as it may be shown: numbers masked and texts hidden unless the reader asked for them. */
export function showExample({ of, value }: NonNullable<Proposal['example']>, view: View): string {
  if (of === 'number') return showPhone(value, view);
  if (of === 'text' && !view.reveal) return `a text of ${[...value].length} characters`;
  const shown = clip(sanitize(value), 60);
  // A number of a person may stand where none is looked for.
  return view.reveal ? shown : shown.replace(/\+\d[\d\s().-]{6,}/g, maskNumbers);
}
