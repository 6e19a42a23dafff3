import type { buildApp } from 'fauxqs';

type Requests = ReturnType<typeof buildApp>;

/**
 * Makes the S3 of fauxqs obey `If-Match` and `If-None-Match: *` of PutObject, which it ignores. A conditional write of an object waits for the
 * one before it, and is answered with 412 where the object is another one by then ("Conditional writes", Amazon S3 User Guide).
 */
export function addConditionalWrites(app: Requests): void {
  /** The end of the last write, by path. */
  const writes = new Map<string, Promise<void>>();
  const ends = new WeakMap<object, () => void>();

  app.addHook('preHandler', async (request, reply) => {
    const { 'if-match': expected, 'if-none-match': none } = request.headers;
    if (request.method !== 'PUT' || (expected === undefined && none === undefined)) return;
    const [path = ''] = request.url.split('?');
    const before = writes.get(path);
    const { promise, resolve } = Promise.withResolvers<void>();
    writes.set(path, promise);
    ends.set(request, () => {
      if (writes.get(path) === promise) writes.delete(path);
      resolve();
    });
    await before;
    const { statusCode, headers } = await app.inject({ method: 'HEAD', url: path });
    const found = statusCode === 200 ? headers.etag : undefined;
    const isMet = expected === undefined ? found === undefined : found === expected;
    if (isMet) return;
    const error =
      '<Error><Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message></Error>';
    return reply
      .status(412)
      .header('content-type', 'application/xml')
      .send(`<?xml version="1.0" encoding="UTF-8"?>\n${error}`);
  });
  app.addHook('onResponse', async (request) => ends.get(request)?.());
}
