/** The channels whose addresses hold a phone number. Those of the telephone itself are SMS, and have no name. */
const channelsOfNumbers: ReadonlyMap<string, string | undefined> = new Map([
  ['tel', undefined],
  ['sms', undefined],
  ['smsto', undefined],
  ['mms', 'mms'],
  ['sip', 'sip'],
  ['sips', 'sip'],
  ['whatsapp', 'whatsapp'],
  ['rcs', 'rcs'],
  ['viber', 'viber'],
]);

/** The channels whose addresses hold an id that may consist of digits, and is no phone number. */
const channelsOfIds: ReadonlySet<string> = new Set([
  'messenger',
  'facebook',
  'instagram',
  'telegram',
  'line',
  'client',
  'wechat',
  'kakaotalkchat',
  'applebc',
  'webchat',
]);

/** An address, and the channel that it is of. */
export type Address =
  | {
      /** Left out for SMS. */
      readonly channel?: string;
      /** The number or the name within the address. */
      readonly address: string;
      readonly isId?: false;
    }
  /** The channel has ids of its own. The address is the channel and the id. */
  | { readonly channel: string; readonly address: string; readonly isId: true; readonly id: string };

/**
 * Splits an address such as `whatsapp:+12025550143` or `tel:+1-202-555-0143;ext=7` (RFC 3966) into the channel and the number. Any other text is
 * an address of SMS.
 *
 * A host stays with the number, as in `sip:+12025550143@example.com` (RFC 3261), because its owner chooses what is in front of it.
 *
 * @param channelOfEvent the channel that the event names beside the address, in small letters
 */
export function splitAddress(text: string, channelOfEvent?: string): Address {
  const chat = channelOfEvent === 'whatsapp' ? numberOfChat(text) : undefined;
  if (chat !== undefined) return { channel: 'whatsapp', address: chat };
  const [, scheme = '', rest = ''] = /^\s*([a-z]+):(.*)$/is.exec(text) ?? [];
  const name = scheme.toLowerCase();
  if (channelsOfIds.has(name))
    return { channel: name, address: text.trim(), isId: true, id: numberWithin(rest) ?? rest };
  const address = numberWithin(text);
  // The owner of such an id may write it as an address of a telephone.
  if (channelOfEvent !== undefined && channelsOfIds.has(channelOfEvent) && text.trim() !== '')
    return {
      channel: channelOfEvent,
      address: `${channelOfEvent}:${text.trim()}`,
      isId: true,
      id: address ?? text,
    };
  const channel = channelsOfNumbers.get(name);
  if (address === undefined) return { address: text };
  return { ...(channel !== undefined && { channel }), address };
}

/** Returns what an address of a channel of numbers holds, such as `tel:+12025550143`; undefined for any other text. */
function numberWithin(text: string): string | undefined {
  const [, scheme = '', rest = ''] = /^\s*([a-z]+):(.*)$/is.exec(text) ?? [];
  return channelsOfNumbers.has(scheme.toLowerCase()) ? subscriberOf(rest) : undefined;
}

/** Returns the number in an id of WhatsApp, which has the country code and no "+". A mail address may look alike. */
export function numberOfChat(text: string): string | undefined {
  const [, digits] = /^\s*\+?(\d{7,15})@(?:c\.us|s\.whatsapp\.net)\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : `+${digits}`;
}

/** What may follow a number and leaves its meaning: `;ext=7`, `;phone-context=+1`, `?body=Hi`. Others, such as `maddr` of SIP, may name a host. */
const parametersOfNumber = /^(?:[;?&](?:(?:ext|isub|user|body)=[^;?&=\s<>"@]*|phone-context=\+[\d().-]*))*$/i;

/**
 * Returns the number of an address without its parameters. A local number gets the country code that a parameter names. An address that has
 * anything else, such as a name or a mail address, is undefined.
 */
function subscriberOf(rest: string): string | undefined {
  const [, subscriber = '', following = ''] = /^(?:\/\/)?([^;?]*)(.*)$/s.exec(rest) ?? [];
  if (subscriber.trim() === '' || !parametersOfNumber.test(following.trimEnd())) return undefined;
  const parameters = following.split(/[;?&]/);
  const context = parameters.find((parameter) => /^phone-context=\+/i.test(parameter))?.split('=')[1] ?? '';
  return /^\s*\+/.test(subscriber) ? subscriber : `${context}${subscriber}`;
}
