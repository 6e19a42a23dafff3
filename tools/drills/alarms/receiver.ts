import { createServer } from 'node:http';
import { freePorts } from '../../support/free-port.ts';

/** A server that receives forwarded events. */
export interface Receiver {
  readonly url: string;
  /** Sets its answer from now on. */
  answer(status: number): void;
  /** How many it has answered with 2xx. */
  taken(): number;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const port = await freePorts(1);
  let status = 200;
  let taken = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (status < 300) taken += 1;
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/events`,
    answer: (wanted) => {
      status = wanted;
    },
    taken: () => taken,
    close: () => void server.close(),
  };
}
