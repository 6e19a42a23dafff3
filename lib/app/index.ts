// The module `sms-event-pipeline/stand-alone`: the app that has stacks of its own, and reads its settings from the context.
import type { App, Stack } from 'aws-cdk-lib';
import { addStandAlonePipeline as addStacks } from './stand-alone.ts';

export { explainMistakes } from './explain-mistakes.ts';

/** Where the app's files are. */
export interface StandAloneOptions {
  /**
   * The folder that the settings `sms:contractFile` and `sms:keywordsFile` are relative to.
   *
   * @default - the folder that `cdk` runs in
   */
  readonly folder?: string;
}

/** The stacks of a stand-alone pipeline. */
export interface StandAloneStacks {
  readonly storage: Stack;
  readonly events: Stack;
  readonly pipeline: Stack;
  /** Undefined unless the pipeline registers its webhook itself. */
  readonly registration: Stack | undefined;
  /** Holds a placeholder if no automation is on. */
  readonly automations: Stack;
  /** Undefined unless history is exported. */
  readonly analysis: Stack | undefined;
}

/**
 * Adds the pipeline as stacks of its own, for any account and region. Its settings are the context's keys that begin with `sms:`.
 *
 * @throws an error that names every mistake; {@link explainMistakes} prints it
 */
export function addStandAlonePipeline(app: App, options: StandAloneOptions = {}): StandAloneStacks {
  return addStacks(app, options);
}
