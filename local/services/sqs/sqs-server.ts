import { buildApp } from 'fauxqs';

export interface SqsServer {
  close(): Promise<void>;
}

/**
 * Serves SQS on 127.0.0.1 through fauxqs, in memory. Fauxqs calls a queue
 * `http://sqs.<region>.localhost:PORT/000000000000/NAME`, a host that does not resolve on every system, and
 * the SDK sends to a queue URL's host whatever its endpoint says. So every URL in an answer is translated to
 * `http://127.0.0.1:PORT/...`. The other direction needs nothing: fauxqs finds a queue by its name for any
 * host that does not begin with `sqs.`.
 *
 * @param publicPort the port in the URLs, where everybody reaches it
 */
export async function startSqsServer(port: number, publicPort: number = port): Promise<SqsServer> {
  const app = buildApp({ logger: false });
  app.addHook('onRequest', async (request) => {
    // Fauxqs keeps queues apart by the region of the caller's signature; here is one region for everybody.
    delete request.headers.authorization;
  });
  app.addHook('preSerialization', async (_request, _reply, payload) => withLoopbackUrls(payload, publicPort));
  await app.listen({ port, host: '127.0.0.1' });
  return { close: () => app.close() };
}

function withLoopbackUrls(payload: unknown, port: number): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const loopback = (url: unknown): string => `http://127.0.0.1:${port}${new URL(String(url)).pathname}`;
  if ('QueueUrl' in payload) return { ...payload, QueueUrl: loopback(payload.QueueUrl) };
  if ('QueueUrls' in payload && Array.isArray(payload.QueueUrls)) {
    return { ...payload, QueueUrls: payload.QueueUrls.map(loopback) };
  }
  return payload;
}
