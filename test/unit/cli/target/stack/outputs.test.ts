import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { createConnect } from '../../../../../cli/target/connection.ts';
import { deployedOutputs, localOutputs, MissingOutput } from '../../../../../cli/target/stack/outputs.ts';
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
    ['{"SmsPipeline": {"HistoryTableName": 1}}', 'holds no outputs'],
    ['{}', 'has no stack SmsPipeline, only an empty list; --stack names another one.'],
    ['{"Mine": {}, "Other": {}}', 'has no stack SmsPipeline, only Mine, Other; --stack names another one.'],
    ['{"SmsPipeline": {}}', 'has no output HistoryTableName. Start the pipeline'],
    [
      '{"SmsPipeline": {"HistoryTableName": "t", "WebhookUrl": "u"}}',
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
    writeFileSync(file, '{"Mine": {"HistoryTableName": "t", "EventBusName": "b"}}');
    const mine = localOutputs(file, { stack: 'Mine' });
    expect(await mine.all()).toEqual({ HistoryTableName: 't', EventBusName: 'b' });
    expect(await mine.state()).toMatchObject({ name: 'Mine', status: undefined });
    const missing = localOutputs(file, { stack: 'Missing' });
    expect([await missing.all(), await missing.state()]).toEqual([{}, undefined]);
  });

  it.each(['main,x;touch a;', 'main,', 'Main'])('refuses an odd name of a source: %j', async (Sources) => {
    const file = join(directory, 'wrong-sources.json');
    writeFileSync(file, JSON.stringify({ Mine: { HistoryTableName: 't', WebhookUrl: 'main', Sources } }));
    const of = localOutputs(file, { stack: 'Mine', source: 'x' });
    await expect(of.all()).rejects.toThrow('which is no name of a source');
  });

  it('reads the outputs of a source, and never those of main in their place', async () => {
    const file = join(directory, 'sources.json');
    const stacks = {
      Mine: {
        HistoryTableName: 't',
        WebhookSecretId: 'of-main',
        SourceBrazilBackupWebhookSecretId: 'of-backup',
        WebhookUrl: 'main',
        LookupFunctionName: 'main',
        Sources: 'main,brazil-backup,third',
        SourceBrazilBackupWebhookUrl: 'backup',
        SourceThirdWebhookUrl: 'third',
      },
    };
    writeFileSync(file, JSON.stringify(stacks));
    const { output } = localOutputs(file, { stack: 'Mine', source: 'brazil-backup' });
    expect(await output('WebhookUrl')).toBe('backup');
    expect(await output('WebhookSecretId')).toBe('of-backup');
    expect(await output('HistoryTableName')).toBe('t');
    await expect(output('LookupFunctionName')).rejects.toThrow('has no output Lookup');
    const third = localOutputs(file, { stack: 'Mine', source: 'third' });
    await expect(third.output('WebhookSecretId')).rejects.toThrow('has no output WebhookSecretId');
    const unknown = localOutputs(file, { stack: 'Mine', source: 'fourth' });
    await expect(unknown.output('WebhookUrl')).rejects.toThrow(
      'The pipeline has no source fourth; --source names one of main, brazil-backup, third.',
    );
  });

  const foreign = (name: string, value: string, source?: string) => {
    const file = join(directory, `foreign-${Buffer.from(name + value).toString('base64url')}.json`);
    writeFileSync(
      file,
      JSON.stringify({ Mine: { HistoryTableName: 't', Sources: 'main,backup', [name]: value } }),
    );
    return localOutputs(file, { stack: 'Mine', ...(source !== undefined && { source }) });
  };

  it.each([
    ['QueryUrl', 'https://attacker.example/v1', 'attacker.example'],
    ['QueryUrl', 'http://127.0.0.1@attacker.example:4000/v1', 'attacker.example:4000'],
    ['QueryUrl', 'http://127.0.0.1.attacker.example/v1', '127.0.0.1.attacker.example'],
    ['QueryUrl', 'http://192.0.2.1:4000/v1', '192.0.2.1:4000'],
    ['WebhookUrl', 'http://attacker.example:4000/webhooks/sms', 'attacker.example:4000'],
    ['WebhookUrlWithRetries', 'http://attacker.example/', 'attacker.example'],
    ['SourceBackupEventsQueueUrl', 'http://attacker.example/000000000000/q', 'attacker.example'],
    ['DeadLetterQueueUrl', 'https://sqs.eu-west-1.amazonaws.com/1/q', 'sqs.eu-west-1.amazonaws.com'],
  ])('refuses %s at %s, because local means this machine', async (name, value, host) => {
    await expect(foreign(name, value).all()).rejects.toThrow(
      `is at ${host}, and a pipeline on this machine is at 127.0.0.1. Start the pipeline`,
    );
    await expect(foreign(name, value, 'main').output('HistoryTableName')).rejects.toThrow(name);
  });

  it.each(['http://127.0.0.1:4000/v1', 'http://localhost:4000/v1', 'http://[::1]:4000/v1'])(
    'accepts %s',
    async (url) => {
      expect(await foreign('QueryUrl', url).output('QueryUrl')).toBe(url);
    },
  );

  it('refuses a file that other users can write', async () => {
    const file = join(directory, 'shared.json');
    writeFileSync(file, '{"Mine": {"HistoryTableName": "t"}}');
    chmodSync(file, 0o666);
    await expect(localOutputs(file, { stack: 'Mine' }).all()).rejects.toThrow(
      `${file} can be written by other users of this machine`,
    );
  });

  it('gives the reason why a file cannot be read', async () => {
    await expect(localOutputs(directory, { stack: 'Mine' }).all()).rejects.toThrow('EISDIR');
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
  /** The outputs of a stack that CloudFormation describes so. */
  const outputs = (stack: object | Error, reads: unknown[] = []) => {
    const client = answering(new CloudFormationClient(anyAccount), (_, { StackName }) => {
      reads.push(StackName);
      if (stack instanceof Error) throw stack;
      return { Stacks: [stack] };
    });
    return deployedOutputs(async () => client, { stack: 'Mine' });
  };
  const stackOf = (values: Readonly<Record<string, string>>, StackStatus = 'CREATE_COMPLETE') => ({
    StackStatus,
    Outputs: Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  });
  const refused = (name: string, message: string) =>
    new CloudFormationServiceException({ name, $fault: 'client', $metadata: {}, message });
  const missing = refused('ValidationError', 'Stack with id Mine does not exist');
  const denied = refused('AccessDenied', 'not you');

  it('reads one output of a stack, and all, and asks CloudFormation once', async () => {
    const reads: unknown[] = [];
    const { output, all, state } = outputs(stackOf({ HistoryTableName: 't', Other: 'o' }), reads);
    const values = { HistoryTableName: 't', Other: 'o' };
    expect(await Promise.all([output('HistoryTableName'), output('Other')])).toEqual(['t', 'o']);
    expect(await all()).toEqual(values);
    expect(await state()).toEqual({ name: 'Mine', status: 'CREATE_COMPLETE', outputs: values });
    expect(reads).toEqual(['Mine']);
  });

  it('explains a missing stack, and reads no outputs of it', async () => {
    await expect(outputs(missing).output('HistoryTableName')).rejects.toThrow(
      'There is no stack Mine in sa-east-1. Deploy it, name another with --stack or --region, or add --local',
    );
    expect(await outputs(missing).all()).toEqual({});
    expect(await outputs(missing).state()).toBeUndefined();
  });

  it('explains a missing output', async () => {
    const { output } = outputs(stackOf({ HistoryTableName: 't' }));
    const reading = output('LookupFunctionName');
    await expect(reading).rejects.toThrow(MissingOutput);
    await expect(reading).rejects.toThrow(
      'The stack Mine (CREATE_COMPLETE) has no output LookupFunctionName of a pipeline.',
    );
  });

  it('explains a stack without a pipeline, for example after its first deployment failed', async () => {
    const { output, all } = outputs(stackOf({ Other: 'o' }, 'ROLLBACK_COMPLETE'));
    const reading = output('HistoryTableName');
    await expect(reading).rejects.toThrow(MissingOutput);
    await expect(reading).rejects.toThrow(
      'The stack Mine (ROLLBACK_COMPLETE) has no output HistoryTableName of a pipeline. Deploy it again, or name another stack with --stack.',
    );
    expect(await all()).toEqual({});
  });

  it('throws other errors unchanged', async () => {
    await expect(outputs(denied).output('HistoryTableName')).rejects.toBe(denied);
    await expect(outputs(denied).all()).rejects.toBe(denied);
    await expect(outputs(denied).state()).rejects.toBe(denied);
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
      Plain: { HistoryTableName: 'h3', DeadLetterQueueUrl: 'q3', ExportsOutputRefTable0A1B2C3D: 't' },
      Beside: {
        ...one,
        HistoryTableName: 'h3',
        SourceBackupWebhookUrl: 'backup',
        Sources: 'main,backup',
        WebhookUrl: 'u3',
        SmsSources44556677: 'main',
        SmsWebhookUrl55667788: 'u',
      },
      Without: { Other: 'o' },
      Only: { SmsHistoryTableName0A1B2C3D: 'h', Other: 'o' },
    }),
  );
  const of = (stack: string, source?: string) =>
    localOutputs(file, { stack, ...(source !== undefined && { source }) });

  it('reads the outputs of the one pipeline of a stack, or of the one that is named', async () => {
    expect(await of('Only').output('HistoryTableName')).toBe('h');
    expect(await of('App:Sms').all()).toEqual({ HistoryTableName: 'h', DeadLetterQueueUrl: 'q' });
    expect(await of('App:Sms').state()).toMatchObject({ name: 'App' });
    expect(await of('App:SmsTwo').output('HistoryTableName')).toBe('h2');
  });

  it('reads the plain names of a pipeline whose id is Default, and leaves out what ends with a hash', async () => {
    const plain = { HistoryTableName: 'h3', DeadLetterQueueUrl: 'q3' };
    expect(await of('Plain').all()).toEqual(plain);
    expect(await of('Plain:').all()).toEqual(plain);
  });

  it('reads a pipeline whose id is Default beside others, by an empty name', async () => {
    expect(await of('Beside:').all()).toMatchObject({ HistoryTableName: 'h3', WebhookUrl: 'u3' });
    expect(await of('Beside:').state()).toMatchObject({ name: 'Beside' });
    expect(Object.values(await of('Beside:').all())).not.toContain('h2');
    expect(await of('Beside:', 'backup').output('WebhookUrl')).toBe('backup');
    expect(await of('Beside:Sms').all()).toEqual({
      HistoryTableName: 'h',
      DeadLetterQueueUrl: 'q',
      Sources: 'main',
      WebhookUrl: 'u',
    });
    expect(await of('Beside:SmsTwo').output('HistoryTableName')).toBe('h2');
    await expect(of('Beside:Sms', 'backup').all()).rejects.toThrow('The pipeline has no source backup');
  });

  it.each([
    ['App', 'several pipelines: name one with --stack: App:Sms, App:SmsTwo.'],
    ['Beside', 'several pipelines: name one with --stack: Beside:, Beside:Sms, Beside:SmsTwo.'],
    ['App:Other', 'The stack App has no pipeline "Other": no output OtherHistoryTableName.'],
    ['App:', 'no output HistoryTableName.'],
    ['Without', 'has no output HistoryTableName. Start the pipeline'],
    ['Without:Sms', 'has no pipeline "Sms"'],
    ['None', 'has no stack None, only App, Plain, Beside, Without, Only; --stack names another one.'],
  ])('explains %s', async (stack, text) => {
    await expect(of(stack).output('HistoryTableName')).rejects.toThrow(text);
  });
});
