import { Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { roles } from '../../functions/query/index.ts';
import type { ConsoleOidcProps } from '../props/props.ts';

/**
 * Who signs users in, for the page and for the authorizer of its API. The page sends ID tokens: access tokens may be opaque, and do not name the
 * person, whom lines for audits name.
 */
export interface SignIn {
  readonly issuer: string;
  /** The client that tokens have to be for. */
  readonly clientId: string;
  /** What the page reads from config.json. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The page's path that the provider leads back to. */
const signedInPath = '/signed-in';
const signedOutPath = '/signed-out';

/** A token is short: a user who leaves a group keeps its rights until then. */
const tokenMinutes = 15;

/** A user signs in again after a working day. */
const refreshTokenHours = 10;

/** Cognito's page for the sign-in, at an address that no other pipeline has. */
export class SignInPool extends UserPool {
  /** The origin that the page asks for tokens. */
  readonly origin: string;

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Lines for audits name a person by the address, so a user cannot take that of another one.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
        tempPasswordValidity: Duration.days(3),
      },
      userInvitation: {
        emailSubject: 'Your access to the SMS console',
        emailBody: 'Your user name is {username}, and your temporary password is {####}',
      },
      // The plan with rotated refresh tokens. 10,000 users a month are free.
      featurePlan: FeaturePlan.ESSENTIALS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-COG8',
      reason:
        'The plan Plus costs 0.02 US dollars for each user and month: a second factor is required, and users are made by an administrator only.',
    });
    for (const role of roles)
      new CfnUserPoolGroup(this, role, { groupName: role, userPoolId: this.userPoolId });
    // The id of the stack makes the name unique in its region, the construct's path in its stack.
    const [, , stack] = [0, 1, 2].map((part) => Fn.select(part, Fn.split('/', Stack.of(this).stackId)));
    const domain = this.addDomain('Domain', {
      cognitoDomain: {
        domainPrefix: `sms-${this.node.addr.slice(-8)}-${Fn.select(0, Fn.split('-', stack ?? ''))}`,
      },
    });
    this.origin = domain.baseUrl();
  }

  /** Adds the page as a client without a secret. @param pageUrl without a slash at the end */
  signInOf(pageUrl: string): SignIn {
    const { userPoolClientId: clientId } = this.addClient('Page', {
      generateSecret: false,
      authFlows: { userSrp: true },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      // By default users may write every attribute, also `preferred_username`, which names a person whose address is not verified.
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true }),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`${pageUrl}${signedInPath}`],
        logoutUrls: [`${pageUrl}${signedOutPath}`],
      },
      accessTokenValidity: Duration.minutes(tokenMinutes),
      idTokenValidity: Duration.minutes(tokenMinutes),
      refreshTokenValidity: Duration.hours(refreshTokenHours),
      refreshTokenRotationGracePeriod: Duration.seconds(10),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
    });
    const issuer = this.userPoolProviderUrl;
    return {
      issuer,
      clientId,
      config: {
        issuer,
        clientId,
        authorizationEndpoint: `${this.origin}/oauth2/authorize`,
        tokenEndpoint: `${this.origin}/oauth2/token`,
        revocationEndpoint: `${this.origin}/oauth2/revoke`,
        signOutUrl: `${this.origin}/logout?client_id=${clientId}&logout_uri=${pageUrl}${signedOutPath}`,
      },
    };
  }
}

/** The sign-in of the company. The page finds its addresses by discovery. */
export function companySignIn({ issuer, clientId }: ConsoleOidcProps) {
  const signIn: SignIn = {
    issuer,
    clientId,
    config: { issuer, clientId },
  };
  return { origin: new URL(issuer).origin, signInOf: () => signIn };
}
