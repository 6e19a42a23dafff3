import type { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import { LookupFunction } from './lookup-function.ts';

/** Asks the SMS service for the messages that no webhook reported, and stores them. */
export function addLookups(
  scope: Construct,
  options: PipelineOptions,
  { historyTable }: Storage,
): LookupFunction {
  const lookups = new LookupFunction(scope, 'Lookups', { options, historyTable });
  addOutput(scope, options, 'LookupFunctionName', lookups.function.functionName);
  return lookups;
}
