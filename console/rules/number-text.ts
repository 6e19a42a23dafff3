/** Groups the digits of a number for reading. A masked number, and one of a country without a rule here, is returned as it is. */
export function numberText(number: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  if (american) return `+1 ${american.slice(1).join(' ')}`;
  const brazilian = /^\+55(\d{2})(\d{4,5})(\d{4})$/.exec(number);
  if (brazilian) return `+55 ${brazilian.slice(1).join(' ')}`;
  return number;
}

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
