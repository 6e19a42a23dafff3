import { formatDuration } from '../../functions/base/basics.ts';
import type { SendFigures } from '../../functions/insights/index.ts';
import { viewSendFigures } from '../../functions/query/index.ts';
import type { SendFiguresView } from '../../functions/query/shapes.ts';

/** Reads the figures of a send; undefined until one of its reports is counted. */
export type LookAtSend = () => Promise<SendFiguresView | undefined>;

/** Returns a function that reads the figures of a send, and prints them if they differ from those that were printed last. */
export function followSend(
  read: () => Promise<SendFigures | undefined>,
  print: (line: string) => void,
): LookAtSend {
  let printed = '';
  return async () => {
    const send = await read();
    if (send === undefined) return undefined;
    const view = viewSendFigures(send);
    const line = describe(view);
    if (line !== printed) print(line);
    printed = line;
    return view;
  };
}

function describe({ sendId, messages, delivered, failed, pending, timeToDelivery }: SendFiguresView): string {
  const time = timeToDelivery === null ? '' : `, 95 % within ${formatDuration(timeToDelivery.p95)}`;
  return `the send ${sendId}: ${messages} messages, ${pending} pending, ${delivered} delivered, ${failed} failed${time}`;
}
