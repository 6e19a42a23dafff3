import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, listen, readBody } from '../../local/aws-protocol/http.ts';
import { freePorts } from '../support/free-port.ts';
import type { ConnectionFate } from './fault-control.ts';

const maxBytes = 1024 * 1024;

/** An event as it was posted. */
interface Forwarded {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A receiver of forwarded events. */
export interface ForwardReceiver extends AsyncDisposable {
  readonly url: string;
  /** The answer to the next events. */
  status: number;
  /** The accepted events, by `webhook-id`. */
  readonly accepted: ReadonlyMap<string, Forwarded>;
  /** Requests that were sent on connections after these were reset or lost. */
  readonly requestsLost: number;
  /** Ends the open connections. @returns their number */
  endConnections(fate: ConnectionFate): number;
}

interface ReceiverOptions {
  /** Whether each event is rejected with 500 once, and accepted at its second attempt. */
  readonly rejectsEachOnce?: boolean;
  /** How long each answer takes, in milliseconds. It must be long enough that events which are forwarded at once need a connection each. */
  readonly answerMs?: number;
}

export async function startForwardReceiver({
  rejectsEachOnce = false,
  answerMs = 0,
}: ReceiverOptions = {}): Promise<ForwardReceiver> {
  const port = await freePorts(1);
  const rejected = new Set<string>();
  const accepted = new Map<string, Forwarded>();
  const fates = new WeakMap<object, ConnectionFate>();
  const open = new Set<{ destroy(): void }>();
  let requestsLost = 0;
  const server = await listen(port, async (request, response) => {
    const fate = fates.get(request.socket);
    if (fate !== undefined) {
      requestsLost += 1;
      if (fate === 'reset') request.socket.resetAndDestroy();
      return;
    }
    const body = String(await readBody(request, maxBytes));
    await delay(answerMs);
    const entries = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const headers: Record<string, string> = Object.fromEntries(entries);
    const id = headers['webhook-id'] ?? '';
    const status = rejectsEachOnce && !rejected.has(id) ? 500 : receiver.status;
    if (status < 300) accepted.set(id, { body, headers });
    else rejected.add(id);
    response.writeHead(status).end();
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const receiver: ForwardReceiver = {
    url: `http://127.0.0.1:${port}/events`,
    status: 204,
    accepted,
    get requestsLost() {
      return requestsLost;
    },
    endConnections(fate) {
      const ended = [...open];
      for (const socket of ended) {
        if (fate === 'close') socket.destroy();
        else fates.set(socket, fate);
      }
      return ended.length;
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
  return receiver;
}
