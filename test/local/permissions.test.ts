import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { readPermissionFile, unusedGrants } from '../../local/iam/permission-file.ts';
import { startBench } from '../../tools/drills/iam/bench.ts';
import { exercises } from '../../tools/drills/iam/exercises.ts';
import { runAllExercises } from '../../tools/drills/iam/run-exercises.ts';
import { freePorts } from '../../tools/support/free-port.ts';
import { startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

const permissionsOf = (directory: string) =>
  readPermissionFile(join(directory, 'permissions.json')).functions;

describe('functions under their synthesized roles', () => {
  it('are denied no call in the demonstration, and the grants that they use are recorded', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sms-pipeline-'));
    const port = await freePorts(5);
    const demo = spawn(
      process.execPath,
      ['local/start.ts', '--demo', '--port', String(port), '--dir', directory],
      { cwd: resolve(import.meta.dirname, '../..'), stdio: 'ignore' },
    );
    expect(await once(demo, 'exit')).toEqual([0, null]);

    const functions = permissionsOf(directory);
    expect(functions.flatMap(({ denied }) => denied)).toEqual([]);
    const used = (name: string) =>
      functions
        .find((one) => one.name === name)
        ?.granted.filter((grant) => grant.used > 0)
        .map(({ action }) => action);
    expect(used('ingest')).toContain('sqs:SendMessage');
    expect(used('worker')).toContain('dynamodb:UpdateItem');
    expect(used('publisher')).toContain('events:PutEvents');
    expect(used('setup')).toContain('secretsmanager:PutSecretValue');
    expect(used('failure-alert')).toContain('sns:Publish');
  });

  it('are denied no call in any exercise, and each unused grant is explained', async () => {
    const bench = await startBench();
    try {
      expect(await runAllExercises(bench)).toEqual(new Map());
      const report = await bench.permissions.read();
      expect(report.functions.map(({ name }) => name).sort()).toEqual([...exercises.keys()].sort());
      expect(report.functions.flatMap(({ denied }) => denied)).toEqual([]);
      expect(unusedGrants([report]).filter(({ because }) => because === undefined)).toEqual([]);
    } finally {
      await bench.stop();
    }
  });

  it('fail without one of their permissions, and log the denial', async () => {
    const pipeline = await startLocalPipeline({ 'local:withoutPermission': 'worker:dynamodb:UpdateItem' });
    try {
      const body = JSON.stringify({
        type: 'sms.status',
        data: {
          id: 'm-1',
          to: '+12025550143',
          status: 'delivered',
          occurred_at: '2026-01-15T12:00:05.000Z',
        },
      });
      const at = new Date();
      const answer = await fetch(pipeline.webhookUrl, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'evt-1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(await pipeline.webhookSecret()).sign('evt-1', at, body),
        },
      });
      expect(answer.status).toBe(200);

      await until('the worker was denied', () => {
        return pipeline.functionLog('worker').includes('AccessDeniedException') || undefined;
      });
      const denied = await until('the denial is recorded', () => {
        return permissionsOf(pipeline.directory).find(({ denied: all }) => all.length > 0);
      });
      expect(denied).toMatchObject({
        name: 'worker',
        denied: expect.arrayContaining([
          {
            action: 'dynamodb:UpdateItem',
            resource: expect.stringMatching(/table\/.*History/),
            times: expect.any(Number),
          },
        ]),
      });
      expect(pipeline.printed()).toContain('worker was denied a call');
    } finally {
      await pipeline.stop();
    }
  });
});
