import { viewOptOut } from '../../functions/core/history/view.ts';
import type { OptOut } from '../../functions/core/opt-out/opt-out.ts';
import { showPhone } from '../show.ts';
import { sanitize } from '../text/sanitize.ts';
import { formatTime } from '../text/time.ts';
import type { EntryFormat } from './entry-format.ts';

export const optOutFormat: EntryFormat<OptOut> = {
  // A number may change its mind.
  identify: ({ phone, at }) => `${at} ${phone}`,
  at: ({ at }) => at,
  cursorsTellNumbers: true,
  json: viewOptOut,
  columns: (zone) => [{ title: `SINCE (${zone})` }, { title: 'NUMBER' }, { title: 'REPLY' }],
  row: ({ phone, at, replyId }, view) => [
    { text: formatTime(at, view.zone) },
    { text: showPhone(phone, view) },
    { text: sanitize(replyId) },
  ],
  csvColumns: ['phone', 'since', 'replyId'],
  csv: ({ phone, at, replyId }) => ({ phone, since: at, replyId }),
};
