import type { RequestForm, RequestFormat } from '../schema/request-form.ts';
import type { TokenReader } from './hidden-values.ts';
import type { Verifier } from './webhook-request.ts';

/** The functions of a signature scheme: `#signature` in Lambda, verify.ts elsewhere. */
export interface SignatureModule {
  createVerifier(scheme: RequestForm['signature'], format: RequestFormat): Verifier;
  createTokenReader(scheme: RequestForm['signature'], format: RequestFormat): TokenReader | undefined;
  headersRead(scheme: RequestForm['signature']): string[];
}

type Forms = readonly [RequestForm, ...RequestForm[]];

/** Makes the verifier of a contract: it verifies a request by the form that has its HTTP method, or by the main form. */
export function verifierOf(
  [main, ...others]: Forms,
  { createVerifier }: Pick<SignatureModule, 'createVerifier'>,
): Verifier {
  const verify = createVerifier(main.signature, main);
  if (others.length === 0) return verify;
  const byMethod = new Map<unknown, Verifier>(
    others.map((form) => [form.method, createVerifier(form.signature, form)]),
  );
  return (request, ...rest) => (byMethod.get(request.method) ?? verify)(request, ...rest);
}

/** Makes the reader of the token that requests carry in their query or their body. @returns undefined if no form has such a token */
export function tokenReaderOf(
  [main, ...others]: Forms,
  { createTokenReader }: Pick<SignatureModule, 'createTokenReader'>,
): TokenReader | undefined {
  const read = createTokenReader(main.signature, main);
  const byMethod = new Map<unknown, TokenReader | undefined>(
    others.map((form) => [form.method, createTokenReader(form.signature, form)]),
  );
  if (read === undefined && [...byMethod.values()].every((reader) => reader === undefined)) return undefined;
  return (request) => (byMethod.has(request.method) ? byMethod.get(request.method) : read)?.(request);
}

/** The headers that verification reads, in lower case. */
interface HeadersRead {
  readonly all: readonly string[];
  /** Those that carry the secret itself. */
  readonly credentials: readonly string[];
  /** The others. */
  readonly signatures: readonly string[];
}

export function headersReadBy(
  forms: Forms,
  { headersRead }: Pick<SignatureModule, 'headersRead'>,
): HeadersRead {
  const of = (isToken: boolean) =>
    forms
      .filter(({ signature }) => (signature.scheme === 'token') === isToken)
      .flatMap(({ signature }) => headersRead(signature));
  const credentials = [...new Set(of(true))];
  const signatures = [...new Set(of(false))].filter((name) => !credentials.includes(name));
  return { all: [...credentials, ...signatures], credentials, signatures };
}
