import { getSystemErrorMap } from 'node:util';
import { ForeignFileError } from '../../contract/document/own-file-store.ts';
import { errorName } from '../../functions/base/basics.ts';
import { type Environment, variableOfProxy } from './proxy-address.ts';

/** The command line is wrong. The command shows the message with an example and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A change needs --confirm, as the message says. The command shows the message alone and exits with 2. */
export class UnconfirmedError extends Error {
  override readonly name = 'UnconfirmedError';
}

/** The command failed for a reason that the user can fix. It shows the message alone and exits with 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** The command failed, and has shown why. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure';
}

const useLocal = 'Add --local for the pipeline on this machine.';

const throttled = /^(Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughput)/;

/** Errors of the SDK and of AWS services by name, each with its cause and fix, and whether the alternative helps. */
const explanations: readonly (readonly [name: RegExp, text: string, hasAlternative: boolean])[] = [
  [
    /^(CredentialsProviderError|TokenProviderError|CredentialsError)$/,
    'No AWS credentials: sign in (aws sso login, aws configure), set AWS_PROFILE or give --profile.',
    true,
  ],
  [
    /^(ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId)/,
    "AWS does not accept your credentials: sign in again (aws sso login) and check this machine's clock.",
    true,
  ],
  [throttled, 'AWS is throttling: try again in a moment.', false],
  [
    /^UnreadableItemError$/,
    'An item of the history cannot be read, so something else than the pipeline has changed it. docs/guides/restore.md replaces it by a copy.',
    false,
  ],
];

const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Errors of TLS about a certificate that this machine does not trust. */
const untrusted = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_)/;

/**
 * Explains in one line why a call to AWS or over the network failed and how to fix it. Returns undefined for any other error,
 * which is a bug.
 *
 * @param alternative what to do without an AWS account
 * @param environment names the proxy, which may be what cannot be reached
 */
export function explainError(
  error: unknown,
  alternative: string = useLocal,
  environment: Environment = process.env,
): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const explanation = explanations.find(([name]) => name.test(error.name));
  if (explanation !== undefined) {
    const [, text, hasAlternative] = explanation;
    return `${hasAlternative ? `${text} ${alternative}` : text} (${error.name}: ${firstLine(error.message)})`;
  }
  if (error.message === 'Region is missing')
    return `No AWS region: give --region or set AWS_REGION, or choose a pipeline once with: sms target <profile>/<region>. ${alternative}`;
  if (error.name === 'TimeoutError')
    return 'No answer in time: check the network and try again. (TimeoutError)';
  const network = networkErrorOf(error);
  if (network !== undefined) return explainNetwork(network, environment);
  if (!('$metadata' in error)) return undefined;
  const answer = `AWS answered ${error.name}: ${firstLine(error.message)}`;
  return error.name.startsWith('ResourceNotFound')
    ? `${answer} A resource in the stack's outputs no longer exists: deploy, or npm start, again.`
    : answer;
}

/** Explains an error like {@link explainError}, or returns its name: its message may quote data. */
export function explainOrName(error: unknown): string {
  return explainError(error) ?? errorName(error);
}

/** Returns whether the same call may succeed a moment later: after a network failure, a timeout or throttling. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return throttled.test(error.name) || error.name === 'TimeoutError' || networkErrorOf(error) !== undefined;
}

/** Runs an operation on a file. @throws CommandFailure with what `explain` makes of the system's error code */
export async function explainFileErrors<T>(
  explain: (code: string) => string,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ForeignFileError)
      throw new CommandFailure(`${error.message}, so it is not used. Remove it, or take it over.`);
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    const { code } = error;
    const errno = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
    const meaning = getSystemErrorMap().get(errno)?.[1];
    const known = meaning === undefined ? code : `${code}: ${meaning}`;
    throw new CommandFailure(explain(code).replace(`(${code})`, `(${known})`));
  }
}

/** Returns the first line of a message. The SDK adds advice for programmers below it. */
function firstLine(message: string): string {
  return message.split('\n', 1).join();
}

interface NetworkError {
  readonly code: string;
  readonly host: string | undefined;
  /** What the proxy answered, if it refused to connect. */
  readonly answer?: string;
}

/** Returns what a proxy answered, without its address: some versions of Node.js write the password into the message. */
function answerOfProxy(message: string): string {
  const [, host = 'the host', answer = 'no answer'] = /tunnel to (\S+) via \S+: (.*)$/.exec(message) ?? [];
  return `${host}: ${answer}`;
}

/** Finds the system's error: the error itself, the cause of fetch's error, or the first of one per address. */
function networkErrorOf(error: unknown): NetworkError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') {
    const { code } = error;
    if (code === 'ERR_PROXY_TUNNEL') return { code, host: undefined, answer: answerOfProxy(error.message) };
    const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
    if (networkCodes.has(code) || untrusted.test(code)) return { code, host: hostOf(inner) };
  }
  return networkErrorOf(error.cause);
}

function hostOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('address' in error && 'port' in error) return `${error.address}:${error.port}`;
  return 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : undefined;
}

function explainNetwork({ code, host, answer }: NetworkError, environment: Environment): string {
  const proxy = variableOfProxy(environment, host);
  if (answer !== undefined)
    return `The proxy does not connect to ${answer} (${code}). Check that it runs, and correct the address, the user or the password in HTTPS_PROXY, for example http://user:password@proxy.example.com:8080, or name the host in NO_PROXY.`;
  if (untrusted.test(code))
    return `The certificate of the other side is not trusted (${code}). If a proxy replaces certificates, set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority.`;
  if (proxy !== undefined)
    return `The proxy that ${proxy} names cannot be reached (${code}): start it, or correct or unset ${proxy}.`;
  if (host !== undefined && /^(127\.|::1)/.test(host))
    return `Nothing answers at ${host} (${code}). Start the pipeline on this machine with: npm start`;
  return `${host ?? 'the network'} cannot be reached (${code}): check the network, the region and any proxy.`;
}
