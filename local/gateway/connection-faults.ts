import type { Socket } from 'node:net';
import * as z from 'zod';

const schema = z.strictObject({
  connections: z.array(
    z.strictObject({
      /** The label of the function. */
      caller: z.string().min(1),
      /**
       * `close`: the gateway closes every connection that the function has made. `reset`: the function finds its connections closed when it
       * sends the next request. `lose`: the gateway stops answering, as if a device between the two had forgotten the connections.
       */
      fate: z.enum(['close', 'reset', 'lose']),
    }),
  ),
});

type ConnectionFault = z.output<typeof schema>['connections'][number];

interface EndedConnections extends ConnectionFault {
  /** The number of connections that the fault hit. */
  readonly hit: number;
  /** The requests that arrived on these connections since then, if they were reset or lost. */
  requestsLost: number;
}

/**
 * Ends the open connections of a function when a test asks for it. Lambda freezes a function between invocations, and the function
 * finds its connections in this state when it runs again. Connections that the function opens afterwards work.
 */
export class ConnectionFaults {
  readonly #open = new Map<string, Set<Socket>>();
  readonly #ends = new WeakMap<Socket, EndedConnections>();
  #ended: readonly EndedConnections[] = [];

  get state(): { readonly connections: readonly EndedConnections[] } {
    return { connections: this.#ended };
  }

  /** @throws ZodError */
  replace(input: unknown): void {
    const { connections } = schema.parse(input);
    this.#ended = connections.map((fault) => this.#end(fault));
  }

  /** Notes the function that made a connection. */
  note(caller: string, socket: Socket): void {
    const open = this.#open.get(caller) ?? new Set();
    this.#open.set(caller, open);
    if (open.has(socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  }

  /** Returns whether a request gets no answer, because its connection has ended. */
  loses(socket: Socket): boolean {
    const ended = this.#ends.get(socket);
    if (!ended) return false;
    ended.requestsLost += 1;
    if (ended.fate === 'reset') socket.resetAndDestroy();
    return true;
  }

  #end({ caller, fate }: ConnectionFault): EndedConnections {
    const sockets = [...(this.#open.get(caller) ?? [])];
    const ended = { caller, fate, hit: sockets.length, requestsLost: 0 };
    for (const socket of sockets) {
      if (fate === 'close') socket.destroy();
      else this.#ends.set(socket, ended);
    }
    return ended;
  }
}
