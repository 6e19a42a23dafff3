import { viewQuarantined } from '../../functions/core/history/view.ts';
import type { QuarantineSummary } from '../../functions/core/quarantine.ts';
import { sanitize } from '../text/sanitize.ts';
import { formatTime } from '../text/time.ts';
import type { EntryFormat } from './entry-format.ts';

export const quarantineFormat: EntryFormat<QuarantineSummary> = {
  identify: ({ id }) => id,
  at: ({ receivedAt }) => receivedAt,
  json: viewQuarantined,
  columns: (zone) => [
    { title: `RECEIVED (${zone})` },
    { title: 'REASON' },
    { title: 'FIELD', maximum: 24 },
    { title: 'ID', whole: true },
  ],
  row: ({ id, reason, field = '', receivedAt }, { zone }) => [
    { text: formatTime(receivedAt, zone) },
    { text: sanitize(reason), format: 'yellow' },
    { text: sanitize(field) },
    { text: sanitize(id) },
  ],
  csvColumns: ['id', 'reason', 'field', 'receivedAt', 'requestId', 'index'],
  csv: ({ id, reason, field, receivedAt, requestId, index }) => ({
    ...{ id, reason, field, receivedAt, requestId, index },
  }),
};
