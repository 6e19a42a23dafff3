import { detailTypes } from '../../../../functions/core/bus/detail-types.ts';
import type { Exercise } from '../exercise.ts';

/** Finds that the secret was rotated past the pipeline, stores the new one, and tells it. */
export const exerciseSetup: Exercise = async ({ pipeline, sandbox, bus, output, invoke, eventually }) => {
  const reconcile = async () => {
    const answer = JSON.stringify(await invoke(output('SetupFunctionName'), { action: 'reconcile' }));
    if (answer.includes('"error"')) throw new Error(answer);
  };
  // What was found before, and is not put right yet, is not told again.
  await reconcile();
  const since = new Date().toISOString();
  const before = await pipeline.webhookSecret();
  await sandbox.rotateElsewhere();
  await reconcile();
  await eventually('the new secret is stored', async () => (await pipeline.webhookSecret()) !== before);
  await eventually('the change is told', async () =>
    (await bus.published()).some(
      (event) => event['detail-type'] === detailTypes.webhookDrifted && String(event.detail.foundAt) >= since,
    ),
  );
};
