import type { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../props/options.ts';
import { ReconcilerFunction } from './reconciler-function.ts';

/** Asks the SMS service for the messages that no webhook reported, and stores them. */
export function addReconciling(
  scope: Construct,
  options: PipelineOptions,
  { historyTable }: Storage,
): ReconcilerFunction {
  const reconciler = new ReconcilerFunction(scope, 'Reconciler', { options, historyTable });
  addOutput(scope, options, 'ReconcilerFunctionName', reconciler.function.functionName);
  return reconciler;
}
