import { arnOf, REGION } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';

/** The API of the console has the port after the one of `sms console`, and the issuer of its tokens the next one. */
export const consoleApiOffset = 6;
export const consoleIssuerOffset = 7;

/** The client that tokens for the API of the console name. */
export const consoleClientId = 'local-console';

/**
 * Names the parts of the deployed console that only AWS plays: the page's bucket and distribution, and the user pool. The console's API and
 * its functions run here. The API accepts tokens of an issuer on a port of the run, where nothing listens unless a test does. `npm start`
 * serves the same page by `sms console`.
 */
export function startConsoleHosting(run: ServiceRun) {
  const named =
    (attributes: Readonly<Record<string, string>> = {}): CreateResource =>
    async ({ logicalId }) => ({ ref: logicalId, attributes: { Id: logicalId, ...attributes } });
  return {
    resources: {
      'AWS::S3::Bucket': async ({ logicalId }) => ({
        ref: logicalId.toLowerCase(),
        attributes: {
          Arn: `arn:aws:s3:::${logicalId.toLowerCase()}`,
          RegionalDomainName: `${logicalId.toLowerCase()}.s3.${REGION}.amazonaws.com`,
        },
      }),
      'Custom::CDKBucketDeployment': named(),
      'AWS::CloudFront::OriginAccessControl': named(),
      'AWS::CloudFront::Function': named({ FunctionARN: arnOf('cloudfront', 'function/local') }),
      'AWS::CloudFront::ResponseHeadersPolicy': named(),
      'AWS::CloudFront::Distribution': named({ DomainName: 'console.invalid' }),
      'AWS::Cognito::UserPool': named({
        Arn: arnOf('cognito-idp', 'userpool/local'),
        ProviderURL: loopbackUrl(run.ports.httpApi + consoleIssuerOffset),
      }),
      'AWS::Cognito::UserPoolDomain': named(),
      'AWS::Cognito::UserPoolClient': async () => ({ ref: consoleClientId }),
    },
    inertTypes: ['AWS::Cognito::UserPoolGroup', 'AWS::S3::BucketPolicy'],
  } satisfies RunningService;
}
