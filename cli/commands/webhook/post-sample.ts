import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { requestForm } from '../../../contract/schema/request-form.ts';
import { signedRequest } from '../../../contract/signature/sign.ts';
import { parseJson } from '../../../contract/text/json.ts';
import { addressNotAllowed } from '../../../functions/receive/index.ts';
import type { Connection, Target } from '../../target/connection.ts';
import type { Context, PostAnswer } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { sanitize } from '../../text/sanitize.ts';
import type { SampleEvent } from './sample-event.ts';

/** Thrown if `sms:allowedSourceIps` does not have the address of this machine. The webhook is right to refuse it. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly url: string;

  constructor(url: string) {
    super(
      `${url} refused this machine, because its address is not in sms:allowedSourceIps. That is right. It shows that the webhook can be reached, and not that it accepts events: send yourself a real message for that.`,
    );
    this.url = url;
  }
}

/**
 * Posts an event to the webhook, signed like one of the SMS service.
 *
 * @param target the pipeline, for advice
 * @throws AddressRefusedError
 * @throws CommandFailure without a secret, and for an answer outside 200 to 299
 */
export async function postSample(
  { body, contentType, signedId }: SampleEvent,
  contract: Contract,
  connection: Pick<Connection, 'webhookUrl' | 'webhookSecret'>,
  { clock, post }: Pick<Context, 'clock' | 'post'>,
  target: Target,
): Promise<{ readonly url: string; readonly status: number }> {
  const url = await connection.webhookUrl();
  const secret = await currentSecret(contract, connection, target);
  const unsigned = { body, id: signedId, now: clock(), url, headers: { 'content-type': contentType } };
  const form = requestForm(contract.webhook, undefined);
  const { signature, method } = form;
  const signed = signedRequest(signature, unsigned, secret, form);
  const answer = await post({
    url: signed.url,
    headers: { 'content-type': contentType, ...signed.headers },
    body: signed.body,
    method,
  });
  if (isAddressRefused(answer)) throw new AddressRefusedError(url);
  if (answer.status < 200 || answer.status > 299) throw new CommandFailure(refusal(answer, url));
  return { url, status: answer.status };
}

/** Returns whether ingest refused the address. A firewall in front of it may answer 403 too, with another text. */
function isAddressRefused({ status, body }: PostAnswer): boolean {
  const { message }: { readonly message?: unknown } = Object(parseJson(body));
  return status === 403 && message === addressNotAllowed;
}

async function currentSecret(
  contract: Contract,
  connection: Pick<Connection, 'webhookSecret'>,
  target: Target,
): Promise<string> {
  if (contract.webhook.signature.scheme === 'none') return '';
  const document = await connection.webhookSecret();
  if (document !== undefined) return document.current.secret;
  throw new CommandFailure(
    `No signing secret is stored yet, so nothing can be signed. Run "${suggest(target, 'webhook register')}", or with registration off "${suggest(target, 'webhook store-secret')}".`,
  );
}

const advice: Readonly<Record<number, string>> = {
  401: "It did not accept the signature: is --contract the one it runs with, and this machine's clock right?",
  404: "The address does not exist: do the stack's outputs belong to another deployment?",
  413: 'The event is too large.',
  429: 'It is throttling: try again in a moment.',
  503: 'It could not store the event: try again.',
};

function refusal({ status, body }: PostAnswer, url: string): string {
  const excerpt = sanitize(body).trim().slice(0, 200);
  const hint = advice[status] === undefined ? '' : ` ${advice[status]}`;
  return `Refused with HTTP ${status} by ${url}.${hint}${excerpt === '' ? '' : ` Answer: ${excerpt}`}`;
}
