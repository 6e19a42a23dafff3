import { Stack, Token } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { PipelineOptions } from './options.ts';

/** Returns a line if two sources would send one API key to the servers of two providers; undefined if they do not. */
export function sharedKeyProblem(own: PipelineOptions, other: PipelineOptions): string | undefined {
  if (own.apiKey === undefined || other.apiKey === undefined || !isSame(own.apiKey, other.apiKey))
    return undefined;
  const servers = providersCalled(own);
  const others = providersCalled(other);
  if (servers.length === 0 || others.length === 0 || servers.some((name) => others.includes(name)))
    return undefined;
  return `apiKey: found the secret of the source ${other.source}, expected another one: the key for ${others.join(', ')} would be sent to ${servers.join(', ')}`;
}

function isSame(one: ISecret, other: ISecret): boolean {
  const text = (secret: ISecret) => JSON.stringify(Stack.of(secret).resolve(secret.secretArn));
  return one === other || text(one) === text(other);
}

/** Returns the domains that the API key is sent to, without the names of single hosts. An address that is known at deployment only is none. */
function providersCalled({
  registration,
  lookups,
  serviceBaseUrl,
  functionSources,
}: PipelineOptions): string[] {
  const rules = functionSources.contract.lookups;
  const addresses = [
    ...(registration ? [serviceBaseUrl] : []),
    ...(lookups ? [rules?.baseUrl ?? serviceBaseUrl] : []),
  ];
  const known = addresses.filter((address) => !Token.isUnresolved(address) && URL.canParse(address));
  return [...new Set(known.map((address) => new URL(address).hostname.split('.').slice(-2).join('.')))];
}
