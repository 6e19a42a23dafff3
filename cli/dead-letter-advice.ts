import type { DeadLetterContent } from './dead-letter-content.ts';

/** What to do about each kind of message that was given up on. */
export const deadLetterAdvice: Readonly<Record<DeadLetterContent['kind'], string>> = {
  request:
    'requests: the worker failed to store them; once that is mended, dlq redrive sends them round again',
  'parked-request':
    'parked requests: nobody knew whether they were genuine; once webhook status shows no rotation, dlq redrive sends them round again, and the forged go to quarantine',
  'captured-request':
    'captured requests: the worker failed to put them into quarantine; once that is mended, dlq redrive sends them round again',
  'bus-event': 'events: an automation gave them up; once that is mended, dlq redrive sends them round again',
  'event-refused':
    'refused events: the bus will never take them, so no redrive helps; look the id up with history message, do what the automations would have done, then delete the message',
  'record-unreadable':
    'unreadable records: no event can be made of what the history table holds there, so no redrive helps; look at the item by its key, then delete the message',
  'stream-batch':
    'stream ranges: changes that failed for 23 hours, which lie in no queue, so no redrive helps; the history has them all: look at what was received at that time, do what the automations would have done, then delete the message',
  unknown: 'not written by this pipeline: find out who may send to the queue',
};

/** The kinds of a queue that messages come from no queue to. */
export const withoutSource = ['event-refused', 'record-unreadable', 'stream-batch'] as const;
