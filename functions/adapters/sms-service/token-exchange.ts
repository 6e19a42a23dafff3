import type { Contract } from '../../core/contract/contract.ts';
import { compileExpression } from '../../core/events/expression.ts';
import type { Decoded } from './answers.ts';

export type TokenContract = Contract['service']['token'];

/** A token and how long it is good for. */
export interface Grant {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** The request that exchanges an API key for a token, as the contract says; `path` may hold a query. */
export interface ExchangeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function exchangeRequest({ exchange }: TokenContract, apiKey: string): ExchangeRequest {
  const { method, path, apiKey: place } = exchange;
  const key = place.prefix + apiKey;
  const plain = { method, path, headers: {}, body: undefined };
  if (place.in === 'header') return { ...plain, headers: { [place.name]: key } };
  if (place.in === 'body') return { ...plain, body: { [place.name]: key } };
  const query = new URLSearchParams({ [place.name]: key });
  return { ...plain, path: `${path}${path.includes('?') ? '&' : '?'}${query}` };
}

/** Compiles the contract's expressions into a reader of the exchange's answer. */
export function grantReader({ exchange }: TokenContract): (answer: unknown) => Decoded<Grant> {
  const findToken = compileExpression(exchange.accessToken);
  const findLifetime = exchange.expiresIn === null ? () => undefined : compileExpression(exchange.expiresIn);
  return (answer) => {
    const token = attempt(findToken, answer);
    // A header can carry nothing else, and fetch's complaint about it would quote the token.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      return {
        ok: false,
        path: exchange.accessToken,
        expected: 'expected a token of printable ASCII characters',
      };
    const seconds = Number(attempt(findLifetime, answer) ?? Number.NaN);
    const lifetime = seconds > 0 && Number.isFinite(seconds) ? seconds : exchange.defaultLifetimeSeconds;
    return { ok: true, value: { token, lifetimeMs: lifetime * 1000 } };
  };
}

/** A JMESPath function throws where a value is not of its type: to us, that is a value that is not there. */
function attempt(expression: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return expression(value);
  } catch {
    return undefined;
  }
}
