import { maskPhone } from '../../../contract/phone/phone-key.ts';
import type { Notices } from '../../aws/notices.ts';
import type { Details } from '../../bus/details.ts';
import { detailTypes } from '../../bus/event-types.ts';
import type { SmsServiceClient } from '../../sms-service/client.ts';
import type { BusMessage } from '../runner/bus-message.ts';
import { successForMessage } from '../runner/service-client.ts';
import { RetryLaterError } from '../runner/work-messages.ts';
import type { OptOutReader } from './opt-out-read-store.ts';

/** The detail types this automation takes. */
export const optOutTypes = [detailTypes.optOut, detailTypes.optIn, detailTypes.replyReceived] as const;

export interface OptOutDependencies {
  readonly register: OptOutReader;
  /** Connects when it is first needed. */
  readonly service: () => Promise<Pick<SmsServiceClient, 'createContact'>>;
  /** UUIDs of the lists a number is attached to that wants no more messages, or wants them again. */
  readonly lists: Readonly<Record<'out' | 'in', readonly string[]>>;
  readonly notices: Notices;
}

/** How often a number may change its mind while its contact is being written. */
const mostRounds = 3;

/**
 * Brings the number's contact at the SMS service to what the register says; of a reply that may mean "stop" tells a person.
 *
 * @throws RetryLaterError where it has to be done again, GiveUpError where the service will never take the contact
 */
export async function workOptOut(
  event: BusMessage<(typeof optOutTypes)[number]>,
  dependencies: OptOutDependencies,
): Promise<void> {
  if (event.detailType !== detailTypes.replyReceived) await followRegister(event.detail.phone, dependencies);
  else if (event.detail.mayMeanStop) await dependencies.notices.send(noticeOf(event.detail));
}

/** Events come in any order, and two may be worked at once: what counts is the register, before the call and after it. */
async function followRegister(
  phone: string,
  { register, service, lists }: OptOutDependencies,
): Promise<void> {
  let found = await register.read(phone);
  for (let round = 1; found !== undefined; round++) {
    if (round > mostRounds) throw new RetryLaterError('the register changed during each call');
    const ids = lists[found.state];
    const client = await service();
    successForMessage(await client.createContact({ phone, ...(ids.length > 0 && { lists: ids }) }));
    const now = await register.read(phone);
    if (now?.state === found.state) return;
    found = now;
  }
}

/** Never holds the text: topics go to e-mail and chats. */
function noticeOf({ from, replyId, occurredAt }: Details[typeof detailTypes.replyReceived]) {
  return {
    subject: 'SMS: a reply may ask for no more messages',
    text: [
      `A reply from ${maskPhone(from)} reads like a wish for no more messages, but is not the keyword alone.`,
      'Nothing was done about it: read it and decide.',
      '',
      `Reply:  ${oneLine(replyId)}`,
      `Sent:   ${occurredAt}`,
      '',
      'Find it by the reply id, then read it with the number it came from:',
      '  npm run -s sms -- replies --reveal',
      '  npm run -s sms -- history phone <number>',
      '',
    ].join('\n'),
  };
}

/** The service chose the id: it could pretend to be lines of ours. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 200);
}
