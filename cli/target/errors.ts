/** The command line is wrong: its message alone is shown, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not do its work, and a person can do something about it: message alone, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

const useLocal = 'Add --local for the pipeline on this machine.';

const throttled = /^(Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughput)/;

/** Errors by name, each with what is wrong, what to do, and whether the alternative helps. The SDK's own and those of AWS services. */
const explanations: readonly (readonly [name: RegExp, text: string, hasAlternative: boolean])[] = [
  [
    /^(CredentialsProviderError|TokenProviderError|CredentialsError)$/,
    'No AWS credentials: sign in (aws sso login, aws configure), set AWS_PROFILE or give --profile.',
    true,
  ],
  [
    /^(ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId)/,
    "AWS does not accept your credentials: sign in again and check this machine's clock.",
    true,
  ],
  [throttled, 'AWS is throttling: try again in a moment.', false],
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

/**
 * Says in one line what a failed call to AWS or over the network means and what to do about it; undefined for any other
 * error, which is one of ours.
 *
 * @param alternative what to do without an AWS account
 */
export function explainError(error: unknown, alternative: string = useLocal): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = explanations.find(([name]) => name.test(error.name));
  if (known !== undefined) {
    const [, text, hasAlternative] = known;
    return `${hasAlternative ? `${text} ${alternative}` : text} (${error.name}: ${firstLine(error.message)})`;
  }
  if (error.message === 'Region is missing')
    return `No AWS region: give --region or set AWS_REGION. ${alternative}`;
  if (error.name === 'TimeoutError')
    return 'No answer in time: check the network and try again. (TimeoutError)';
  const network = networkErrorOf(error);
  if (network !== undefined) return explainNetwork(network);
  if (!('$metadata' in error)) return undefined;
  const answered = `AWS answered ${error.name}: ${firstLine(error.message)}`;
  return error.name.startsWith('ResourceNotFound')
    ? `${answered} What the stack's outputs name is gone: deploy, or npm start, again.`
    : answered;
}

/** As {@link explainError}; of any other error its name alone, since its message may quote what it was about. */
export function explainOrName(error: unknown): string {
  return explainError(error) ?? (error instanceof Error ? error.name : 'unknown');
}

/** Whether the same call may well succeed in a moment: the network, no answer in time, throttling. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return throttled.test(error.name) || error.name === 'TimeoutError' || networkErrorOf(error) !== undefined;
}

/** The SDK adds advice for programmers below. */
function firstLine(message: string): string {
  return message.split('\n', 1).join();
}

interface NetworkError {
  readonly code: string;
  readonly host: string | undefined;
}

/** The system's error: as it is, as the cause of fetch's, or one for each address that was tried. */
function networkErrorOf(error: unknown): NetworkError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && networkCodes.has(error.code)) {
    const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
    return { code: error.code, host: hostOf(inner) };
  }
  return networkErrorOf(error.cause);
}

function hostOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('address' in error && 'port' in error) return `${error.address}:${error.port}`;
  return 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : undefined;
}

function explainNetwork({ code, host = 'the network' }: NetworkError): string {
  if (/^(127\.|::1)/.test(host))
    return `Nothing answers at ${host} (${code}). Start the pipeline on this machine with: npm start`;
  return `${host} cannot be reached (${code}): check the network, the region and any proxy.`;
}
