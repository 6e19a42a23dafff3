import { Duration, Fn, Names, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { consolePageHeaders, contentSecurityPolicy, pageFilePaths } from '../../functions/query/index.ts';
import type { ConsoleDomainProps } from '../props/props.ts';

/** Leads each path that is no file to the page, which reads the path itself. Error pages would do that to answers of the API too. */
const pageForPaths = `function handler(event) {
  var request = event.request;
  if (!${pageFilePaths}.test(request.uri)) request.uri = '/index.html';
  return request;
}
`;

/** Browsers go to the page by HTTPS alone for this long. */
const httpsOnly = Duration.days(365);

/** The longest names of regions have 14 characters today, like ap-northeast-1. */
const maxRegionLength = 20;

export interface PageDistributionProps {
  readonly bucket: IBucket;
  readonly api: HttpApi;
  /** The origin that the page asks for tokens. */
  readonly signInOrigin: string;
  readonly domain: ConsoleDomainProps | undefined;
}

/** The address of the console: the page from its bucket, and below the same origin the answers of its API. */
export class PageDistribution extends Construct {
  /** Without a slash at the end. */
  readonly url: string;
  /** The name that a DNS record of a custom domain leads to. */
  readonly target: string;

  constructor(scope: Construct, id: string, { bucket, api, signInOrigin, domain }: PageDistributionProps) {
    super(scope, id);
    const page = S3BucketOrigin.withOriginAccessControl(bucket, {
      originAccessControl: new S3OriginAccessControl(this, 'PageAccess', {
        originAccessControlName: this.globalName('Page', 64),
      }),
    });
    const queries = {
      // The API's own address, without its scheme.
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: this.headers(signInOrigin),
      compress: true,
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The console of the SMS pipeline.',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      // The page is small, and its readers are few.
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(domain !== undefined && {
        domainNames: [domain.name],
        certificate: domain.certificate,
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
      defaultBehavior: {
        origin: page,
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy: queries.responseHeadersPolicy,
        compress: true,
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new EdgeFunction(this, 'Paths', {
              functionName: this.globalName('Paths', 64),
              comment: 'Leads paths of the console to its page.',
              runtime: FunctionRuntime.JS_2_0,
              code: FunctionCode.fromInline(pageForPaths),
            }),
          },
        ],
      },
      additionalBehaviors: {
        // Their names hold a hash of their content.
        '/assets/*': {
          origin: page,
          viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: queries.responseHeadersPolicy,
          compress: true,
        },
        '/v1/*': queries,
        '/session': queries,
      },
    });
    this.target = distribution.distributionDomainName;
    this.url = `https://${domain?.name ?? this.target}`;
    acknowledgeChoices(distribution, domain !== undefined);
  }

  /**
   * Returns a name for a resource of CloudFront, whose names are global in an account: another stack name or region makes another one.
   *
   * @param maxLength of CloudFront ("Quotas", CloudFront developer guide, and CloudFormation's page of each type)
   */
  private globalName(suffix: string, maxLength: number): string {
    const { region } = Stack.of(this);
    const unique = Names.uniqueResourceName(this, { maxLength: maxLength - maxRegionLength - suffix.length });
    return `${region}${unique}${suffix}`;
  }

  private headers(signInOrigin: string): ResponseHeadersPolicy {
    const custom = [
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'permissions-policy',
    ] as const;
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: this.globalName('Headers', 128),
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: contentSecurityPolicy(signInOrigin),
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: httpsOnly, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          ...custom.map((header) => ({ header, value: consolePageHeaders[header], override: true })),
          // Files and answers say how long they are kept. An error of S3 does not, and a browser must not keep it.
          { header: 'cache-control', value: 'no-cache', override: false },
        ],
      },
    });
  }
}

function acknowledgeChoices(distribution: Distribution, hasDomain: boolean): void {
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'The readers of the console may be in any country, and each of them has to sign in.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason:
        'A web ACL costs more than the rest of the console: the page holds no data, and each query needs a token and is throttled.',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'Who asked for whole numbers is in the log of the query function, and each query in the access log of the API.',
    },
  );
  if (!hasDomain)
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR4',
      reason:
        'CloudFront chooses the TLS versions of its own name. Browsers of today begin with TLS 1.3; a name of your own (console.domain) refuses what is older than TLS 1.2.',
    });
}
