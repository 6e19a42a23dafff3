import type { ReportOrigin, StatusEvent } from '../schema/sms-event.ts';
import { eventIdFrom } from './body.ts';

/**
 * Marks a report that the webhook did not receive. Its id follows from the origin, the status, the error and the part alone: a report of the same origin
 * that says the same again is a repeat, and no report of the webhook has such an id.
 */
export function reportOfOrigin(report: StatusEvent, origin: ReportOrigin): StatusEvent {
  const { status, word = status, errorCode, messageId, partId = messageId } = report;
  const ofPart = partId === messageId ? [] : ['part', partId];
  const id = [origin, word, ...(errorCode === undefined ? [] : [errorCode]), ...ofPart].join(':');
  return { ...report, eventId: eventIdFrom(id), origin };
}
