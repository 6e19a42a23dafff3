import { closeServer, listen, readBody } from '../../../local/aws-protocol/http.ts';
import { freePorts } from '../../support/free-port.ts';

const maxBytes = 1024 * 1024;

/** An event as it was posted. */
interface Forwarded {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A receiver of forwarded events. It accepts an event at the second attempt. */
export interface ForwardReceiver {
  readonly url: string;
  /** The accepted events, by `webhook-id`. */
  readonly taken: ReadonlyMap<string, Forwarded>;
  close(): Promise<void>;
}

export async function startForwardReceiver(): Promise<ForwardReceiver> {
  const port = await freePorts(1);
  const refused = new Set<string>();
  const taken = new Map<string, Forwarded>();
  const server = await listen(port, async (request, response) => {
    const body = String(await readBody(request, maxBytes));
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const id = headers['webhook-id'] ?? '';
    if (refused.has(id)) taken.set(id, { body, headers });
    response.writeHead(refused.has(id) ? 204 : 500).end();
    refused.add(id);
  });
  return { url: `http://127.0.0.1:${port}/events`, taken, close: () => closeServer(server) };
}
