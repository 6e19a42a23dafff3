import { isWrittenNumber } from '../../../contract/phone/phone-key.ts';
import type { Clock } from '../../base/basics.ts';
import type { SmsServiceClient } from '../../base/sms-service/service-client.ts';
import { detailTypes } from '../../publish/shapes.ts';
import type { BusMessage } from '../runner/bus-message.ts';
import { successForMessage } from '../runner/service-results.ts';
import { WaitForTurnError } from '../runner/work-messages.ts';
import type { ContactLease } from './contact-lease-store.ts';

/** The detail types that this automation accepts. */
export const contactSyncTypes = [detailTypes.replyReceived] as const;

/** A number's contact is written at most once in this time, in milliseconds. */
const periodMs = 24 * 3_600_000;

export interface ContactSyncDependencies {
  readonly lease: ContactLease;
  /** Connects on the first call. */
  readonly service: () => Promise<Pick<SmsServiceClient, 'createContact'>>;
  /** UUIDs of the lists a number that replied is attached to. */
  readonly lists: readonly string[];
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Creates or updates the contact of a number that replied, once in 24 hours. A reply has no name and no e-mail address, so both stay as the
 * SMS service has them. A reply that means STOP, or may mean it, attaches no number to a list. A
 * sender that is no number, such as a short code or a name, is no contact.
 *
 * @throws WaitForTurnError if it has to be retried, GiveUpError if the service never accepts the contact
 */
export async function syncContact(
  { detail: { from: phone, keyword, mayMeanStop } }: BusMessage<(typeof contactSyncTypes)[number]>,
  { lease, service, lists, clock, newId }: ContactSyncDependencies,
): Promise<void> {
  if (keyword === 'stop' || mayMeanStop || !isWrittenNumber(phone)) return;
  const startedAt = clock();
  const owner = newId();
  const claim = await lease.claim(phone, owner, startedAt);
  if (claim.kind === 'done') return;
  if (claim.kind === 'running') {
    const seconds = Math.max(1, Math.ceil((claim.until - startedAt) / 1000));
    throw new WaitForTurnError('another invocation is working on the number', seconds);
  }
  try {
    const client = await service();
    successForMessage(await client.createContact({ phone, ...(lists.length > 0 && { lists }) }));
  } catch (error) {
    // If that fails too, the claim ends by itself. The first error counts.
    await lease.release(phone, owner).catch(() => undefined);
    throw error;
  }
  await lease.finish(phone, owner, startedAt + periodMs);
}
