import { buildApp } from 'fauxqs';
import { foreignRequest, isFromThisMachine } from '../../aws-protocol/local-request.ts';

export interface SqsServer {
  close(): Promise<void>;
}

/**
 * Serves SQS and SNS on 127.0.0.1 through fauxqs, in memory. Fauxqs names a queue `http://sqs.<region>.localhost:PORT/000000000000/NAME`. That host does
 * not resolve on every system, and the SDK sends to the host of a queue URL whatever its endpoint is. So every URL in an answer is translated
 * to `http://127.0.0.1:PORT/...`. Requests need no translation: fauxqs finds a queue by its name for any host that does not begin with `sqs.`.
 *
 * @param publicPort the port in the URLs
 */
export async function startSqsServer(port: number, publicPort: number = port): Promise<SqsServer> {
  const app = buildApp({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    if (!isFromThisMachine(request.headers)) return reply.code(403).send({ message: foreignRequest });
    // Fauxqs separates queues by the region of the caller's signature, but a run has one region.
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
