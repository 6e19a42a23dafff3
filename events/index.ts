/**
 * The module `sms-event-pipeline/events`: what a handler of events needs, without the CDK.
 *
 * @see docs/reference/events.md
 */
export type { CanonicalStatus, Outcome } from '../contract/schema/sms-event.ts';
export type { Details, SmsEvent } from './details.ts';
export { type DetailType, detailTypes, eventSource } from './event-types.ts';
export { exampleEvent } from './example-event.ts';
