import { renderEvent } from '../../contract/events/render.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';

/** What is wrong with the body of a request, or with its signature. */
export type Fault = 'time' | 'kind' | 'message id' | 'cut off' | 'new field' | 'forged';

/** The faults of the sample, each with its day, counted back from the day on which the sample is first played, and its hour in UTC. */
export const faults: readonly {
  readonly fault: Fault;
  readonly daysBefore: number;
  readonly hour: number;
}[] = [
  { fault: 'time', daysBefore: 24, hour: 9.3 },
  { fault: 'time', daysBefore: 24, hour: 11.1 },
  { fault: 'cut off', daysBefore: 19, hour: 3.2 },
  { fault: 'kind', daysBefore: 14, hour: 13.5 },
  { fault: 'message id', daysBefore: 11, hour: 10.4 },
  { fault: 'forged', daysBefore: 8, hour: 2.1 },
  { fault: 'time', daysBefore: 4, hour: 16.7 },
  { fault: 'message id', daysBefore: 2, hour: 12.3 },
  { fault: 'kind', daysBefore: 1, hour: 9.5 },
  { fault: 'new field', daysBefore: 1, hour: 10.2 },
  { fault: 'time', daysBefore: 1, hour: 17.3 },
];

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Returns the body of a delivery report with a fault. It is undefined if bodies of the contract cannot have the fault.
 *
 * @param at when the webhook receives it; milliseconds since the epoch
 */
export function faultyBody(
  contract: Contract,
  fault: Fault,
  messageId: string,
  at: number,
): string | undefined {
  const time = new Date(at).toISOString();
  const fields = { messageId, recipient: '+12025550161', status: 'delivered', occurredAt: time };
  const { body } = renderEvent(contract, { kind: 'sms.status', fields, eventId: messageId });
  // The contract's sample may have more times than the one of the event, and those are old.
  const text = Buffer.from(body).toString().replaceAll(isoTime, time);
  const edited = withFault(text, fault, messageId, time);
  return edited === text && fault !== 'forged' ? undefined : edited;
}

function withFault(body: string, fault: Fault, messageId: string, time: string): string {
  switch (fault) {
    case 'time':
      return body.replaceAll(time, `${time.slice(0, 10)} 24:61`);
    case 'kind':
      return body.replace('"sms.status"', '"sms.link_clicked"');
    case 'message id':
      return body.replace(messageId, '');
    case 'cut off':
      return body.slice(0, -9);
    case 'new field':
      return body.replace('"occurred_at"', '"carrier":"Example Mobile","occurred_at"');
    case 'forged':
      return body;
  }
}
