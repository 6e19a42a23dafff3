/** The data of the sample. The figures are made up: they are plausible, and no operator published them. */

import type { CanonicalErrorReason, CanonicalStatus } from '../../contract/schema/sms-event.ts';

export interface Country {
  /** ISO 3166. */
  readonly code: string;
  /** The number that messages come from, and replies go to. */
  readonly sender: string;
  /** The numbers of customers. They are reserved for fiction, or belong to no one. */
  readonly numbers: readonly string[];
  /** The share of messages that fail. */
  readonly failureShare: number;
  /** The price of a part of a message in thousandths of a dollar. */
  readonly price: number;
  /** What customers write to opt out. */
  readonly optOutWord: string;
  /** What customers write otherwise. */
  readonly texts: readonly string[];
}

/** Returns 90 numbers that differ in their last four digits. */
function numbers(prefix: string, first: number, step = 1): string[] {
  return Array.from({ length: 90 }, (_, index) => prefix + String(first + index * step).padStart(4, '0'));
}

/**
 * Sources of the numbers: 555-0100 to 555-0199 of every area in North America, Ofcom (07700 900000 to 900999), Bundesnetzagentur (0171 39200),
 * and ARCEP (06 39 98). Brazil reserves no numbers, and has no area 20.
 */
export const unitedStates: Country = {
  code: 'US',
  sender: '+12025550100',
  numbers: [...numbers('+1312555', 110), ...numbers('+1415555', 110)],
  failureShare: 0.013,
  price: 8,
  optOutWord: 'STOP',
  texts: ['Thanks!', 'Who is this?', 'Can I move it to 3 pm?', 'Does this work online too?', '👍'],
};

export const countries: readonly Country[] = [
  unitedStates,
  {
    code: 'GB',
    sender: '+447700900001',
    numbers: numbers('+44770090', 100, 10),
    failureShare: 0.012,
    price: 42,
    optOutWord: 'STOP',
    texts: ['Confirmed, see you then', 'Do you have it in size 8?', 'Paid it yesterday', 'ok'],
  },
  {
    code: 'DE',
    sender: '+491713920000',
    numbers: numbers('+49171392', 10),
    failureShare: 0.014,
    price: 79,
    optOutWord: 'Stop',
    texts: ['Danke!', 'Alles klar', 'Gilt das auch online?'],
  },
  {
    code: 'FR',
    sender: '+33639980001',
    numbers: numbers('+3363998', 100, 100),
    failureShare: 0.013,
    price: 65,
    optOutWord: 'ARRET',
    texts: ['Merci !', 'Quels magasins ?', 'Je ne l’ai pas reçu'],
  },
  {
    code: 'BR',
    sender: '+5520955550100',
    numbers: numbers('+552095555', 110),
    failureShare: 0.04,
    price: 31,
    optOutWord: 'SAIR',
    texts: ['Obrigada!', 'Já paguei ontem', 'Vale para a loja online?'],
  },
];

/** The codes of networks that ITU-T E.212 keeps for tests. */
export const networks = ['00101', '001001'];

/** How customers reply to a message. */
export interface ReplyShares {
  /** The share of delivered messages that have a reply. */
  readonly replies: number;
  /** The share of replies that are opt-outs. */
  readonly optOuts: number;
}

export const usualReplies: ReplyShares = { replies: 0.04, optOuts: 0.1 };
const appointmentReplies: ReplyShares = { replies: 0.2, optOuts: 0.02 };
const offerReplies: ReplyShares = { replies: 0.05, optOuts: 0.5 };

/** Messages to different customers. */
export interface Send {
  /** With the day it is the id of the send. Messages without it belong to no send. */
  readonly name?: string;
  /** The days of the week on which it is made; 0 is Sunday. */
  readonly weekdays?: readonly number[];
  /** The day on which it is made, counted back from the day on which the sample is first played. */
  readonly daysBefore?: number;
  /** The hours in UTC from which to which the messages are sent. */
  readonly hours: readonly [from: number, to: number];
  /** About how many messages it has. */
  readonly messages: number;
  /** The countries that it goes to; all by default. */
  readonly countries?: readonly string[];
  readonly shares: ReplyShares;
  /** The share of messages that a carrier rejects because of an incident. */
  readonly incident?: number;
}

const workingDays = [1, 2, 3, 4, 5];
const everyDay = [0, ...workingDays, 6];

/** What a company with appointments, deliveries, bills and offers sends. */
export const sends: readonly Send[] = [
  { weekdays: everyDay, hours: [0, 24], messages: 10, shares: usualReplies },
  { weekdays: everyDay, hours: [7, 20], messages: 30, shares: usualReplies },
  { weekdays: workingDays, hours: [9, 17], messages: 30, shares: usualReplies },
  {
    name: 'appointment-reminders',
    weekdays: everyDay,
    hours: [15, 15.03],
    messages: 26,
    countries: ['US', 'GB'],
    shares: appointmentReplies,
  },
  {
    name: 'delivery-windows',
    weekdays: [2, 4],
    hours: [7.5, 7.55],
    messages: 34,
    countries: ['GB', 'DE'],
    shares: usualReplies,
  },
  { name: 'weekend-offers', weekdays: [5], hours: [12, 12.1], messages: 85, shares: offerReplies },
  { name: 'invoices', daysBefore: 19, hours: [8, 8.2], messages: 170, shares: usualReplies },
  { name: 'sale', daysBefore: 9, hours: [10, 10.2], messages: 210, shares: offerReplies },
  {
    name: 'click-and-collect-paris',
    daysBefore: 5,
    hours: [9.6, 9.65],
    messages: 46,
    countries: ['FR'],
    shares: usualReplies,
    incident: 0.3,
  },
  { name: 'sale-last-day', daysBefore: 3, hours: [10, 10.2], messages: 140, shares: offerReplies },
];

/** A report about a message. Times are seconds after the message was sent. */
export interface CourseReport {
  readonly status: CanonicalStatus;
  readonly after: number;
  /** When the webhook receives it; about a second after `after` by default. */
  readonly receivedAfter?: number;
  readonly reason?: CanonicalErrorReason;
  readonly text?: string;
}

/** The reports about a message, and how frequent they are in relation to the other courses of a list. */
export interface Course {
  readonly weight: number;
  readonly reports: readonly CourseReport[];
}

const minute = 60;
const hour = 60 * minute;
const sent: CourseReport = { status: 'sent', after: 1 };
const delivered: CourseReport = { status: 'delivered', after: 5 };

export const deliveries: readonly Course[] = [
  { weight: 740, reports: [sent, delivered] },
  {
    weight: 90,
    reports: [{ status: 'accepted', after: 0 }, { status: 'queued', after: 0.5 }, sent, delivered],
  },
  { weight: 90, reports: [sent, delivered, { status: 'read', after: 7 * minute }] },
  { weight: 20, reports: [sent, { status: 'delivered', after: 2 * minute }] },
  // The webhook receives the first report after the second one.
  { weight: 40, reports: [{ ...sent, receivedAfter: 7 }, delivered] },
  // The webhook receives the last report hours late.
  { weight: 10, reports: [sent, { ...delivered, receivedAfter: 4 * hour }] },
  // No report has an outcome.
  { weight: 5, reports: [sent] },
  { weight: 2, reports: [sent, { status: 'unknown', after: 6 * hour }] },
];

/** Makes a course of one failure. The SMS service rejects a message before it sends it. */
function failing(
  weight: number,
  status: CanonicalStatus,
  after: number,
  reason: CanonicalErrorReason,
  text: string,
): Course {
  const failed = { status, after, reason, text };
  return { weight, reports: status === 'rejected' ? [failed] : [sent, failed] };
}

export const carrierIncident = failing(7, 'undelivered', 4, 'carrier_rejected', 'provider timeout');
export const sentAfterOptOut = failing(1, 'rejected', 1, 'opted_out', 'number opted out');

export const failures: readonly Course[] = [
  failing(40, 'undelivered', 5 * minute, 'unreachable', 'handset unreachable'),
  failing(18, 'failed', 3, 'invalid_number', 'unknown destination'),
  failing(14, 'expired', 12 * hour, 'expired', 'validity period expired'),
  failing(9, 'undelivered', 4, 'blocked', 'blocked by the recipient'),
  carrierIncident,
  failing(5, 'failed', 3, 'landline', 'landline or unreachable carrier'),
  failing(4, 'rejected', 1, 'spam', 'filtered by the carrier'),
  failing(3, 'failed', 2, 'throttled', 'too many messages at once'),
];

/** The customer of the question "Did +1 202 555 0143 get yesterday's message, and what did they answer?" */
export const supportPhone = '+12025550143';

/** The messages to {@link supportPhone}, and what the customer replies. */
export const supportMessages: readonly {
  readonly daysBefore: number;
  /** In UTC. */
  readonly hour: number;
  /** The name of the send of that day. */
  readonly send?: string;
  readonly reports: readonly CourseReport[];
  readonly reply?: { readonly text: string; readonly after: number };
}[] = [
  { daysBefore: 23, hour: 16.17, reports: [sent, delivered] },
  {
    daysBefore: 9,
    hour: 10.02,
    send: 'sale',
    // The service reports a failure by mistake.
    reports: [sent, { status: 'undelivered', after: 4, reason: 'unreachable' }, delivered],
  },
  {
    daysBefore: 1,
    hour: 15.02,
    send: 'appointment-reminders',
    reports: [sent, delivered, { status: 'read', after: 2 * minute }],
    reply: { text: "Yes, I'll be there. Is there parking nearby?", after: 11 * minute },
  },
  {
    daysBefore: 1,
    hour: 15.3,
    reports: [sent, delivered, { status: 'read', after: 2 * minute }],
    reply: { text: 'Great, thank you!', after: 4 * minute },
  },
];
