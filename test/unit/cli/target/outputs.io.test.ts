import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { createConnect } from '../../../../cli/target/connection.ts';
import { deployedOutputs, localOutputs } from '../../../../cli/target/outputs.ts';
import { commandLine } from '../support/harness.ts';
import { startServer } from '../support/server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();

function outputsFile(name: string, text: string): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, text);
  return file;
}

describe('localOutputs', () => {
  it('reads an output by stack and name', async () => {
    const file = outputsFile('good', '{"Mine-Storage": {"HistoryTableName": "t", "Other": "x"}}');
    expect(await localOutputs(file, 'Mine').output('Storage', 'HistoryTableName')).toBe('t');
  });

  it.each([
    ['{', 'is not JSON'],
    ['', 'is not JSON'],
    ['[1]', 'holds no outputs'],
    ['null', 'holds no outputs'],
    ['{"SmsPipeline-Storage": {"HistoryTableName": 1}}', 'holds no outputs'],
    ['{}', 'has no stack SmsPipeline-Storage, only an empty list'],
    ['{"Mine-Storage": {}}', 'only Mine-Storage; --prefix names another one'],
    ['{"SmsPipeline-Storage": {}}', 'has no output HistoryTableName. Start the pipeline'],
    [
      '{"SmsPipeline-Storage": {"HistoryTableName": "t"}, "SmsPipeline-Pipeline": {"WebhookUrl": "u"}}',
      'has no output WorklistShards. Start the pipeline',
    ],
  ])('explains a file with %s in one line', async (text, line) => {
    const project = join(directory, `project-${Buffer.from(text).toString('hex')}`);
    mkdirSync(join(project, '.local'), { recursive: true });
    writeFileSync(join(project, '.local', 'outputs.json'), text);
    const { sms } = commandLine({ connect: createConnect(project) });
    const { code, out, err } = await sms('history', 'message', 'm', '--local', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(line);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('reads all outputs of a stack, and none of a missing stack', async () => {
    const file = outputsFile('whole', '{"Mine-Events": {"EventBusName": "b"}}');
    const { stack } = localOutputs(file, 'Mine');
    expect(await stack('Events')).toEqual({ EventBusName: 'b' });
    expect(await stack('Automations')).toEqual({});
  });

  it('explains a missing file: nothing runs', async () => {
    const { sms } = commandLine({ connect: createConnect(join(directory, 'none')) });
    const { code, err } = await sms('webhook', 'status', '--local');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: No pipeline runs on this machine: there is no .*outputs\.json\. .*npm start, or give the --dir that it was started with\.\n$/,
    );
  });

  it('gives the reason why a file cannot be read', async () => {
    await expect(localOutputs(directory, 'Mine').output('Storage', 'HistoryTableName')).rejects.toThrow(
      'EISDIR',
    );
  });
});

describe('deployedOutputs', () => {
  const described = (status: string, outputs: string) =>
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>n</StackName><CreationTime>2026-01-15T12:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const refused = (code: string, message: string) =>
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

  async function clientOf(status: number, body: string): Promise<CloudFormationClient> {
    const server = await startServer(() => ({ status, body, type: 'text/xml' }));
    return new CloudFormationClient({
      endpoint: server.url,
      region: 'sa-east-1',
      credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
      maxAttempts: 1,
    });
  }

  const read = (status: number, body: string) =>
    deployedOutputs(() => clientOf(status, body), 'Mine').output('Storage', 'HistoryTableName');
  const readWhole = (status: number, body: string) =>
    deployedOutputs(() => clientOf(status, body), 'Mine').stack('Automations');

  it('reads an output from CloudFormation', async () => {
    const member = '<member><OutputKey>HistoryTableName</OutputKey><OutputValue>t</OutputValue></member>';
    expect(await read(200, described('CREATE_COMPLETE', member))).toBe('t');
  });

  it('explains a missing stack', async () => {
    const answer = read(400, refused('ValidationError', 'Stack with id Mine-Storage does not exist'));
    await expect(answer).rejects.toThrow('There is no stack Mine-Storage in sa-east-1. Deploy it');
  });

  it('explains a missing output', async () => {
    await expect(read(200, described('ROLLBACK_COMPLETE', ''))).rejects.toThrow(
      'The stack Mine-Storage (ROLLBACK_COMPLETE) has no output HistoryTableName',
    );
  });

  it('reads all outputs of a stack, and none of a missing stack', async () => {
    const member = (name: string) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>of ${name}</OutputValue></member>`;
    expect(await readWhole(200, described('UPDATE_COMPLETE', member('a') + member('b')))).toEqual({
      ...{ a: 'of a', b: 'of b' },
    });
    expect(await readWhole(400, refused('ValidationError', 'Stack x does not exist'))).toEqual({});
    await expect(readWhole(403, refused('AccessDenied', 'not you'))).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });

  it('throws other errors unchanged', async () => {
    const answer = read(403, refused('AccessDenied', 'not you'));
    await expect(answer).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
