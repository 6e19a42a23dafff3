import { join } from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { pageFolder } from '../../contract/document/console-page-store.ts';
import { bucketRemoval } from '../building-blocks/bucket-removal.ts';
import { allowOnPattern } from '../building-blocks/grants.ts';
import { logGroupProps } from '../building-blocks/log-group-props.ts';
import type { PipelineOptions } from '../options/options.ts';

/** Thrown if the page of the console was not built. */
class ConsolePageError extends Error {
  override readonly name = 'ConsolePageError';

  constructor() {
    super(
      'The console is on, and its page is not built, or older than its sources. Build it with: npm run build:console',
    );
  }
}

/** Returns the folder with the page of the package. @throws ConsolePageError */
export function builtPage(): string {
  const folder = pageFolder();
  if (folder === undefined) throw new ConsolePageError();
  return folder;
}

/**
 * The bucket of the page, which only CloudFront reads. It stays when the console is switched off: CloudFormation deletes no bucket with
 * objects, and a rollback must not delete the files of the page before.
 */
export class PageBucket extends Bucket {
  constructor(scope: Construct, id: string, options: Pick<PipelineOptions, 'removalPolicy'>) {
    super(scope, id, {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: false,
      ...bucketRemoval(options),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'The objects are the files of a page without data, which the package holds too: who read them is of no interest.',
    });
  }

  /** The CDK leaves the type open if no bucket is a website. */
  override get isWebsite(): boolean {
    return false;
  }
}

export interface PageFiles {
  readonly options: PipelineOptions;
  readonly bucket: IBucket;
  /** The folder with the built page. */
  readonly page: string;
  /** What config.json beside the page says. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Their names hold a hash of their content. */
const assetsFolder = 'assets';

/**
 * Copies the page and its config.json into the bucket at each deployment that changes them: first the assets, which browsers keep, and then
 * the files that name them, which browsers check at each visit. Files of earlier versions stay, because a page that is open loads parts of
 * itself later.
 */
export function uploadPage(scope: Construct, { options, bucket, page, config }: PageFiles): void {
  const { role, logGroup } = uploaderOf(Stack.of(scope), options);
  const shared = {
    destinationBucket: bucket,
    prune: false,
    outputObjectKeys: false,
    memoryLimit: uploadMemoryMiB,
    role: role.withoutPolicyUpdates(),
    logGroup,
  };
  const assets = new BucketDeployment(scope, 'UploadAssets', {
    ...shared,
    sources: [Source.asset(join(page, assetsFolder))],
    destinationKeyPrefix: assetsFolder,
    cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
  });
  const upload = new BucketDeployment(scope, 'Upload', {
    ...shared,
    sources: [Source.asset(page, { exclude: [assetsFolder] }), Source.jsonData('config.json', config)],
    cacheControl: [CacheControl.fromString('no-cache')],
  });
  upload.node.addDependency(assets);
  acknowledgeUpload(scope);
  const files = [assets, upload].flatMap(({ node }) =>
    node.children.filter((child) => child instanceof Asset),
  );
  // The names of the files change with the page. A policy that named them would change with them, right before the function runs, and
  // IAM takes seconds to apply a change ("Changes that I make are not always immediately visible", IAM user guide).
  for (const file of files)
    allowOnPattern(role, role, {
      actions: ['s3:GetObject'],
      resourceArn: file.bucket.arnForObjects('*'),
      reason:
        'The wildcard stands for the assets of this account, of which the page is some: their names hold a hash.',
    });
  Grant.addToPrincipal({
    grantee: role,
    actions: ['s3:ListBucket'],
    resourceArns: [bucket.bucketArn],
  });
  allowOnPattern(role, role, {
    actions: ['s3:PutObject'],
    resourceArn: bucket.arnForObjects('*'),
    reason: 'The page has files whose names hold a hash: the wildcard stands for the objects of one bucket.',
  });
}

/** The CDK has one function for all uploads of a stack with the same memory. This one has rights of its own, so no other upload shares it. */
const uploadMemoryMiB = 513;

/** Returns the role and the log of the function that uploads the pages of a stack. */
function uploaderOf(
  stack: Stack,
  options: PipelineOptions,
): { readonly role: Role; readonly logGroup: LogGroup } {
  const id = 'SmsConsoleUploader';
  const existing = stack.node.tryFindChild(id);
  if (existing instanceof Uploader) return existing;
  return new Uploader(stack, id, options);
}

class Uploader extends Construct {
  readonly logGroup: LogGroup;
  readonly role: Role;

  constructor(scope: Construct, id: string, { logs }: PipelineOptions) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Logs', logGroupProps(logs));
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
  }
}

/** The function is the CDK's own. */
function acknowledgeUpload(scope: Construct): void {
  const [fn] = Stack.of(scope).node.children.filter(
    ({ node }) =>
      node.id.startsWith('Custom::CDKBucketDeployment') && node.id.includes(`${uploadMemoryMiB}MiB`),
  );
  if (fn === undefined) throw new Error('CDK made the upload in an unexpected way');
  Validations.of(fn).acknowledge(
    ...['AwsSolutions-L1', 'Serverless-LambdaLatestVersion'].map((id) => ({
      id,
      reason:
        'The CDK chooses the runtime of its own function for uploads, and changes it with its versions.',
    })),
    {
      id: 'Serverless-LambdaDLQ',
      reason: 'CloudFormation invokes it during a deployment, which fails if the upload does.',
    },
    {
      id: 'Serverless-LambdaTracing',
      reason: 'It runs during deployments only, and its log says what it copied.',
    },
  );
}
