import type { ReportSource, StatusEvent } from '../schema/sms-event.ts';
import { eventIdFrom } from './body.ts';

/**
 * Marks a report that the webhook did not receive. Its id follows from the source, the status and the error alone: a report of the same source
 * that says the same again is a repeat, and no report of the webhook has such an id.
 */
export function reportOfSource(report: StatusEvent, source: ReportSource): StatusEvent {
  const { status, word = status, errorCode } = report;
  const id = [source, word, ...(errorCode === undefined ? [] : [errorCode])].join(':');
  return { ...report, eventId: eventIdFrom(id), source };
}
