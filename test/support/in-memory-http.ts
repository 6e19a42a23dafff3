import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { AwsRoute } from '../../local/aws-protocol/aws-endpoint.ts';

export interface InMemoryRequest {
  readonly method?: string;
  /** With the query, if there is one. */
  readonly path?: string;
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Records an answer instead of sending it. */
class RecordedResponse extends ServerResponse {
  readonly sent: { status: number; headers: Record<string, string>; text: string } = {
    status: 200,
    headers: {},
    text: '',
  };
  readonly ended = Promise.withResolvers<void>();

  override writeHead(status: number, ...rest: unknown[]): this {
    this.sent.status = status;
    for (const [name, value] of Object.entries(Object(rest.at(-1)))) this.sent.headers[name] = String(value);
    return this;
  }

  override end(...[text]: unknown[]): this {
    this.sent.text = text === undefined ? '' : String(text);
    this.ended.resolve();
    return this;
  }
}

/** Calls the listener of an HTTP server without a connection. Resolves when it has answered. */
export async function callListener(listener: RequestListener, request: InMemoryRequest) {
  const { method = 'GET', path = '/', headers = {}, body = '' } = request;
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method, url: path, headers });
  incoming.push(typeof body === 'string' ? body : Buffer.copyBytesFrom(body));
  incoming.push(null);
  const response = new RecordedResponse(incoming);
  await listener(incoming, response);
  await response.ended.promise;
  const { sent } = response;
  return {
    ...sent,
    get json(): unknown {
      return sent.text === '' ? undefined : JSON.parse(sent.text);
    },
  };
}

/** Answers with the first route that accepts the request, as the endpoint of a run does. */
export function listenerOf(routes: readonly AwsRoute[]): RequestListener {
  return async (request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? '';
    const accepts = (route: AwsRoute) =>
      (route.method ?? request.method) === request.method && route.path.test(path);
    const route = routes.find(accepts);
    if (route === undefined) throw new Error(`no route for ${request.method} ${path}`);
    await route.answer(decodeURIComponent(route.path.exec(path)?.[1] ?? ''), request, response);
  };
}

/** The settings of an AWS client whose calls a listener answers, without a connection. */
export function inMemoryClient(listener: RequestListener) {
  const handle = async (request: InMemoryRequest) => {
    const { status, headers, text } = await callListener(listener, request);
    return { response: { statusCode: status, headers, body: Readable.from([Buffer.from(text)]) } };
  };
  return {
    endpoint: 'http://127.0.0.1:1',
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
    requestHandler: { handle },
  };
}
