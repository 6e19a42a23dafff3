import { Token } from 'aws-cdk-lib';
import * as z from 'zod';
import { isPlainUrl, plainUrl } from '../../contract/schema/plain-url.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';

/** What a text may be. */
export interface TextRule {
  readonly schema: z.ZodType<string, string>;
  /** Describes the allowed texts for messages, after "expected". */
  readonly expected: string;
  /** True if a wrong text may hold a key, which no message shows. */
  readonly isPrivate?: boolean;
}

/** Stands in messages for a text that may hold a key. */
export const notShown = 'something else (not shown: it may hold a key)';

/** Limits a capture that an operator forgets. */
const maxCaptureMs = 7 * 24 * 3_600_000;

/** A part of a host's name, and of a bucket's. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '[a-z](?:[a-z0-9-]{0,61}[a-z0-9])';

const everyDetailType = Object.values(detailTypes);

/** A resource has at most 50, and an app may add its own. */
export const maxTags = 40;

const matching = (pattern: RegExp) => z.string().regex(pattern);

/** Names of Microsoft Entra ID for every tenant: no token has one of them in its claim `iss`, which API Gateway compares with the issuer. */
const everyTenant = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\//;

/** The rules of every text that a pipeline can be given, by a prop or by a setting of the stand-alone app. */
export const textRules = {
  stackName: {
    schema: matching(/^[A-Za-z][A-Za-z0-9-]{0,127}$/),
    expected: 'the name of the stack: a letter, then letters, digits and hyphens, at most 128 characters',
  },
  contractFile: { schema: matching(/\S/), expected: 'the path of a contract file, or the name of a preset' },
  keywordsFile: { schema: matching(/\S/), expected: 'the path of the keywords file' },
  secretName: {
    schema: matching(/^[A-Za-z0-9/_+=.@-]{1,512}$/),
    expected:
      'the name (not the ARN) of the Secrets Manager secret that holds the API key: letters, digits and /_+=.@-',
  },
  serviceBaseUrl: {
    schema: z.string().max(512).refine(isPlainUrl),
    expected: `${plainUrl}; at most 512 characters`,
    isPrivate: true,
  },
  // CloudWatch Logs allows no colon in the namespace of a metric filter.
  metricsNamespace: {
    schema: matching(/^(?!AWS\/)(?! *$)[\w.\-/# ]{1,255}$/),
    expected:
      'letters, digits, spaces and . - _ / #, at most 255, not beginning with AWS/, which CloudWatch keeps for itself',
  },
  // "Tag naming limits and requirements", Tagging AWS Resources user guide.
  tag: {
    schema: matching(/^(?!aws:)[\p{L}\p{N} _.:/+@-]{1,128}=[\p{L}\p{N} _.:/=+@-]{0,256}$/iu),
    expected:
      'key=value, for example team=shop: letters, digits, spaces and _ . : / + - @, at most 128 and 256 characters, a key not beginning with aws:',
  },
  captureUntil: {
    schema: z.iso.datetime().refine((until) => Date.parse(until) - Date.now() <= maxCaptureMs),
    expected: 'a time in UTC at most 7 days ahead, for example 2026-01-15T12:00:00Z',
  },
  source: {
    schema: z.union([z.cidrv4(), z.cidrv6()]),
    expected: 'ranges of IP addresses as CIDR, for example 192.0.2.0/24',
  },
  // API Gateway accepts lower case only. A name with `*` is not an address to send to.
  domainName: {
    schema: matching(new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+${lastLabel}$`)),
    expected: 'a host name in lower case, for example sms.example.com, without https:// and path',
  },
  certificateArn: {
    schema: matching(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]{1,64}$/),
    expected:
      "the ARN of an ACM certificate in the deployment's region, arn:aws:acm:<region>:<account>:certificate/<id>",
  },
  // "Bucket naming rules" and "Creating object key names" of the Amazon S3 User Guide.
  truststoreUrl: {
    schema: matching(new RegExp(`^s3://(?=[^/]{3,63}/)(?:${label}\\.)*${label}/\\S{1,1024}$`)),
    expected: 'the S3 URL of the certificates of the CAs, s3://<bucket>/<key>',
  },
  objectKey: {
    schema: matching(/^(?!\/|s3:)\S{1,1024}$/),
    expected: 'the key of the object in the bucket, for example trust/ca.pem',
  },
  objectVersion: {
    schema: matching(/^[A-Za-z0-9._-]{1,64}$/),
    expected: 'the version id that S3 gave the trust store, at most 64 characters',
  },
  account: {
    schema: matching(/^\d{12}$/),
    expected: 'ids of AWS accounts as text, 12 digits each',
  },
  // Roles of services and of IAM Identity Center have these paths. AWS lets no account add a policy to them.
  changeableRoleArn: {
    schema: matching(
      /^arn:aws[a-z-]*:iam::\d{12}:role\/(?!aws-service-role\/|aws-reserved\/)([\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/,
    ),
    expected:
      "the ARN of an IAM role of the deployment's account, arn:aws:iam::<account>:role/<name>, not one that AWS manages",
  },
  consoleCertificateArn: {
    schema: matching(/^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]{1,64}$/),
    expected: 'the ARN of an ACM certificate in us-east-1, arn:aws:acm:us-east-1:<account>:certificate/<id>',
  },
  issuer: {
    schema: z
      .url({ protocol: /^https$/ })
      .max(512)
      .refine((url) => isPlainUrl(url) && !url.includes('/.well-known/') && !everyTenant.test(url)),
    expected:
      'the issuer of your OpenID Connect provider, an https URL without query, and without /.well-known/openid-configuration. At Microsoft it has the id of your tenant in the place of common, organizations or consumers',
  },
  clientId: {
    schema: matching(/^[\x21-\x7e]{1,255}$/),
    expected: "the id of the console's client at the provider, at most 255 characters",
  },
  groupsClaim: {
    schema: matching(/^[\w:./-]{1,255}$/),
    expected: 'the name of a claim without blanks: letters, digits and _ : . / -, at most 255 characters',
  },
  topicArn: {
    schema: matching(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/),
    expected: 'the ARN of an SNS topic, arn:aws:sns:<region>:<account>:<topic>',
  },
  runbookUrl: {
    schema: z
      .string()
      .refine((address) => address.length <= 200 && URL.canParse(address) && /^https?:[^#]+$/.test(address)),
    expected:
      'the http(s) URL of docs/operate/alarms.md, at most 200 characters, without a fragment (that of each alarm is added)',
  },
  contactList: { schema: z.guid(), expected: 'ids of contact lists at the SMS service, UUIDs' },
  forwardUrl: {
    schema: z.string().max(2048).refine(isPlainUrl),
    expected: `${plainUrl}. Leave them out, and let the receiver verify the signature (docs/guides/automations/forward.md, step 3); put values that are not secret into the path, of at most 2048 characters in all`,
    isPrivate: true,
  },
  detailType: {
    schema: z.enum(everyDetailType),
    expected: `some of ${everyDetailType.map((type) => `"${type}"`).join(', ')}`,
  },
} as const satisfies Readonly<Record<string, TextRule>>;

/** Returns whether a text breaks a rule. A text that is known at deployment only is not checked. */
export function breaks(text: string, { schema }: TextRule): boolean {
  return !Token.isUnresolved(text) && !schema.safeParse(text).success;
}
