import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { consoleRoutes } from '../../functions/query/index.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import type { Storage } from '../history/storage.ts';
import type { ConsoleOptions, PipelineOptions } from '../options/options.ts';
import type { QueryFunction } from '../query/query-function.ts';
import type { Source } from '../receive/source.ts';
import { ConsoleApi } from './console-api.ts';
import { ConsoleFunction } from './console-function.ts';
import { PageBucket, uploadPage } from './page-bucket.ts';
import { PageDistribution } from './page-distribution.ts';
import { companySignIn, SignInPool } from './sign-in.ts';

/** A console that others refer to. */
export interface Console {
  /** Its address. */
  readonly url: string;
  readonly requests: ConsoleFunction;
}

/**
 * Adds the console: CloudFront -> S3 for the page, and CloudFront -> HTTP API -> query function for its queries, and the
 * function `console` for the health and replays. Each request to the API has a token of the sign-in.
 *
 * @param page the folder with the built page
 */
export function addConsole(
  scope: Construct,
  options: PipelineOptions,
  { oidc, domain }: ConsoleOptions,
  page: string,
  { query, worker, webhookStateTable }: Source & { readonly query: QueryFunction },
  { historyTable, quarantineTable }: Storage,
): Console {
  const api = new ConsoleApi(scope, 'ConsoleApi', options);
  const users = oidc === undefined ? new SignInPool(scope, 'ConsoleUsers') : companySignIn(oidc);
  const bucket = new PageBucket(scope, 'ConsolePage', options);
  const distribution = new PageDistribution(scope, 'ConsoleSite', {
    bucket,
    api: api.api,
    signInOrigin: users.origin,
    domain,
  });
  const signIn = users.signInOf(distribution.url);
  const own = new ConsoleFunction(scope, 'ConsoleRequests', {
    options,
    events: worker,
    historyTable,
    quarantineTable,
    webhookStateTable,
  });
  api.addRoutes(signIn, [
    { method: HttpMethod.ANY, path: '/v1/{proxy+}', handler: query.function },
    { method: HttpMethod.ANY, path: '/session', handler: query.function },
    { method: HttpMethod.GET, path: consoleRoutes.getHealth.path, handler: own.function },
    { method: HttpMethod.POST, path: consoleRoutes.replayQuarantineEntry.path, handler: own.function },
  ]);
  uploadPage(scope, { options, bucket, page, config: signIn.config });
  const output = (name: OutputName, value: string) => addOutput(scope, options, name, value);
  output('ConsoleUrl', distribution.url);
  if (domain !== undefined) output('ConsoleDomainTarget', distribution.target);
  if (users instanceof SignInPool) output('ConsoleUserPoolId', users.userPoolId);
  return { url: distribution.url, requests: own };
}
