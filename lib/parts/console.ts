import type { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import { ConsoleApi } from '../console/console-api.ts';
import { PageBucket, uploadPage } from '../console/page-bucket.ts';
import { PageDistribution } from '../console/page-distribution.ts';
import { companySignIn, SignInPool } from '../console/sign-in.ts';
import type { ConsoleOptions, PipelineOptions } from '../props/options.ts';
import type { Receiving } from './receiving.ts';

/**
 * Adds the console: CloudFront -> S3 for the page, and CloudFront -> HTTP API -> query function for its queries, each with a token of the
 * sign-in.
 *
 * @param page the folder with the built page
 */
export function addConsole(
  scope: Construct,
  options: PipelineOptions,
  { oidc, domain }: ConsoleOptions,
  page: string,
  { query }: Receiving,
): void {
  const api = new ConsoleApi(scope, 'ConsoleApi', options);
  const users = oidc === undefined ? new SignInPool(scope, 'ConsoleUsers') : companySignIn(oidc);
  const bucket = new PageBucket(scope, 'ConsolePage');
  const distribution = new PageDistribution(scope, 'ConsoleSite', {
    bucket,
    api: api.api,
    signInOrigin: users.origin,
    domain,
  });
  const signIn = users.signInOf(distribution.url);
  api.addRoutes(signIn, { '/v1/{proxy+}': query.function, '/session': query.function });
  uploadPage(scope, { options, bucket, page, config: signIn.config });
  const output = (name: string, value: string) => addOutput(scope, options, name, value);
  output('ConsoleUrl', distribution.url);
  if (domain !== undefined) output('ConsoleDomainTarget', distribution.target);
  if (users instanceof SignInPool) output('ConsoleUserPoolId', users.userPoolId);
}
