import { isCanonicalStatus } from '../../client/deciding-report.ts';
import type { StatusEvent } from '../../client/types.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { placeOf } from '../rules/axis.ts';
import { labelRows } from '../rules/label-rows.ts';
import { durationText } from '../rules/time-text.ts';
import { useWords } from '../viewer/preferences.tsx';
import { useWidth } from './use-width.ts';

const rowPixels = 18;
const maxRows = 4;
const dotPixels = 6;
/** About the width of a character of a label, with which its room is estimated. */
const characterPixels = 7.5;

interface ReportLineProps {
  /** By the time they happened, at least two. */
  readonly reports: readonly StatusEvent[];
}

/** The reports of a message on a line of time: how long each step took. The list of reports has every detail. */
export function ReportLine({ reports }: ReportLineProps) {
  const { message, statuses } = useWords();
  const { reference, width } = useWidth();
  const first = reports[0]?.occurredAt ?? '';
  const times = reports.map(({ occurredAt }) => Date.parse(occurredAt));
  const span = [Math.min(...times), Math.max(...times)] as const;
  const named = reports.map(({ status, occurredAt }, index) => ({
    x: placeOf(times[index] ?? span[0], span, [dotPixels, width - dotPixels]),
    outcome: isCanonicalStatus(status) ? outcomeOf(rankOf(status)) : 'unknown',
    text: `${isCanonicalStatus(status) ? statuses[status] : status}${
      index === 0 ? '' : ` +${durationText(first, occurredAt)}`
    }`,
  }));
  const rows = labelRows(
    named.map(({ x, text }) => ({ middle: x, length: (text.length + 1) * characterPixels })),
    width,
    maxRows,
  );
  const usedRows = Math.max(0, ...rows.map((place) => (place?.row ?? -1) + 1));
  const lineY = usedRows * rowPixels + dotPixels + 2;
  return (
    <div className="report-line" ref={reference}>
      {width > 0 && (
        <svg
          width={width}
          height={lineY + dotPixels + 2}
          viewBox={`0 0 ${width} ${lineY + dotPixels + 2}`}
          role="img"
          aria-label={`${message.timeLine}: ${named.map(({ text }) => text).join(', ')}`}
        >
          <line x1={dotPixels} x2={width - dotPixels} y1={lineY} y2={lineY} />
          {named.map(({ x, outcome, text }, index) => {
            const place = rows[index];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: reports have an order, and no other name here.
              <g key={index} data-outcome={outcome}>
                {place && (
                  <>
                    <line
                      className="report-stem"
                      x1={x}
                      x2={x}
                      y1={lineY - dotPixels}
                      y2={(usedRows - place.row) * rowPixels - 2}
                    />
                    <text x={place.start} y={(usedRows - place.row) * rowPixels - 5}>
                      {text}
                    </text>
                  </>
                )}
                <circle cx={x} cy={lineY} r={dotPixels - 1} />
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
