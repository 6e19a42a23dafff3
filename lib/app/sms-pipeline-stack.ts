import { resolve } from 'node:path';
import { type App, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { pathOfContract } from '../../contract/document/contract-file-store.ts';
import { wordsOf } from '../../contract/events/source-id.ts';
import { meaningOf } from '../building-blocks/output-meanings.ts';
import type { BuiltFunctions } from '../bundling/function-code.ts';
import { Contract } from '../props/contract.ts';
import { Keywords } from '../props/keywords.ts';
import { SmsPipeline } from '../public/sms-pipeline.ts';
import { propsOf, sourcePropsOf } from './props-of-settings.ts';
import { readSettings, readSourceSettings } from './read-settings.ts';

/** Where the files of a stand-alone app are. */
export interface SmsPipelineStackProps {
  /**
   * The folder that the settings `sms:contractFile` and `sms:keywordsFile` are relative to.
   *
   * @default - the folder that `cdk` runs in
   */
  readonly folder?: string;
  /**
   * The code of the functions, where it is not that of the package.
   *
   * @internal
   */
  readonly _functions?: BuiltFunctions;
  /**
   * The folder of the built console, where it is not that of the package.
   *
   * @internal
   */
  readonly _consolePage?: string;
}

/**
 * A stack with a pipeline, for any account and region. Its settings are the keys of the CDK's context that begin with `sms:`, and one of them
 * names the stack.
 *
 * @throws an error that names every mistake in the settings; {@link explainMistakes} prints it
 */
export class SmsPipelineStack extends Stack {
  readonly pipeline: SmsPipeline;

  constructor(app: App, stackProps: SmsPipelineStackProps = {}) {
    const settings = readSettings(app.node.getAllContext());
    super(app, settings.stackName, {
      description: 'SMS pipeline: receives, keeps and publishes delivery reports and replies.',
    });
    const { folder = process.cwd(), _functions, _consolePage } = stackProps;
    const props = propsOf(settings, this);
    this.terminationProtection = props.removalPolicy === RemovalPolicy.RETAIN;
    const contractOf = (name: string, setting: string) =>
      Contract._fromFile(resolve(folder, pathOfContract(name)), `the setting sms:${setting}`);
    const encryptionKey =
      settings.encryptionKey === 'customer'
        ? new Key(this, 'Key', {
            description: 'Encrypts tables, queues, secrets and topics of the SMS pipeline.',
            enableKeyRotation: true,
            ...(props.removalPolicy && { removalPolicy: props.removalPolicy }),
          })
        : undefined;

    /** The pipeline with functions and a page that this process may have built. */
    class BuiltPipeline extends SmsPipeline {
      protected override _builtFunctions(): BuiltFunctions {
        return _functions ?? super._builtFunctions();
      }

      protected override _consolePage(): string {
        return _consolePage ?? super._consolePage();
      }
    }
    // The CDK leaves the id "Default" out of names. So the outputs have the names that the pages use, without a hash.
    this.pipeline = new BuiltPipeline(this, 'Default', {
      ...props,
      contract: contractOf(settings.contractFile, 'contractFile'),
      keywords: Keywords._fromFile(resolve(folder, settings.keywordsFile), 'the setting sms:keywordsFile'),
      ...(encryptionKey && { encryptionKey }),
    });
    for (const [name, block] of Object.entries(settings.sources)) {
      const source = readSourceSettings(name, block);
      this.pipeline.addSource(name, {
        ...sourcePropsOf(source, new Construct(this, `Settings${wordsOf(name)}`)),
        contract: contractOf(source.contractFile, `sources.${name}.contractFile`),
      });
    }
    if (settings.queryRoleArn !== undefined)
      this.pipeline.grantQuery(Role.fromRoleArn(this, 'Caller', settings.queryRoleArn));
    if (encryptionKey !== undefined)
      new CfnOutput(this, 'EncryptionKeyArn', {
        value: encryptionKey.keyArn,
        description: `${meaningOf('EncryptionKeyArn')}.`,
      });
  }
}
