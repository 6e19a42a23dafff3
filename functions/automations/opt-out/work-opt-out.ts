import { maskId, maskPhone, numbersMasker } from '../../../contract/phone/mask.ts';
import { isWrittenNumber } from '../../../contract/phone/phone-key.ts';
import type { Notices } from '../../base/notices-client.ts';
import type { SmsServiceClient } from '../../base/sms-service/service-client.ts';
import { type Details, detailTypes } from '../../publish/shapes.ts';
import type { BusMessage } from '../runner/bus-message.ts';
import { successForMessage } from '../runner/service-results.ts';
import { WaitForTurnError } from '../runner/work-messages.ts';
import type { OptOutReader } from './opt-out-read-store.ts';

/** The detail types that this automation accepts. */
export const optOutTypes = [detailTypes.optOut, detailTypes.optIn, detailTypes.replyReceived] as const;

export interface OptOutDependencies {
  readonly register: OptOutReader;
  /** Connects on the first call. */
  readonly service: () => Promise<Pick<SmsServiceClient, 'createContact'>>;
  /** UUIDs of the lists for numbers that want no more messages, and of those for numbers that want them again. */
  readonly lists: Readonly<Record<'out' | 'in', readonly string[]>>;
  readonly notices: Notices;
}

/** A number's state may change this often while its contact is being written. */
const maxRounds = 3;

/**
 * Updates the number's contact at the SMS service to the state in the register, or sends a notice about a reply that may mean "stop". A
 * sender that is no number, such as a short code or a name, is no contact.
 *
 * @throws WaitForTurnError if it has to be retried, GiveUpError if the service never accepts the contact
 */
export async function workOptOut(
  event: BusMessage<(typeof optOutTypes)[number]>,
  dependencies: OptOutDependencies,
): Promise<void> {
  if (event.detailType !== detailTypes.replyReceived) await followRegister(event.detail.phone, dependencies);
  else if (event.detail.mayMeanStop) await dependencies.notices.send(noticeOf(event.detail));
}

/** Applies the register's state before the call, and again if it changed during the call. Events come in any order, and two may be worked at once. */
async function followRegister(
  phone: string,
  { register, service, lists }: OptOutDependencies,
): Promise<void> {
  if (!isWrittenNumber(phone)) return;
  let current = await register.read(phone);
  for (let round = 1; current !== undefined; round++) {
    if (round > maxRounds) throw new WaitForTurnError('the register changed during each call');
    const ids = lists[current.state];
    const client = await service();
    successForMessage(await client.createContact({ phone, ...(ids.length > 0 && { lists: ids }) }));
    const now = await register.read(phone);
    if (now?.state === current.state) return;
    current = now;
  }
}

/** Returns a notice without the text of the reply, because topics go to e-mail and chats. */
function noticeOf({ from, replyId, occurredAt }: Details[typeof detailTypes.replyReceived]) {
  return {
    subject: 'SMS: a reply may ask for no more messages',
    text: [
      `A reply from ${maskPhone(from)} reads like a wish for no more messages, but is not the keyword alone.`,
      'Nothing was done about it: read it and decide.',
      '',
      `Reply:  ${oneLine(maskId(replyId, numbersMasker([from])))}`,
      `Sent:   ${occurredAt}`,
      '',
      'Find it by the reply id, then read it with the number it came from:',
      '  sms reply list --reveal',
      '  sms number show <number>',
      '',
    ].join('\n'),
  };
}

/** Joins the lines of an id. The service chose the id, and its lines could look like ours. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 200);
}
