import { createHistoryReader } from '../../../../functions/adapters/history-reader.ts';
import { decidingEntry } from '../../../../functions/core/history/message.ts';
import { demand, type Exercise } from '../exercise.ts';
import { historyWriter, reported } from './history.ts';

/** Longer than sms:staleAfterHours. */
const staleForMs = 100 * 3_600_000;

/** Marks a message that has waited for too long. */
export const exerciseSweep: Exercise = async (stage) => {
  const { pipeline, output, invoke } = stage;
  const stale = reported({ status: 'sent', at: new Date(Date.now() - staleForMs).toISOString() });
  await historyWriter(stage).storeMessage(stale);
  await invoke(output('SweepFunctionName'), {});
  const reader = createHistoryReader(pipeline.dynamoDb, output('HistoryTableName'));
  const swept = await reader.message(stale.messageId);
  demand('the message is marked', swept !== undefined && decidingEntry(swept).status === 'unknown');
};
