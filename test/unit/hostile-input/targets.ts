import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { contracts } from '../../../tools/support/contracts.ts';

/** The time of the attacked machine; milliseconds since the epoch. */
export const startedAt = Date.UTC(2026, 0, 15, 12, 0, 5);
export const webhookUrl = 'https://example.test/webhooks/sms';

/** Was accepted once and is no more. */
export const expiredSecret = 'whsec_ZXhwaXJlZC1zZWNyZXQtb2YtdGVzdHM=';
/** A secret of another owner. */
export const strangersSecret = 'whsec_c3RyYW5nZXJzLXNlY3JldC1vZi10ZXN0cw==';

/** Attempts of any shape, and what must hold for each. */
export interface Attack<T> {
  readonly attempts: fc.Arbitrary<T>;
  /** @returns what became of it, in a word. @throws where a promise was broken */
  readonly attempt: (attempt: T) => Promise<string>;
}

/** The contracts under attack, with the secret each is verified with. */
export const targets = contracts;
export type Target = (typeof targets)[number];
export type TargetName = Target['name'];

export function targetOf(name: TargetName): Target {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw new Error(`no contract ${name}`);
  return found;
}

/** Attempts on every contract, most of them on the shipped one. */
export function onEveryTarget<T>(attemptOn: (target: TargetName) => fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 3, arbitrary: attemptOn('shipped') },
    { weight: 1, arbitrary: attemptOn('form') },
    { weight: 1, arbitrary: attemptOn('nested') },
  );
}

/** Makes an instance of what is attacked for each contract. @returns how an attempt meets its own */
export function attackedBy<T extends { readonly target: TargetName }>(
  instance: (target: Target) => (attempt: T) => Promise<string>,
): (attempt: T) => Promise<string> {
  const instances = new Map(targets.map((target) => [target.name, instance(target)] as const));
  return async (attempt) => {
    const attacked = instances.get(attempt.target);
    if (attacked === undefined) throw new Error(`no contract ${attempt.target}`);
    return attacked(attempt);
  };
}

/**
 * Signs as the documents of these schemes say, without any code of the pipeline: what it accepts is held against this.
 *
 * @param timestamp seconds since the epoch
 * @returns headers by name in lower case
 */
export function signByHand(
  name: TargetName,
  secret: string,
  request: { readonly id: string; readonly timestamp: string; readonly body: Uint8Array },
): Record<string, string> {
  switch (name) {
    case 'shipped': {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const signature = createHmac('sha256', key)
        .update(`${request.id}.${request.timestamp}.`)
        .update(request.body)
        .digest('base64');
      return {
        'webhook-id': request.id,
        'webhook-timestamp': request.timestamp,
        'webhook-signature': `v1,${signature}`,
      };
    }
    case 'form': {
      const signature = createHmac('sha256', secret).update(request.body).digest('hex');
      return { 'x-hub-signature-256': `sha256=${signature}` };
    }
    case 'nested':
      return { authorization: `Token ${secret}` };
  }
}
