import { styleText } from 'node:util';
import type { Outcome } from '../../functions/core/statuses.ts';

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Marks a text, or leaves it as it is where there is no colour. */
export type Style = (format: Format, text: string) => string;

export function createStyle(colour: boolean): Style {
  return colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/** The colour of a status by what it says of the message. */
export const outcomeFormat: Readonly<Record<Outcome, Format>> = {
  open: 'cyan',
  unknown: 'yellow',
  failure: 'red',
  success: 'green',
};
