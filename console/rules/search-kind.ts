/** What a text in the search box looks like. The server decides; this is a hint while the user types. */
export type SearchKind = 'empty' | 'number' | 'id';

/** E.164 has at most 15 digits. Fewer than 7 are no number of a person. */
const phoneDigits = /^\d{7,15}$/;

/** Returns what a text in the search box looks like. */
export function searchKind(text: string): SearchKind {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  return /^\+?[\d\s().-]+$/.test(trimmed) && phoneDigits.test(trimmed.replace(/\D/g, '')) ? 'number' : 'id';
}

/** Whether the server masked a number, such as `•••0143`. */
export const isMasked = (number: string): boolean => number.startsWith('•');
