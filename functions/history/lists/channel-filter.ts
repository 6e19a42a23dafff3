import { channelOf, type TimelineEntry } from '../message.ts';
import type { Page } from './time-range.ts';

/** The name by which a filter selects the entries without a channel. */
const sms = 'sms';

/** Leaves out the entries of other channels. @param channel `sms` selects those without a channel; undefined selects all */
export function ofChannel<T>(
  channel: string | undefined,
  page: Page<T>,
  channelOfEntry: (entry: T) => string | undefined,
): Page<T> {
  if (channel === undefined) return page;
  return { ...page, entries: page.entries.filter((entry) => (channelOfEntry(entry) ?? sms) === channel) };
}

export function channelOfEntry(entry: TimelineEntry): string | undefined {
  return entry.kind === 'message' ? channelOf(entry.message) : entry.reply.current.channel;
}
