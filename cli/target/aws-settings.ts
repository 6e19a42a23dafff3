import type { defaultProvider as credentialProvider } from '@aws-sdk/credential-provider-node';
import { omitUndefined } from '../../functions/base/basics.ts';
import { CommandFailure } from './errors.ts';
import { type ProxyAgents, proxyAgents } from './proxy.ts';
import type { Environment } from './proxy-address.ts';
import type { Target } from './target.ts';

/** Times in milliseconds after which a call to AWS ends. */
export const timeouts = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/** The settings of a client for a service in an account. */
export interface AwsSettings {
  readonly region?: string;
  readonly profile?: string;
  readonly requestHandler: typeof timeouts & Partial<ProxyAgents>;
  readonly credentials?: ReturnType<typeof credentialProvider>;
}

/**
 * Returns the settings of the clients of the AWS SDK: the profile, the region, the timeouts, and the proxy of the environment.
 *
 * @throws CommandFailure for a variable of the environment or a region that cannot be used
 */
export async function awsSettings(
  place: Pick<Target, 'profile' | 'region'>,
  environment: Environment,
): Promise<AwsSettings> {
  checkVariables(environment);
  const { profile, region } = place;
  checkRegion(region ?? environment.AWS_REGION ?? '', environment);
  const agents = proxyAgents(environment);
  const requestHandler = { ...timeouts, ...agents };
  const settings = { ...omitUndefined({ profile, region }), requestHandler };
  if (agents === undefined) return settings;
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  // The SDK's own provider connects to IAM Identity Center by a client of its own, which would not know the proxy.
  const credentials = defaultProvider({ ...omitUndefined({ profile }), clientConfig: { requestHandler } });
  return { ...settings, credentials };
}

/** The variables that the SDK reads. Their values have no blanks at the ends. */
const variables = [
  'AWS_PROFILE',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_ENDPOINT_URL',
] as const;

/** @throws CommandFailure for a value with a blank, a line break or a byte order mark, as a file with the line ends of Windows makes it */
function checkVariables(environment: Environment): void {
  for (const name of variables) {
    const value = environment[name] ?? '';
    // `trim` removes a byte order mark too. The value may be a secret, so it is not repeated.
    if (value !== value.trim() || /\p{Cc}/u.test(value))
      throw new CommandFailure(
        `${name} has a blank, a line break or another invisible character at its end or in it. A file with the line ends of Windows does that, for example. Set ${name} again.`,
      );
  }
}

/** @throws CommandFailure for a text that is no region, with the option or the variable that names it */
function checkRegion(region: string, environment: Environment): void {
  if (/^[a-z0-9-]*$/.test(region)) return;
  const from = ['AWS_REGION', 'AWS_DEFAULT_REGION'].find((name) => environment[name] === region);
  throw new CommandFailure(
    `${from ?? '--region'} is ${JSON.stringify(region)}, which is no AWS region. Expected for example eu-west-1.`,
  );
}
