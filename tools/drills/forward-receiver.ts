import { closeServer, listen, readBody } from '../../local/aws-protocol/http.ts';
import { freePorts } from '../support/free-port.ts';

const maxBytes = 1024 * 1024;

/** An event as it was posted. */
interface Forwarded {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A receiver of forwarded events. */
export interface ForwardReceiver {
  readonly url: string;
  /** The answer to the next events. */
  status: number;
  /** The accepted events, by `webhook-id`. */
  readonly taken: ReadonlyMap<string, Forwarded>;
  close(): Promise<void>;
}

/** @param rejects whether each event is rejected with 500 once, and accepted at its second attempt */
export async function startForwardReceiver(rejects: 'nothing' | 'each once'): Promise<ForwardReceiver> {
  const port = await freePorts(1);
  const rejected = new Set<string>();
  const taken = new Map<string, Forwarded>();
  const server = await listen(port, async (request, response) => {
    const body = String(await readBody(request, maxBytes));
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers['webhook-id'] ?? '';
    const status = rejects === 'each once' && !rejected.has(id) ? 500 : receiver.status;
    if (status < 300) taken.set(id, { body, headers });
    else rejected.add(id);
    response.writeHead(status).end();
  });
  const receiver = {
    url: `http://127.0.0.1:${port}/events`,
    status: 204,
    taken,
    close: () => closeServer(server),
  };
  return receiver;
}
