import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as startRequest,
} from 'node:http';
import { withAccessKey } from '../iam/caller.ts';
import type { Hit } from './faults.ts';
import { answerError } from './service-error.ts';

/** Shorter than the services keep idle connections, so that a call never meets one that is just being closed. */
const IDLE_MS = 15_000;

/** A request and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** The request's body if it was read already, else it streams from the request. */
  readonly body: readonly Buffer[] | undefined;
  readonly response: ServerResponse;
}

/** Hands requests on to one service. */
export class Forwarder {
  readonly #port: number;
  readonly #accessKeyId: string | undefined;
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  /**
   * @param port of the service, on 127.0.0.1
   * @param accessKeyId replaces that of each request, and the region with it
   */
  constructor(port: number, accessKeyId?: string) {
    this.#port = port;
    this.#accessKeyId = accessKeyId;
  }

  /**
   * Sends a request on and streams the answer back. A service that does not answer or hangs up does the same to the caller.
   *
   * @param onEnd called once at the end of the answer, with the bytes of its body and its status, if there was one
   */
  forward(
    { request, body, response }: Exchange,
    onEnd?: (answerBytes: number, status: number | undefined) => void,
  ): void {
    const sent = this.#send(request, body);
    let answerBytes = 0;
    let status: number | undefined;
    if (onEnd) response.once('close', () => onEnd(answerBytes, status));
    sent.on('response', (answer) => {
      status = answer.statusCode;
      if (onEnd) answer.on('data', (chunk: Buffer) => (answerBytes += chunk.length));
      const { connection: _hop, 'keep-alive': _idle, ...answerHeaders } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answerHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => {
      if (!response.writableFinished) sent.destroy();
    });
  }

  /** Sends a request on, waits for the whole answer, throws it away, and resets the caller's connection. */
  forwardWithoutAnswer({ request, body, response }: Exchange): void {
    const sent = this.#send(request, body);
    const reset = () => response.socket?.resetAndDestroy();
    sent.on('response', (answer) => answer.on('close', reset).resume());
    sent.on('error', reset);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(request: IncomingMessage, body: readonly Buffer[] | undefined): ClientRequest {
    const { connection: _connection, ...headers } = request.headers;
    if (this.#accessKeyId !== undefined)
      headers.authorization = withAccessKey(headers.authorization, this.#accessKeyId);
    const sent = startRequest({
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method: request.method,
      path: request.url,
      headers,
    });
    if (!body) return request.pipe(sent);
    for (const chunk of body) sent.write(chunk);
    return sent.end();
  }
}

/** Applies a fault to a call instead of forwarding the call. */
export function applyFault(hit: Hit, service: string, exchange: Exchange, forwarder: Forwarder): void {
  const { request, response } = exchange;
  if (hit.kind === 'drop') {
    forwarder.forwardWithoutAnswer(exchange);
    return;
  }
  // A client that is still sending would not read an answer, and its hanging up would go unnoticed.
  request.resume();
  if (hit.kind === 'hang') hit.hang(response);
  else if (hit.kind === 'reset') response.socket?.resetAndDestroy();
  else answerError(response, service, hit.kind, 'a fault that was set by PUT /local/faults');
}
