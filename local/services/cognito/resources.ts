import * as z from 'zod';
import project from '../../../package.json' with { type: 'json' };
import { arnOf, REGION } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import { UserError } from '../../terminal/terminal.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';

/** The sign-in has the port after the one of CloudFront. */
const portOffset = 7;

const poolId = `${REGION}_local`;
const domainPrefix = 'local-sign-in';
const clientId = 'local-console';

/** Plays a user pool and its page, if the templates have one: an OpenID Connect provider with a user for each group. */
export function startCognito(run: ServiceRun) {
  const port = run.ports.httpApi + portOffset;
  return {
    addresses: { [`https://${domainPrefix}.auth.${REGION}.amazoncognito.com`]: loopbackUrl(port) },
    resources: cognitoCreators(port),
    inertTypes: ['AWS::Cognito::UserPoolGroup'],
  } satisfies RunningService;
}

const clientSchema = z.looseObject({
  AllowedOAuthFlows: z.tuple([z.literal('code')]),
  AllowedOAuthScopes: z.array(z.string()),
  CallbackURLs: z.array(z.string()),
  LogoutURLs: z.array(z.string()),
  GenerateSecret: z.literal(false),
  AccessTokenValidity: z.number(),
  TokenValidityUnits: z.looseObject({ AccessToken: z.literal('minutes') }),
});

const domainSchema = z.strictObject({ Domain: inert, UserPoolId: inert });

function cognitoCreators(port: number): Record<string, CreateResource> {
  const url = loopbackUrl(port);
  return {
    'AWS::Cognito::UserPool': async () => ({
      ref: poolId,
      attributes: { Arn: arnOf('cognito-idp', `userpool/${poolId}`), ProviderURL: url },
    }),
    'AWS::Cognito::UserPoolDomain': async (request) => {
      readProperties(domainSchema, request);
      return { ref: domainPrefix };
    },
    'AWS::Cognito::UserPoolClient': async (request) => {
      const client = readProperties(clientSchema, request);
      const { startSignIn } = await loadSignIn();
      await startSignIn(port, {
        clientId,
        redirectUris: client.CallbackURLs,
        signedOutUris: client.LogoutURLs,
        tokenMinutes: client.AccessTokenValidity,
      });
      return { ref: clientId };
    },
  };
}

/** Loads the sign-in, which most runs do not have. An app that installs this package has its provider only if it wants one. */
async function loadSignIn() {
  try {
    return await import('./sign-in.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const version = project.devDependencies['oidc-provider'];
    throw new UserError(
      `A console with a sign-in needs oidc-provider on one machine. Install: npm install --save-dev oidc-provider@${version}`,
    );
  }
}
