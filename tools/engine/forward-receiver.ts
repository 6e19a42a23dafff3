import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, listen, readBody } from '../../local/aws-protocol/http.ts';
import { freePorts } from '../support/free-port.ts';
import type { ConnectionFate } from './fault-control.ts';

const maxBytes = 1024 * 1024;

/** How long each answer takes, in milliseconds, so that events that are forwarded at once need a connection each. */
const answerMs = 300;

/** A receiver of forwarded events, which accepts all of them. */
export interface ForwardReceiver extends AsyncDisposable {
  readonly url: string;
  /** Ids of the events that it accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Requests that were sent on connections after these were reset or lost. */
  readonly requestsLost: number;
  /** Ends the connections that there are now. @returns how many they were */
  endConnections(fate: ConnectionFate): number;
}

export async function startForwardReceiver(): Promise<ForwardReceiver> {
  const port = await freePorts(1);
  const accepted = new Set<string>();
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
    await readBody(request, maxBytes);
    await delay(answerMs);
    accepted.add(String(request.headers['webhook-id']));
    response.writeHead(204).end();
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    url: `http://127.0.0.1:${port}/events`,
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
}
