import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../contract/document/contract-file-store.ts';
import { contentSecurityPolicy } from '../../../functions/query/api/page-headers.ts';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { SignInPool } from '../../../lib/console/sign-in.ts';
import { Contract, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { flattened, list, statementsOf } from '../support/allowed-actions.ts';
import {
  environmentOf,
  newFolder,
  quickApp,
  resource,
  resourcesOf,
  StubbedPipeline,
  templateFor,
} from '../support/built-app.ts';

const on = { 'sms:console': 'on' };
const pipeline = templateFor(on);

/** The construct in a stack of the user, with this console. */
function templateWith(console: NonNullable<SmsPipelineProps['console']>, ids = ['Sms']): Template {
  const stack = new Stack(quickApp(), 'Shop');
  const apiKey = Secret.fromSecretNameV2(stack, 'Key', 'sms/api-key');
  for (const id of ids)
    new StubbedPipeline(stack, id, { contract: Contract.fromFile(shippedContract), apiKey, console });
  return Template.fromStack(stack);
}

/** The part of a pipeline that a stack is. */

const distributionIn = (template: Template) =>
  resource(template, 'AWS::CloudFront::Distribution').Properties.DistributionConfig as {
    readonly DefaultCacheBehavior: Record<string, unknown>;
    readonly CacheBehaviors: readonly Record<string, unknown>[];
    readonly Origins: readonly Record<string, unknown>[];
    readonly ViewerCertificate?: Record<string, unknown>;
    readonly Aliases?: readonly string[];
    readonly CustomErrorResponses?: unknown;
  };

describe('a pipeline without a console', () => {
  it('has no part of one, and otherwise the same resources but one permission and one variable of the query function', () => {
    const without = templateFor().toJSON().Resources;
    const { Resources } = pipeline.toJSON();
    expect(Object.keys(without).filter((id) => /Console|Upload/.test(id))).toEqual([]);
    const changed = Object.entries(without).filter(([id, made]) => !isDeepStrictEqual(Resources[id], made));
    expect(changed.map(([id]) => id)).toEqual([
      expect.stringMatching(/^QueryRoleDefaultPolicy/),
      expect.stringMatching(/^QueryFunction/),
    ]);
  });
});

describe('the page', () => {
  it('is in a bucket that only this distribution reads, by TLS', () => {
    const bucket = resource(pipeline, 'AWS::S3::Bucket', 'ConsolePage');
    expect(bucket.Properties).toMatchObject({
      BucketEncryption: { ServerSideEncryptionConfiguration: [expect.anything()] },
      PublicAccessBlockConfiguration: { BlockPublicPolicy: true, RestrictPublicBuckets: true },
    });
    // CloudFormation cannot delete a bucket with objects.
    expect(bucket).toMatchObject({ DeletionPolicy: 'Retain' });
    for (const upload of Object.values(resourcesOf(pipeline, 'Custom::CDKBucketDeployment')))
      expect(upload.Properties.RetainOnDelete ?? true).toBe(true);
    const [tls, read, ...others] = statementsOf(resource(pipeline, 'AWS::S3::BucketPolicy', 'ConsolePage'));
    expect(others).toEqual([]);
    expect(tls).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(read).toMatchObject({
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    });
    const [origin] = distributionIn(pipeline).Origins;
    expect(origin?.OriginAccessControlId).toBeDefined();
  });

  it('comes with headers that allow requests to its own origin and to the sign-in only', () => {
    const policies = Object.values(resourcesOf(pipeline, 'AWS::CloudFront::ResponseHeadersPolicy'));
    expect(policies).toHaveLength(1);
    const domain = resource(pipeline, 'AWS::Cognito::UserPoolDomain').id;
    for (const { Properties } of policies) {
      const { SecurityHeadersConfig: security } = Properties.ResponseHeadersPolicyConfig as {
        SecurityHeadersConfig: Record<
          string,
          { ContentSecurityPolicy: unknown; AccessControlMaxAgeSec: number }
        >;
      };
      expect(flattened(security.ContentSecurityPolicy?.ContentSecurityPolicy)).toBe(
        contentSecurityPolicy(`https://${domain}.auth.AWS::Region.amazoncognito.com`),
      );
      expect(security.StrictTransportSecurity?.AccessControlMaxAgeSec).toBeGreaterThan(0);
    }
  });

  it('answers its own paths with the page by a function, so that no error page hides an answer of the API', () => {
    const { CustomErrorResponses, DefaultCacheBehavior, CacheBehaviors } = distributionIn(pipeline);
    expect(CustomErrorResponses).toBeUndefined();
    expect(DefaultCacheBehavior.FunctionAssociations).toHaveLength(1);
    expect(CacheBehaviors.map(({ FunctionAssociations }) => FunctionAssociations)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const { FunctionCode } = resource(pipeline, 'AWS::CloudFront::Function').Properties;
    // The code sees nothing but its event, as in CloudFront.
    const path = (uri: string) =>
      runInContext(`${FunctionCode}\nhandler({ request: { uri } }).uri`, createContext({ uri }));
    for (const own of ['/', '/messages/msg.1', '/conversations/m~msg.js', '/assets/../x', '/signed-in'])
      expect(path(own), own).toBe('/index.html');
    for (const file of ['/config.json', '/icon.svg', '/assets/index-A1_b.js']) expect(path(file)).toBe(file);
  });

  it('forwards queries uncached, with all headers of the viewer but Host', () => {
    const forwarded = distributionIn(pipeline).CacheBehaviors.filter(
      ({ PathPattern }) => PathPattern !== '/assets/*',
    );
    expect(forwarded.map(({ PathPattern }) => PathPattern)).toEqual(['/v1/*', '/session']);
    for (const behavior of forwarded)
      expect(behavior).toMatchObject({
        // CachingDisabled and AllViewerExceptHostHeader ("Use managed policies", CloudFront developer guide).
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
      });
  });

  it('has TLS 1.2 or newer at a name of its own, and to its API', () => {
    const arn = 'arn:aws:acm:us-east-1:111111111111:certificate/0a1b2c3d-0000-0000-0000-000000000000';
    const certificate = Certificate.fromCertificateArn(new Stack(), 'Certificate', arn);
    const template = templateWith({ domain: { name: 'sms.example.com', certificate } });
    const { Aliases, Origins, ViewerCertificate } = distributionIn(template);
    expect(Aliases).toEqual(['sms.example.com']);
    expect(ViewerCertificate).toMatchObject({ MinimumProtocolVersion: 'TLSv1.2_2021' });
    expect(Origins[1]?.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
    });
    const { CallbackURLs } = resource(template, 'AWS::Cognito::UserPoolClient').Properties;
    expect(CallbackURLs).toEqual(['https://sms.example.com/signed-in']);
  });

  it('is kept by browsers where names hold a hash only, and its errors are not', () => {
    const uploads = Object.entries(resourcesOf(pipeline, 'Custom::CDKBucketDeployment'));
    const [assets, others] = uploads
      .map(([id, upload]) => ({ id, ...upload }))
      .toSorted((one, other) => (JSON.stringify(other).includes(one.id) ? -1 : 1));
    expect(assets?.Properties).toMatchObject({
      DestinationBucketKeyPrefix: 'assets',
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(others?.Properties).toMatchObject({
      SystemMetadata: { 'cache-control': 'no-cache' },
      SourceObjectKeys: [expect.anything(), expect.anything()],
    });
    // The page names its assets, so it is uploaded after them.
    expect(others).toMatchObject({ DependsOn: expect.arrayContaining([assets?.id]) });
    expect(uploads).toHaveLength(2);
    const { CustomHeadersConfig } = resource(pipeline, 'AWS::CloudFront::ResponseHeadersPolicy').Properties
      .ResponseHeadersPolicyConfig as { CustomHeadersConfig: { Items: unknown } };
    expect(CustomHeadersConfig.Items).toContainEqual({
      Header: 'cache-control',
      Value: 'no-cache',
      Override: false,
    });
  });

  it('is uploaded by a function that writes one bucket, and reads the assets of the account', () => {
    const actions = statementsOf(resource(pipeline, 'AWS::IAM::Policy', 'SmsConsoleUploader')).flatMap(
      ({ Action, Resource }) => list(Action).map((action) => [action, [Resource].flat().map(flattened)]),
    );
    expect(actions.flatMap(([action]) => action).filter((action) => String(action).includes('*'))).toEqual(
      [],
    );
    const wild = actions.filter(([, arns]) => String(arns).includes('*'));
    expect(wild).toEqual([
      ['s3:GetObject', [expect.stringMatching(/:s3:::cdk-[^/]*-assets-[^/]*\/\*$/)]],
      ['s3:PutObject', [expect.stringMatching(/ConsolePage\w*\/\*$/)]],
    ]);
  });

  it('is uploaded with rights that another page does not change, because IAM applies a change too late', () => {
    class WithOtherPage extends StubbedPipeline {
      protected override _consolePage(): string {
        const page = newFolder();
        mkdirSync(join(page, 'assets'));
        writeFileSync(join(page, 'index.html'), '<!doctype html><title>Another</title>');
        return page;
      }
    }
    const uploadIn = (Pipeline: typeof StubbedPipeline) => {
      const stack = new Stack(quickApp(), 'Shop');
      const contract = Contract.fromFile(shippedContract);
      new Pipeline(stack, 'Sms', { contract, registration: false, console: {} });
      const template = Template.fromStack(stack);
      return {
        policy: resource(template, 'AWS::IAM::Policy', 'SmsConsoleUploader'),
        uploads: resourcesOf(template, 'Custom::CDKBucketDeployment'),
      };
    };
    const one = uploadIn(StubbedPipeline);
    const other = uploadIn(WithOtherPage);
    expect(other.uploads).not.toEqual(one.uploads);
    expect(other.policy).toEqual(one.policy);
  });

  it('is built before it is deployed', () => {
    class WithoutPage extends StubbedPipeline {
      protected override _consolePage(): string {
        throw new Error('not built');
      }
    }
    const stack = new Stack(quickApp(), 'Shop');
    const props = { contract: Contract.fromFile(shippedContract), registration: false, console: {} } as const;
    expect(() => new WithoutPage(stack, 'Sms', props)).toThrow('not built');
  });
});

describe('the sign-in', () => {
  it('has users that an administrator makes, with a second factor and a long password', () => {
    expect(resource(pipeline, 'AWS::Cognito::UserPool').Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Policies: { PasswordPolicy: { MinimumLength: 12 } },
    });
    const groups = Object.values(resourcesOf(pipeline, 'AWS::Cognito::UserPoolGroup'));
    expect(groups.map(({ Properties }) => Properties.GroupName).sort()).toEqual([
      'operator',
      'support',
      'viewer',
    ]);
  });

  it('gives a page without a secret short tokens, and each refresh token once', () => {
    expect(resource(pipeline, 'AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH'],
      AccessTokenValidity: 15,
      EnableTokenRevocation: true,
      RefreshTokenRotation: { Feature: 'ENABLED' },
    });
  });

  it('renews and revokes tokens at the origin that the policy of the page allows', () => {
    const pool = new SignInPool(new Stack(quickApp(), 'Shop'), 'SignIn');
    expect(pool.signInOf('https://console.example.com').config).toMatchObject({
      tokenEndpoint: `${pool.origin}/oauth2/token`,
      revocationEndpoint: `${pool.origin}/oauth2/revoke`,
    });
  });

  it('lets users write no claim that could name another person in lines for audits', () => {
    const { WriteAttributes } = resource(pipeline, 'AWS::Cognito::UserPoolClient').Properties;
    // The address is changed once its new owner has confirmed it.
    expect(WriteAttributes).toEqual(['email']);
  });

  it('may be the one of the company, of which the page sends ID tokens', () => {
    const settings = {
      ...on,
      'sms:consoleOidcIssuer': 'https://login.example.com/tenant',
      'sms:consoleOidcClientId': 'console',
      'sms:consoleOidcGroupsClaim': 'roles',
    };
    const template = templateFor(settings);
    expect(resourcesOf(template, 'AWS::Cognito::UserPool')).toEqual({});
    expect(resource(template, 'AWS::ApiGatewayV2::Authorizer').Properties.JwtConfiguration).toEqual({
      Audience: ['console'],
      Issuer: 'https://login.example.com/tenant',
    });
    expect(environmentOf('query', settings).GROUPS_CLAIM).toBe('roles');
    const policies = JSON.stringify(resourcesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy'));
    expect(policies).toContain("connect-src 'self' https://login.example.com;");
  });
});

describe('the API of the console', () => {
  const api = resource(pipeline, 'AWS::ApiGatewayV2::Api', 'ConsoleApi').id;
  const routes = Object.values(resourcesOf(pipeline, 'AWS::ApiGatewayV2::Route')).map(
    ({ Properties }) => Properties,
  );

  it('answers with a token only, at routes that no caller by IAM shares', () => {
    const own = routes.filter(({ ApiId }) => JSON.stringify(ApiId) === JSON.stringify({ Ref: api }));
    expect(own.map(({ RouteKey }) => RouteKey).sort()).toEqual([
      'ANY /session',
      'ANY /v1/{proxy+}',
      'GET /v1/health',
      'POST /v1/quarantine/{entryId}/replay',
    ]);
    for (const { AuthorizationType, AuthorizationScopes } of own)
      expect([AuthorizationType, AuthorizationScopes]).toEqual(['JWT', undefined]);
    expect(
      routes.filter((route) => !own.includes(route)).map(({ AuthorizationType }) => AuthorizationType),
    ).toEqual(expect.not.arrayContaining(['JWT']));
  });

  it('is throttled, and logs each request for as long as the functions log', () => {
    const { Properties } = resource(pipeline, 'AWS::ApiGatewayV2::Stage', 'ConsoleApi');
    expect(Properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 });
    expect(resource(pipeline, 'AWS::Logs::LogGroup', 'ConsoleApi').Properties.RetentionInDays).toBe(30);
  });
});

describe('the function of the health and of replays', () => {
  it('reads neither messages nor a secret, and removes single entries of the quarantine', () => {
    const calls = statementsOf(resource(pipeline, 'AWS::IAM::Policy', 'ConsoleRequests')).flatMap(
      ({ Action, Resource }) => [Resource].flat().map((arn) => [list(Action), flattened(arn)]),
    );
    const on = (part: string) =>
      calls.filter(([, arn]) => String(arn).includes(part)).map(([actions]) => actions);
    expect(on('Quarantine')).toEqual([['dynamodb:DeleteItem', 'dynamodb:GetItem']]);
    expect(on('WebhookState')).toEqual([['dynamodb:GetItem', 'dynamodb:Query']]);
    expect(on('EventsQueue')).toEqual([['sqs:GetQueueAttributes', 'sqs:SendMessage']]);
    expect(
      calls
        .map(
          ([, arn]) =>
            /ConsoleRequestsLogs|EventsDeadLetters|EventsQueue|WebhookState|Quarantine|History(?=[0-9A-F]{8})/.exec(
              String(arn),
            )?.[0],
        )
        .sort(),
    ).toEqual([
      'ConsoleRequestsLogs',
      'EventsDeadLetters',
      'EventsQueue',
      'History',
      'Quarantine',
      'WebhookState',
      undefined,
    ]);
    const [ofHistory, ...others] = statementsOf(
      resource(pipeline, 'AWS::IAM::Policy', 'ConsoleRequests'),
    ).filter(({ Resource }) => /^History(?=[0-9A-F]{8})/.test(flattened(Resource)));
    expect(others).toEqual([]);
    expect(ofHistory).toMatchObject({
      Action: 'dynamodb:GetItem',
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['drift#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    });
    expect(calls.filter(([, arn]) => arn === '*')).toEqual([[['cloudwatch:DescribeAlarms'], '*']]);
  });

  it('reads the alarms of the stack of the pipeline', () => {
    expect(environmentOf('console', on).STACK_NAME).toBe('SmsPipeline');
    const [own] = Object.values(resourcesOf(templateWith({}), 'AWS::Lambda::Function')).flatMap(
      ({ Properties }) => {
        const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
        return Variables?.STACK_NAME ?? [];
      },
    );
    expect(own).toBe('Shop');
  });
});

describe('two consoles in one stack', () => {
  it('have names of their own, and one function that uploads both pages', () => {
    const template = templateWith({}, ['Sms', 'Second']);
    template.resourceCountIs('Custom::CDKBucketDeployment', 4);
    template.resourceCountIs('AWS::Lambda::Function', 2 * 8 + 1);
    const domains = Object.values(resourcesOf(template, 'AWS::Cognito::UserPoolDomain'));
    expect(new Set(domains.map(({ Properties }) => JSON.stringify(Properties.Domain))).size).toBe(2);
  });
});

describe('settings of the console', () => {
  it.each([
    [
      'consoleDomainName',
      'sms.example.com',
      'sms:consoleCertificateArn: found nothing, expected a value too',
    ],
    [
      'consoleOidcIssuer',
      'https://login.example.com',
      'sms:consoleOidcClientId: found nothing, expected a value too',
    ],
    ['consoleOidcIssuer', 'http://login.example.com', 'expected the issuer of your OpenID Connect provider'],
  ])('%s %s needs what it belongs to', (name, value, message) => {
    expect(() => readSettings({ [`sms:${name}`]: value })).toThrow(message);
  });
});
