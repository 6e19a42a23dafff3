import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import type { Started } from './post-signed.ts';
import { realTime } from './transcripts/normalise.ts';
import { seedHistory, untilCounted } from './transcripts/seed.ts';

// The answers of docs/guides/query-the-history.md over HTTP, and those of docs/reference/query-dynamodb.md that need a pipeline: the counts.
// test/local/data-model.test.ts has the others. Those of commands are in the transcripts, with which test/unit/docs/query-the-history.test.ts
// compares the page.

const project = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(project, 'docs/guides/query-the-history.md'), 'utf8');
const dynamoDb = readFileSync(join(project, 'docs/reference/query-dynamodb.md'), 'utf8');
const run = promisify(execFile);

const blocksOf = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );

const [preparation = '', ...sections] = page.split(/^## (?=\d\.)/m);
const questions = sections.map((section) => {
  const [, http = ''] = section.replace(/^## [\s\S]*/m, '').split(/^\*\*HTTP\*\*$/m);
  return { title: section.split('\n', 1)[0] ?? '', http };
});
const [signed = ''] = blocksOf(preparation, 'sh').filter((block) => block.startsWith('signed() {'));
const sectionsOfDynamoDb = dynamoDb.split(/^## /m);
const [pythonBeginning = ''] = blocksOf(dynamoDb.replaceAll(/^ {5}/gm, ''), 'python');
const counts = sectionsOfDynamoDb.filter((section) => section.startsWith('The counts of'));
const [csv = ''] = sectionsOfDynamoDb
  .filter((section) => section.startsWith('To write an answer into a file'))
  .flatMap((section) => blocksOf(section, 'python'));

/** Moves the days of the page to those of the pipeline. */
const today = (text: string) =>
  realTime(text).replaceAll('days#2026-01', `days#${realTime('2026-01-15').slice(0, 7)}`);

export function guideIsAnswered(pipeline: Started<LocalPipeline>): void {
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    await seedHistory(pipeline(), '');
    const { port, outputs, untilQueueIsEmpty } = pipeline();
    await untilQueueIsEmpty(outputs.EventsQueueUrl);
    await untilCounted(pipeline(), '');
    env = {
      PATH: [join(project, 'test/support/aws-command'), process.env.PATH].join(delimiter),
      NODE: process.execPath,
      QUERY_URL: outputs.QueryUrl,
      HISTORY: outputs.HistoryTableName,
      QUARANTINE: outputs.QuarantineTableName,
      INSIGHTS: outputs.InsightsTableName,
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port + 2}`,
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
    };
  });

  const shell = async (script: string) => {
    const { stdout } = await run('sh', ['-euc', today(script)], { env });
    return JSON.parse(stdout);
  };

  it('has eight questions', () => {
    expect(questions.map(({ title }) => title.slice(0, 2))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n}.`),
    );
  });

  it.each(questions)('$title is answered over HTTP', async ({ http }) => {
    const requests = blocksOf(http, 'sh');
    const answers = blocksOf(http, 'json');
    expect(requests.length).toBeGreaterThan(0);
    expect(answers).toHaveLength(requests.length);
    for (const [index, request] of requests.entries())
      expect(await shell(`${signed}\n${request}`)).toMatchObject(JSON.parse(today(answers[index] ?? '')));
  });

  const python = async (code: string) => {
    const cwd = mkdtempSync(join(tmpdir(), 'boto3-'));
    const { stdout } = await run('python3', ['-c', today(`${pythonBeginning}\n${code}`)], { env, cwd });
    return { stdout, cwd };
  };

  it('counts of a send and of a day are on the page', () => {
    expect(counts).toHaveLength(2);
  });

  describe.each(counts.map((section) => ({ section, title: section.split('\n', 1)[0] })))(
    '$title',
    ({ section }) => {
      const [request = ''] = blocksOf(section, 'sh');
      const [answer = ''] = blocksOf(section, 'json');
      const [code = ''] = blocksOf(section, 'python');

      it('are answered by the AWS CLI', async () => {
        const { Item, Items } = await shell(request);
        expect(Items?.map(unmarshall) ?? unmarshall(Item)).toMatchObject(JSON.parse(today(answer)));
      });

      it('are answered by boto3', async () => {
        const variable = /^(\w+) = (?!dynamodb\.Table)/m.exec(code)?.[1];
        const { stdout } = await python(`${code}\nimport json\nprint(json.dumps(${variable}, default=int))`);
        expect(JSON.parse(stdout)).toMatchObject(JSON.parse(today(answer)));
      });
    },
  );

  it('an answer is written into a file by boto3', async () => {
    const { cwd } = await python(csv);
    expect(readFileSync(join(cwd, 'failed.csv'), 'utf8')).toMatch(
      /^messageId,phone,sendId,.*\r\nmsg-2,\+12025550144,spring-sale,/,
    );
  });

  describe('the script of docs/guides/send-results.md', () => {
    const results = readFileSync(join(project, 'docs/guides/send-results.md'), 'utf8');
    const [script = ''] = blocksOf(results.replaceAll(/^ {3}/gm, ''), 'bash').filter((block) =>
      block.startsWith('#!/bin/sh'),
    );
    const day = realTime('2026-01-14').slice(0, 10);

    async function runIn(reports: string, target: string) {
      const edited = script
        .replace('Europe/Berlin', 'UTC')
        .replace('prod/eu-west-1/SmsPipeline', target)
        .replace('/home/ana/reports', reports)
        .replace('/home/ana/sms-event-pipeline', project);
      await run('sh', ['-c', edited, 'failed-sms.sh', day], { env: { PATH: process.env.PATH } });
    }

    it('writes the failures of a day into a file', async () => {
      const reports = mkdtempSync(join(tmpdir(), 'reports-'));
      await runIn(reports, `local:${pipeline().directory}`);
      expect(readdirSync(reports)).toEqual([`failed-${day}.csv`]);
      const [header = '', ...rows] = readFileSync(join(reports, `failed-${day}.csv`), 'utf8')
        .trim()
        .split('\n');
      expect(header).toMatch(/^messageId,phone,/);
      expect(rows.map((row) => row.split(',')[0])).toEqual(['msg-0003']);
    });

    it('leaves no complete file if the command fails', async () => {
      const reports = mkdtempSync(join(tmpdir(), 'reports-'));
      await expect(runIn(reports, `local:${reports}`)).rejects.toThrow('No pipeline runs');
      expect(readdirSync(reports)).toEqual([`failed-${day}.csv.part`]);
    });
  });
}
