import type { UnreadValues } from '../drift/unread-values.ts';
import { cutBeforeMask } from '../phone/mask.ts';
import type { Contract } from '../schema/contract-schema.ts';
import {
  type CostAndRoute,
  failedPartRank,
  outcomeOf,
  rankOf,
  type StatusEvent,
  unmappedRank,
} from '../schema/sms-event.ts';
import type { Fields } from './body.ts';
import { readCarrier, readCurrency, readNetwork, readPrice, readSegments } from './cost-and-route.ts';
import {
  type CommonFields,
  type EventContext,
  ifReadable,
  isBlank,
  maxAddressLength,
  present,
} from './event-fields.ts';

type StatusField = keyof Contract['events']['status'];

/** Texts for people are cut after so many UTF-16 units. */
const maxErrorTextLength = 1024;
const maxCarrierLength = 128;

/** Reads a delivery report. @throws FieldError for a field that it cannot do without */
export type StatusMapper = (
  fields: Fields<StatusField>,
  eventId: string,
  context: EventContext,
) => StatusEvent;

/** Makes the reader of delivery reports. */
export function createStatusMapper(
  { events: rules, statuses, errors }: Pick<Contract, 'events' | 'statuses' | 'errors'>,
  { addressOf, timeOf, lenient }: CommonFields,
): StatusMapper {
  const words = new Map(Object.entries(statuses));
  const meanings = new Map(Object.entries(errors));

  function mapStatus(fields: Fields<StatusField>, eventId: string, context: EventContext): StatusEvent {
    const { required, optional } = fields;
    const word = required('status', 128);
    const isLast = isTrue(ifReadable(() => fields.raw('final')));
    const listed = words.get(word);
    const canonical =
      isLast && outcomeOf(listed === undefined ? unmappedRank : rankOf(listed)) === 'open'
        ? 'unknown'
        : listed;
    const status = canonical ?? word;
    const recipient = optional('recipient', maxAddressLength);
    const rank = canonical === undefined ? unmappedRank : rankOf(canonical);
    const costs = costAndRoute(fields, context.unread);
    const part = partOfMessage(fields);
    const errorText = lenient(fields, 'errorText', Number.POSITIVE_INFINITY, context.unread);
    return {
      kind: 'sms.status',
      eventId,
      messageId: part.messageId,
      ...present('sendId', lenient(fields, 'sendId', 512, context.unread)),
      ...addressOf(
        'phone',
        'recipient',
        recipient,
        ifReadable(() => optional('channel', 32)),
        context.unread,
      ),
      status,
      rank: part.partId !== undefined && outcomeOf(rank) === 'failure' ? failedPartRank : rank,
      ...present('word', status === word ? undefined : word),
      ...timeOf(rules.status.occurredAt, fields, context),
      ...errorOf(lenient(fields, 'errorCode', 128, context.unread), rank),
      ...present('errorText', errorText && cutBeforeMask(errorText, maxErrorTextLength)),
      ...costs,
      ...present('partId', part.partId),
      ...context.unread.asReceived(),
    };
  }

  /** Returns the message that a report is about: the one that the sender knows, if its parts have ids of their own. */
  function partOfMessage({ required, optional }: Fields<StatusField>): {
    messageId: string;
    partId?: string;
  } {
    const own = required('messageId', 1024);
    const parent = optional('parentMessageId', 1024);
    return parent === undefined ? { messageId: own } : { messageId: parent, partId: own.toWellFormed() };
  }

  /** Returns the error of a report. A code that the contract lists as `none` is no error, and neither is one of zeros unless the message failed. */
  function errorOf(code: string | undefined, rank: number): Pick<StatusEvent, 'errorCode' | 'errorReason'> {
    if (code === undefined) return {};
    const meaning = meanings.get(code);
    if (meaning === 'none') return {};
    if (meaning !== undefined) return { errorCode: code, errorReason: meaning };
    return /^0+$/.test(code) && outcomeOf(rank) !== 'failure' ? {} : { errorCode: code };
  }

  /** Reads the cost and the route. A field that cannot be read is left out, and a price without a currency, too. Both are kept as unread. */
  function costAndRoute({ raw }: Fields<StatusField>, unread: UnreadValues): CostAndRoute {
    function value<T>(field: keyof CostAndRoute, reader: (value: unknown) => T | undefined): T | undefined {
      let received: unknown;
      try {
        received = raw(field);
      } catch {
        unread.note(field, 'unreadable-value', undefined);
        return undefined;
      }
      const result = reader(received);
      if (result === undefined && !isBlank(received)) unread.note(field, 'unreadable-value', received);
      return result;
    }
    const price = value('price', readPrice);
    const currency = value('currency', readCurrency);
    if (price !== undefined && currency === undefined) unread.note('price', 'no-currency', price);
    const segments = value('segments', readSegments);
    const carrier = value('carrier', readCarrier);
    return {
      ...(price !== undefined && currency !== undefined && { price, currency }),
      ...(segments !== undefined && { segments }),
      ...present('network', value('network', readNetwork)),
      ...present('carrier', carrier && cutBeforeMask(carrier, maxCarrierLength)),
    };
  }

  return mapStatus;
}

/** Reads a flag as JSON and forms write it. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value));
}
