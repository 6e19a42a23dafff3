import { Agent, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';

/** Shorter than the services keep idle connections, so that a call never meets one that is just being closed. */
const IDLE_MS = 15_000;

/** Hands requests on to one service. */
export class Forwarder {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  /** @param port of the service, on 127.0.0.1 */
  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends a request on and streams the answer back. A service that does not answer or hangs up does the same to the caller.
   *
   * @param body the request's body where it was read already, else it streams from the request
   * @param response that the answer goes to; undefined: nowhere
   */
  forward(
    request: IncomingMessage,
    body: readonly Buffer[] | undefined,
    response: ServerResponse | undefined,
  ): void {
    const { connection: _connection, ...headers } = request.headers;
    const sent = startRequest({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method: request.method,
      path: request.url,
      headers,
    });
    sent.on('response', (answer) => {
      if (!response) return void answer.resume();
      const { connection: _hop, 'keep-alive': _idle, ...answerHeaders } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answerHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    sent.on('error', () => response?.destroy());
    response?.on('close', () => {
      if (!response.writableFinished) sent.destroy();
    });
    if (!body) return void request.pipe(sent);
    for (const chunk of body) sent.write(chunk);
    sent.end();
  }

  close(): void {
    this.#agent.destroy();
  }
}
