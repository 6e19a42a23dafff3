import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { createConnect } from '../../../../../cli/target/connection.ts';
import { deployedOutputs, localOutputs } from '../../../../../cli/target/stack/outputs.ts';
import { answering, anyAccount } from '../../support/aws.ts';
import { commandLine } from '../../support/harness.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const directory = temporaryDirectory();

describe('localOutputs', () => {
  it.each([
    ['{', 'is not JSON'],
    ['', 'is not JSON'],
    ['[1]', 'holds no outputs'],
    ['null', 'holds no outputs'],
    ['{"SmsPipeline-Storage": {"HistoryTableName": 1}}', 'holds no outputs'],
    ['{}', 'has no stack SmsPipeline-Storage, only an empty list'],
    [
      '{"Mine-Storage": {}}',
      'only Mine-Storage; --prefix, --stack (a construct in your own app) names another one',
    ],
    ['{"SmsPipeline-Storage": {}}', 'has no output HistoryTableName. Start the pipeline'],
    [
      '{"SmsPipeline-Storage": {"HistoryTableName": "t"}, "SmsPipeline-Pipeline": {"WebhookUrl": "u"}}',
      'has no output ListShards. Start the pipeline',
    ],
  ])('explains a file with %s in one line', async (text, line) => {
    const project = join(directory, `project-${Buffer.from(text).toString('base64url')}`);
    mkdirSync(join(project, '.local'), { recursive: true });
    writeFileSync(join(project, '.local', 'outputs.json'), text);
    const { sms } = commandLine({ connect: createConnect(project) });
    const { code, out, err } = await sms('message', 'get', 'm', '--local', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(line);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('reads all outputs of a stack, and none of a missing stack', async () => {
    const file = join(directory, 'whole.json');
    writeFileSync(file, '{"Mine-Events": {"EventBusName": "b"}}');
    const { stack } = localOutputs(file, { prefix: 'Mine' });
    expect(await stack('Events')).toEqual({ EventBusName: 'b' });
    expect(await stack('Automations')).toEqual({});
  });

  it('reads the outputs of a source, and never those of main in their place', async () => {
    const file = join(directory, 'sources.json');
    const stacks = {
      'Mine-Storage': {
        HistoryTableName: 't',
        WebhookSecretId: 'of-main',
        SourceBrazilBackupWebhookSecretId: 'of-backup',
      },
      'Mine-Pipeline': {
        WebhookUrl: 'main',
        ReconcilerFunctionName: 'main',
        Sources: 'main,brazil-backup,third',
        SourceBrazilBackupWebhookUrl: 'backup',
        SourceThirdWebhookUrl: 'third',
      },
    };
    writeFileSync(file, JSON.stringify(stacks));
    const { output } = localOutputs(file, { prefix: 'Mine', source: 'brazil-backup' });
    expect(await output('Pipeline', 'WebhookUrl')).toBe('backup');
    expect(await output('Storage', 'WebhookSecretId')).toBe('of-backup');
    expect(await output('Storage', 'HistoryTableName')).toBe('t');
    await expect(output('Pipeline', 'ReconcilerFunctionName')).rejects.toThrow('has no output Reconciler');
    const third = localOutputs(file, { prefix: 'Mine', source: 'third' });
    await expect(third.output('Storage', 'WebhookSecretId')).rejects.toThrow('has no output WebhookSecretId');
    const unknown = localOutputs(file, { prefix: 'Mine', source: 'fourth' });
    await expect(unknown.output('Pipeline', 'WebhookUrl')).rejects.toThrow(
      'The pipeline has no source fourth; --source names one of main, brazil-backup, third.',
    );
  });

  it('gives the reason why a file cannot be read', async () => {
    const { stack } = localOutputs(directory, { prefix: 'Mine' });
    await expect(stack('Storage')).rejects.toThrow('EISDIR');
  });

  it('explains a missing file: nothing runs', async () => {
    const { sms } = commandLine({ connect: createConnect(join(directory, 'none')) });
    const { code, err } = await sms('webhook', 'status', '--local');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: No pipeline runs on this machine: there is no .*outputs\.json\. .*npm start, or give the --dir that it was started with\.\n$/,
    );
  });
});

describe('deployedOutputs', () => {
  /** Outputs of stacks that CloudFormation describes so. */
  const outputs = (stack: object | Error) => {
    const client = answering(new CloudFormationClient(anyAccount), () => {
      if (stack instanceof Error) throw stack;
      return { Stacks: [stack] };
    });
    return deployedOutputs(async () => client, { prefix: 'Mine' });
  };
  const stackOf = (values: Readonly<Record<string, string>>, StackStatus = 'CREATE_COMPLETE') => ({
    StackStatus,
    Outputs: Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  });
  const refused = (name: string, message: string) =>
    new CloudFormationServiceException({ name, $fault: 'client', $metadata: {}, message });
  const missing = refused('ValidationError', 'Stack with id Mine-Storage does not exist');
  const denied = refused('AccessDenied', 'not you');

  it('reads one output of a stack, and all', async () => {
    const { output, stack } = outputs(stackOf({ HistoryTableName: 't', Other: 'o' }));
    expect(await output('Storage', 'HistoryTableName')).toBe('t');
    expect(await stack('Automations')).toEqual({ HistoryTableName: 't', Other: 'o' });
  });

  it('explains a missing stack, and reads no outputs of it', async () => {
    await expect(outputs(missing).output('Storage', 'HistoryTableName')).rejects.toThrow(
      'There is no stack Mine-Storage in sa-east-1. Deploy it',
    );
    expect(await outputs(missing).stack('Automations')).toEqual({});
  });

  it('explains a missing output', async () => {
    const { output } = outputs(stackOf({}, 'ROLLBACK_COMPLETE'));
    await expect(output('Storage', 'HistoryTableName')).rejects.toThrow(
      'The stack Mine-Storage (ROLLBACK_COMPLETE) has no output HistoryTableName',
    );
  });

  it('throws other errors unchanged', async () => {
    await expect(outputs(denied).output('Storage', 'HistoryTableName')).rejects.toBe(denied);
    await expect(outputs(denied).stack('Automations')).rejects.toBe(denied);
  });
});

describe('--stack', () => {
  const file = join(directory, 'one-stack.json');
  const one = {
    SmsHistoryTableName0A1B2C3D: 'h',
    SmsDeadLetterQueueUrl11223344: 'q',
    // An output of the user, who may have the same idea.
    SmsDeadLetterQueueUrl: 'mine',
    SmsTwoHistoryTableNameFFFFFFFF: 'h2',
    Other: 'o',
  };
  writeFileSync(
    file,
    JSON.stringify({
      App: one,
      Plain: { Other: 'o' },
      Only: { SmsHistoryTableName0A1B2C3D: 'h', Other: 'o' },
    }),
  );
  const of = (stack: string) => localOutputs(file, { prefix: 'SmsPipeline', stack });

  it('reads the outputs of the one pipeline of a stack, or of the one that is named', async () => {
    expect(await of('Only').output('Storage', 'HistoryTableName')).toBe('h');
    expect(await of('App:Sms').stack('Pipeline')).toEqual({ HistoryTableName: 'h', DeadLetterQueueUrl: 'q' });
    // Else each would be listed three times.
    expect(await of('App:Sms').stack('Events')).toEqual({});
    expect(await of('App:SmsTwo').output('Events', 'HistoryTableName')).toBe('h2');
  });

  it.each([
    ['App', 'several pipelines: name one with --stack App:Sms, or SmsTwo'],
    ['App:Other', 'has no pipeline Other'],
    ['Plain', 'has no pipeline'],
    ['None', 'has no stack None'],
  ])('explains %s', async (stack, text) => {
    await expect(of(stack).output('Storage', 'HistoryTableName')).rejects.toThrow(text);
  });
});
