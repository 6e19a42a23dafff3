import { randomUUID } from 'node:crypto';
import type { Exercise } from '../exercise.ts';

/** Tells that the card that pays has expired. */
export const exerciseBillingWatch: Exercise = async ({
  sandbox,
  bus,
  output,
  invoke,
  eventually,
  restart,
}) => {
  const id = randomUUID();
  await sandbox.setCards([{ id, validate: '01/20', default: true }]);
  await restart('billing-watch');
  await invoke(output('BillingWatchFunctionName'), {});
  await eventually('the card is told of', async () =>
    (await bus.published()).some(({ detail }) => detail.cardId === id),
  );
};
