import type { RequestListener } from 'node:http';
import { closeServer, listen } from '../../../local/services/http.ts';

/** An HTTP server on a port of its own on the loopback interface. */
export interface Served {
  /** Host and port. */
  readonly address: string;
  /** Open connections end too. */
  stop(): Promise<void>;
}

export async function serve(listener: RequestListener): Promise<Served> {
  const server = await listen(0, listener);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return { address: `127.0.0.1:${bound.port}`, stop: () => closeServer(server) };
}
