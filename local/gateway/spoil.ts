import type { Hit } from './faults.ts';
import type { Exchange, Forwarder } from './forward.ts';
import { type AnyService, answerError } from './service-error.ts';

/** Does to a call what a fault says, in the place of forwarding it. */
export function spoil(hit: Hit, service: AnyService, exchange: Exchange, forwarder: Forwarder): void {
  const { request, response } = exchange;
  if (hit.kind === 'drop') {
    forwarder.forwardWithoutAnswer(exchange);
    return;
  }
  // Whoever is still sending would not read an answer, nor be seen to hang up.
  request.resume();
  if (hit.kind === 'hang') hit.hang(response);
  else if (hit.kind === 'reset') response.socket?.resetAndDestroy();
  else answerError(response, service, hit.kind, 'a fault, as the local run was told to (PUT /local/faults)');
}
