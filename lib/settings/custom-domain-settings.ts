import { z } from 'zod';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '[a-z](?:[a-z0-9-]{0,61}[a-z0-9])';

/** API Gateway takes lower case only; a name with `*` is no address to send to. */
const domainName = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+${lastLabel}$`);

/** "Bucket naming rules" and "Creating object key names" of the Amazon S3 User Guide. */
const objectUrl = new RegExp(`^s3://(?=[^/]{3,63}/)(?:${label}\\.)*${label}/\\S{1,1024}$`);

/** Of a name of one's own for the HTTP API, and of mutual TLS, which API Gateway has only there. */
export const customDomainSettings = {
  domainName: z
    .string()
    .regex(domainName)
    .optional()
    .describe('expected a host name in lower case, for example sms.example.com, without https:// and path'),
  certificateArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe(
      'expected the ARN of a certificate of ACM in the region that is deployed to, arn:aws:acm:<region>:<account>:certificate/<id>',
    ),
  webhookAddress: z
    .enum(['domain', 'api'])
    .default('domain')
    .describe('expected "domain", or "api" while DNS does not point to the domain yet'),
  mutualTlsTruststore: z
    .string()
    .regex(objectUrl)
    .optional()
    .describe('expected where the certificates of the CAs are in S3, s3://<bucket>/<key>'),
  mutualTlsTruststoreVersion: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('expected the version id that S3 gave the trust store, at most 64 characters'),
};

/** A setting that does not go with the others. */
export interface DomainMismatch {
  readonly name: keyof typeof customDomainSettings;
  readonly expected: string;
}

/**
 * What is given without what it needs.
 * @param given the settings as they were given, right or wrong
 */
export function domainMismatches(given: Readonly<Record<string, unknown>>): DomainMismatch[] {
  const has = (name: DomainMismatch['name']) => given[name] !== undefined;
  const found: [isWrong: boolean, name: DomainMismatch['name'], expected: string][] = [
    [
      has('domainName') && !has('certificateArn'),
      'certificateArn',
      'expected the ARN of a certificate of ACM for domainName, in the region that is deployed to',
    ],
    [
      has('certificateArn') && !has('domainName'),
      'domainName',
      'expected the host name that certificateArn is for',
    ],
    [
      has('mutualTlsTruststore') && !has('domainName'),
      'mutualTlsTruststore',
      'expected none without domainName: API Gateway has mutual TLS for custom domains only',
    ],
    [
      has('mutualTlsTruststoreVersion') && !has('mutualTlsTruststore'),
      'mutualTlsTruststoreVersion',
      'expected none without mutualTlsTruststore',
    ],
    [
      has('mutualTlsTruststore') && given.webhookAddress === 'api',
      'webhookAddress',
      'expected "domain": with mutualTlsTruststore nothing answers at the address of the API, where mutual TLS could be bypassed',
    ],
  ];
  return found.flatMap(([isWrong, name, expected]) => (isWrong ? { name, expected } : []));
}
