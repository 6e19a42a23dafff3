import { Lazy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import { SourceScope } from '../building-blocks/source-scope.ts';
import { addWebhookSecret, type Storage } from '../history/storage.ts';
import type { LookupFunction } from '../lookups/lookup-function.ts';
import { addLookups } from '../lookups/lookups.ts';
import type { PipelineOptions } from '../options/options.ts';
import { addRegistration } from '../registration/registration.ts';
import type { Receiving } from './receiving.ts';
import { addSource, type Source } from './source.ts';

/** A source beside `main`. */
export interface FurtherSource extends Source {
  /** Undefined without lookups. */
  readonly lookups: LookupFunction | undefined;
}

/** Adds a source beside `main`: its path, its secret, its registration and its lookups. */
export function addFurtherSource(
  pipeline: Construct,
  options: PipelineOptions,
  receiving: Receiving,
  storage: Storage,
): FurtherSource {
  const scope = new SourceScope(pipeline, options.source);
  const source = addSource(scope, options, receiving, addWebhookSecret(scope, options));
  if (options.registration)
    // CloudFormation deactivates the webhook before it removes the path.
    addRegistration(new Construct(scope, 'Registration'), options, source).node.addDependency(
      source.ingest,
      source.worker,
      source.setup,
    );
  const lookups = options.lookups ? addLookups(new Construct(scope, 'Lookups'), options, storage) : undefined;
  receiving.sources.push(options.source);
  if (receiving.sources.length === 2)
    addOutput(pipeline, options, 'Sources', Lazy.string({ produce: () => receiving.sources.join(',') }));
  return { ...source, lookups };
}
