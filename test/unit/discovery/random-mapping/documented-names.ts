import { readFileSync } from 'node:fs';
import type { CanonicalStatus } from '../../../../contract/schema/sms-event.ts';

/** How a service writes times. */
export const timeStyles = ['iso', 'space', 'zoned', 'rfc2822', 'seconds', 'milliseconds', 'smpp'] as const;
export type TimeStyle = (typeof timeStyles)[number];

/** One documented field: its role by the contract's names, or `own`, `reference`, `account`, `sent`, `text` or `figure` for others. */
export interface NamedField {
  readonly role: string;
  readonly path: readonly string[];
  readonly time: TimeStyle | undefined;
}

/** What one page of documentation shows. */
export interface DocumentedService {
  readonly source: string;
  readonly eventId: readonly string[] | undefined;
  readonly report: readonly NamedField[];
  readonly reply: readonly NamedField[];
  readonly kind:
    | { readonly path: readonly string[]; readonly report: string; readonly reply: string }
    | undefined;
  readonly words: readonly (readonly [CanonicalStatus, string])[];
  /** The error's code and text in a report without an error: undefined for a field that is left out. */
  readonly fine:
    | { readonly code: string | null | undefined; readonly text: string | null | undefined }
    | undefined;
  readonly noise: readonly NamedField[];
}

const styles: ReadonlySet<string> = new Set(timeStyles);

function isTimeStyle(text: string): text is TimeStyle {
  return styles.has(text);
}

function fieldsOf(line: string | undefined): NamedField[] {
  return (line ?? '').split(' ').flatMap((token) => {
    if (token === '') return [];
    const [left = '', right] = token.split('=');
    const [path = '', time = ''] = (right ?? left).split(':');
    return [
      {
        role: right === undefined ? 'figure' : left,
        path: path.split('.'),
        time: isTimeStyle(time) ? time : undefined,
      },
    ];
  });
}

function fineValue(text: string | undefined): string | null | undefined {
  if (text === undefined || text === '-') return undefined;
  return text === 'null' ? null : text.replaceAll("'", '');
}

function readService(block: string): DocumentedService {
  const lines = new Map(
    block.split('\n').map((line, index) => {
      const at = line.indexOf(' ');
      return index === 0
        ? (['source', line.split(' ')[0] ?? ''] as const)
        : ([line.slice(0, at), line.slice(at + 1)] as const);
    }),
  );
  const [kindPath, ...kindWords] = (lines.get('kind') ?? '').split(' ');
  const [report = '', reply = ''] = kindWords.join(' ').split('/');
  const fine = lines.get('fine')?.split('/');
  return {
    source: lines.get('source') ?? '',
    eventId: lines.get('event')?.split('.'),
    report: fieldsOf(lines.get('report')),
    reply: fieldsOf(lines.get('reply')),
    kind:
      kindPath === undefined || kindPath === '' ? undefined : { path: kindPath.split('.'), report, reply },
    words: (lines.get('words') ?? '').split(/ (?=[a-z]+=)/).flatMap((pair) => {
      const [canonical = '', word] = pair.split('=');
      return word === undefined ? [] : [[canonical as CanonicalStatus, word] as const];
    }),
    fine: fine && { code: fineValue(fine[0]), text: fineValue(fine[1]) },
    noise: fieldsOf(lines.get('noise')),
  };
}

/** The pages of documentation-names.txt. */
export const documentedServices: readonly DocumentedService[] = readFileSync(
  new URL('documented-names.txt', import.meta.url),
  'utf8',
)
  .split(/^source /m)
  .slice(1)
  .map((block) => readService(block.trimEnd()));
