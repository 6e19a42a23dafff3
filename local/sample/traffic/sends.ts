import type { ReplyStyle } from './replies.ts';

/** A send of the sample. */
export interface SampleSend {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startsAt: number;
  readonly messages: number;
  /** The codes of the countries that it goes to; all without it. */
  readonly countries?: readonly string[];
  /** What the quality of its numbers adds to the log odds of delivery. */
  readonly quality?: number;
  readonly replies: ReplyStyle;
}

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** The sample begins this many days before today. */
export const sampleDays = 30;

/** The quality of numbers that customers gave lately, for an appointment or a delivery. */
const knownNumbers = 1.1;

/** The day before today in which one country has an incident, and its hours in UTC. */
export const incidentDay = { before: 5, fromHour: 9, untilHour: 15, country: 'FR', lost: 0.33 } as const;

/** The season of each month in the northern half of the world, where most of the customers are. */
const seasons = [
  'winter',
  'winter',
  'spring',
  'spring',
  'spring',
  'summer',
  'summer',
  'summer',
  'autumn',
  'autumn',
  'autumn',
  'winter',
];

/**
 * Returns the sends from 30 days ago to the end of today: what a company with appointments, deliveries, bills and offers sends.
 *
 * @param today the beginning of a day in UTC
 */
export function sendsUntil(today: number): SampleSend[] {
  const sends: SampleSend[] = [];
  const days = Array.from({ length: sampleDays + 1 }, (_, index) => today - (sampleDays - index) * dayMs);
  for (const day of days) {
    const date = new Date(day);
    const before = Math.round((today - day) / dayMs);
    const name = date.toISOString().slice(0, 10);
    const month = name.slice(0, 7);
    const weekDay = date.getUTCDay();
    const add = (id: string, hour: number, rest: Omit<SampleSend, 'id' | 'startsAt'>) =>
      sends.push({ id, startsAt: day + hour * hourMs, ...rest });

    // Yesterday has one in any case: the support question is about it.
    if ((weekDay >= 1 && weekDay <= 5) || before === 1)
      add(`appointment-reminders-${name}`, 15, {
        messages: 26 + ((date.getUTCDate() * 7) % 12),
        countries: ['US', 'CA', 'GB'],
        quality: knownNumbers,
        replies: 'appointment',
      });
    if (weekDay === 2 || weekDay === 4)
      add(`delivery-windows-${name}`, 7.5, {
        messages: 34,
        countries: ['GB', 'DE', 'SE'],
        quality: knownNumbers,
        replies: 'few',
      });
    if (weekDay === 5) add(`weekend-offers-${name}`, 12, { messages: 85, replies: 'offer' });
    if (date.getUTCDate() === 1) add(`invoices-${month}`, 8, { messages: 170, replies: 'invoice' });
    if (date.getUTCDate() === 15) add(`payment-reminders-${month}`, 9, { messages: 85, replies: 'invoice' });

    const season = seasons[new Date(today).getUTCMonth()];
    if (before === 26) add(`${season}-collection-preview`, 11, { messages: 90, replies: 'offer' });
    if (before === 21) add(`win-back-${month}`, 14, { messages: 95, quality: -1.6, replies: 'offer' });
    if (before === 17)
      add(`satisfaction-survey-${month}`, 16, {
        messages: 80,
        countries: ['US', 'GB', 'BR'],
        replies: 'survey',
      });
    if (before === 12) add(`${season}-sale-early-access`, 10, { messages: 110, replies: 'offer' });
    if (before === 9) add(`${season}-sale`, 10, { messages: 210, replies: 'offer' });
    if (before === 7) add('opening-hours-berlin', 10, { messages: 55, countries: ['DE'], replies: 'few' });
    if (before === incidentDay.before)
      add(`click-and-collect-paris-${name}`, 9.6, { messages: 80, countries: ['FR'], replies: 'few' });
    if (before === 3) add(`${season}-sale-last-day`, 10, { messages: 140, replies: 'offer' });
    if (before === 2) add('novidades-do-mes', 14, { messages: 60, countries: ['BR'], replies: 'offer' });
  }
  return sends;
}
