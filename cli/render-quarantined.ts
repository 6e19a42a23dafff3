import { parseBody } from '../functions/core/events/body.ts';
import type { QuarantinedEntry } from '../functions/core/quarantine.ts';
import type { View } from './print.ts';
import { reasonMeanings } from './quarantine-reasons.ts';
import { sanitize, sanitizeLines, toJson } from './text/sanitize.ts';
import { renderFields } from './text/table.ts';
import { formatTime } from './text/time.ts';

/** One entry of the quarantine for people; what was received only where the reader asked for it. */
export function renderQuarantined(entry: QuarantinedEntry, view: View): string {
  const { id, reason, field, receivedAt, raw, index, contract, method, url } = entry;
  const size = `${raw.length} ${raw.length === 1 ? 'byte' : 'bytes'}`;
  const kept = index === undefined ? 'the whole body' : `event ${index + 1} of its body`;
  const fields = renderFields(
    [
      ['Entry', view.style('bold', sanitize(id))],
      // An entry may come from a version that knows more reasons.
      [
        'Reason',
        `${view.style('yellow', sanitize(reason))}: ${reasonMeanings[reason] ?? 'not known to this version'}`,
      ],
      ...(field === undefined ? [] : [['Field', sanitize(field)] as const]),
      ['Received', formatTime(receivedAt, view.zone)],
      ['Kept', `${kept}, ${size}`],
      ...(contract === undefined ? [] : [['Contract', sanitize(contract)] as const]),
      // Its query may say anything.
      ...(method === undefined || url === undefined
        ? []
        : [['Request', sanitize(`${method} ${url.split('?', 1)[0]}`)] as const]),
    ],
    view,
  );
  const head = method === undefined ? '' : `${headersOf(entry)}\n\n`;
  return `${fields}\n\n${view.reveal ? head + showBody(raw) : view.style('dim', '--reveal shows what was received; it may hold phone numbers and texts.')}`;
}

function headersOf({ headers = {} }: QuarantinedEntry): string {
  return Object.entries(headers)
    .map(([name, value]) => sanitize(`${name}: ${value}`))
    .join('\n');
}

function showBody(raw: Uint8Array): string {
  const parsed = parseBody('json', raw);
  if (parsed.readable) return toJson(parsed.value);
  if (parsed.reason === 'empty-body') return 'Nothing was received.';
  if (parsed.reason === 'not-utf8')
    return 'What was received is no text: --raw writes it to a file or a pipe.';
  return sanitizeLines(new TextDecoder().decode(raw));
}
