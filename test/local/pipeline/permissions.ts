import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { unusedGrants } from '../../../local/iam/permission-file.ts';
import { exercises, runAllExercises } from '../../../tools/drills/grants/run-exercises.ts';
import type { TestBed } from '../../../tools/drills/grants/test-bed.ts';
import { until } from '../../../tools/support/until.ts';
import { deliverSigned, type Started } from './post-signed.ts';

export function functionsNeedTheirPermissions(bed: Started<TestBed>): void {
  it('are denied no call in any exercise, and each unused grant is explained', async () => {
    expect(await runAllExercises(bed())).toEqual(new Map());
    const report = await bed().permissions.read();
    expect(report.functions.map(({ name }) => name).sort()).toEqual([...exercises.keys()].sort());
    expect(report.functions.flatMap(({ denied }) => denied)).toEqual([]);
    expect(unusedGrants([report]).filter(({ because }) => because === undefined)).toEqual([]);
  });

  it('fail without one of their permissions, and log the denial', async () => {
    const { pipeline, permissions } = bed();
    const { functions } = await permissions.read();
    const worker = functions.find(({ name }) => name === 'worker');
    const grants = worker?.granted.filter(({ action }) => action === 'dynamodb:UpdateItem') ?? [];
    const logged = pipeline.functionLog('worker').length;
    await permissions.withhold(
      grants.map(({ action, resource }) => ({ function: 'worker', action, resource })),
    );
    try {
      const data = {
        id: randomUUID(),
        to: '+12025550143',
        status: 'delivered',
        occurred_at: '2026-01-15T12:00:05.000Z',
      };
      await deliverSigned(pipeline, { type: 'sms.status', data });
      await until('the worker was denied', () =>
        pipeline.functionLog('worker').slice(logged).includes('AccessDeniedException'),
      );
      const denied = await until('the denial is recorded', async () =>
        (await permissions.read()).functions.find(({ denied: all }) => all.length > 0),
      );
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
      await permissions.withhold([]);
    }
  });
}
