import { decidingEntry, isFinal, type Message } from '../functions/core/history/message.ts';
import { viewMessage } from '../functions/core/history/view.ts';
import type { Context } from './context.ts';
import { pollMs } from './list/follow.ts';
import { viewOf } from './print.ts';
import { openMessage } from './render-message.ts';
import { toJsonLine } from './text/sanitize.ts';
import { tolerating } from './tolerate.ts';

/**
 * Writes a message to stdout, then its new reports as they come, until one is final or the reader ends it.
 *
 * @param found the message as it is at the beginning
 * @param read gives it as it is now
 */
export async function followMessage(
  { terminal, beginWaiting }: Context,
  { json = false, reveal = false }: { readonly json?: boolean; readonly reveal?: boolean },
  found: Message,
  read: () => Promise<Message | undefined>,
): Promise<void> {
  const wait = beginWaiting();
  const tolerate = tolerating(terminal);
  const { head, reports } = openMessage(found, viewOf(terminal, reveal));
  const write = (message: Message, known: Message['events']) => {
    const fresh = [...message.events.values()].filter(({ eventId }) => !known.has(eventId));
    if (fresh.length > 0) terminal.out(`${json ? toJsonLine(viewMessage(message)) : reports(fresh)}\n`);
  };
  if (!json) terminal.out(`${head}\n\n`);
  write(found, new Map());
  let message = found;
  while (!isFinal(decidingEntry(message)) && (await wait(pollMs))) {
    const { events } = message;
    message = (await tolerate(read)) ?? message;
    write(message, events);
  }
}
