import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { Distribution, type ResponseHeaders } from './distribution.ts';
import { compileEdgeFunction, type EdgeFunction } from './edge-function.ts';

/** The distribution has the port after the console's. */
const portOffset = 6;

const domainName = 'local.cloudfront.net';

/** Serves the distribution of the templates, if they have one. */
export function startCloudFront(run: ServiceRun, s3: S3Client) {
  const port = run.ports.httpApi + portOffset;
  const distribution = new Distribution(s3);
  return {
    addresses: { [`https://${domainName}`]: loopbackUrl(port) },
    resources: cloudFrontCreators(distribution, port),
    inertTypes: [],
  } satisfies RunningService;
}

const functionSchema = z.strictObject({
  Name: inert,
  AutoPublish: inert,
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({ Comment: inert, Runtime: z.literal('cloudfront-js-2.0') }),
});

const override = z.strictObject({ Override: z.literal(true) });

const headersSchema = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: inert,
    CustomHeadersConfig: z.strictObject({
      Items: z.array(z.strictObject({ Header: z.string(), Value: z.string(), Override: z.boolean() })),
    }),
    SecurityHeadersConfig: z.strictObject({
      ContentSecurityPolicy: override.extend({ ContentSecurityPolicy: z.string() }),
      ContentTypeOptions: override,
      FrameOptions: override.extend({ FrameOption: z.string() }),
      ReferrerPolicy: override.extend({ ReferrerPolicy: z.string() }),
      // Browsers heed it for HTTPS only.
      StrictTransportSecurity: inert,
    }),
  }),
});

const behavior = z.looseObject({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  ResponseHeadersPolicyId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  FunctionAssociations: z
    .array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .max(1)
    .default([]),
});

const distributionSchema = z.strictObject({
  DistributionConfig: z.looseObject({
    DefaultRootObject: z.string(),
    DefaultCacheBehavior: behavior,
    CacheBehaviors: z.array(behavior).default([]),
    Origins: z.array(
      z.looseObject({ Id: z.string(), DomainName: z.string(), S3OriginConfig: z.unknown().optional() }),
    ),
  }),
  Tags: inert,
});

/** Creators of a distribution and of what it is made from. Nothing is cached: a local run has no distance to bridge. */
function cloudFrontCreators(distribution: Distribution, port: number): Record<string, CreateResource> {
  const functions = new Map<string, EdgeFunction>();
  const headers = new Map<string, ResponseHeaders>();
  return {
    'AWS::CloudFront::OriginAccessControl': async ({ logicalId }) => ({
      ref: logicalId,
      attributes: { Id: logicalId },
    }),
    'AWS::CloudFront::Function': async (request) => {
      const { FunctionCode } = readProperties(functionSchema, request);
      functions.set(request.logicalId, compileEdgeFunction(FunctionCode));
      return { ref: request.logicalId, attributes: { FunctionARN: request.logicalId } };
    },
    'AWS::CloudFront::ResponseHeadersPolicy': async (request) => {
      const { CustomHeadersConfig, SecurityHeadersConfig } = readProperties(
        headersSchema,
        request,
      ).ResponseHeadersPolicyConfig;
      const { ContentSecurityPolicy, FrameOptions, ReferrerPolicy } = SecurityHeadersConfig;
      headers.set(request.logicalId, [
        ...CustomHeadersConfig.Items.map(
          ({ Header, Value, Override }) => ({ name: Header, value: Value, overrides: Override }) as const,
        ),
        {
          name: 'content-security-policy',
          value: ContentSecurityPolicy.ContentSecurityPolicy,
          overrides: true,
        },
        { name: 'x-content-type-options', value: 'nosniff', overrides: true },
        { name: 'x-frame-options', value: FrameOptions.FrameOption, overrides: true },
        { name: 'referrer-policy', value: ReferrerPolicy.ReferrerPolicy, overrides: true },
      ]);
      return { ref: request.logicalId };
    },
    'AWS::CloudFront::Distribution': async (request) => {
      const { DistributionConfig } = readProperties(distributionSchema, request);
      const { CacheBehaviors, DefaultCacheBehavior, Origins } = DistributionConfig;
      await distribution.serve(port, {
        origins: new Map(
          Origins.map(({ Id, DomainName, S3OriginConfig }) => [
            Id,
            { host: DomainName, isBucket: S3OriginConfig !== undefined },
          ]),
        ),
        behaviors: [...CacheBehaviors, DefaultCacheBehavior].map((one) => ({
          pathPattern: one.PathPattern,
          originId: one.TargetOriginId,
          methods: one.AllowedMethods,
          headers: headers.get(one.ResponseHeadersPolicyId) ?? [],
          onRequest: functions.get(one.FunctionAssociations[0]?.FunctionARN ?? ''),
        })),
      });
      return { ref: request.logicalId, attributes: { DomainName: domainName, Id: request.logicalId } };
    },
  };
}
