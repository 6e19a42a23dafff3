import { formatDuration } from '../functions/core/duration.ts';
import type { CaptureReport } from '../functions/core/webhook/capture.ts';
import type { View } from './print.ts';
import { renderFields } from './text/table.ts';
import { formatTime } from './text/time.ts';

/**
 * Renders for people whether requests are captured, and how many were.
 *
 * @param now milliseconds since the epoch
 */
export function renderCapture({ capture, setting }: CaptureReport, now: number, view: View): string {
  const { style, zone } = view;
  const said = setting === null ? 'not set' : `until ${formatTime(setting, zone)}`;
  if (capture === null)
    return renderFields(
      [
        ['Capture', 'off: what cannot be verified is refused'],
        ['Setting', said],
      ],
      view,
    );
  const { until, decidedBy, captured, leftOut } = capture;
  const left = formatDuration(Date.parse(until) - now);
  const by = decidedBy === 'setting' ? 'the setting captureUntil' : 'contract capture on';
  return renderFields(
    [
      ['Capture', style('yellow', `on, by ${by}: what cannot be verified is kept in quarantine`)],
      ['Until', `${formatTime(until, zone)}, for another ${left}`],
      ['Captured', `at least ${captured}; quarantine list --reason captured shows all`],
      ['Left out', `at least ${leftOut}: too large, or more than an instance keeps; they were refused`],
      ['Setting', said],
    ],
    view,
  );
}
