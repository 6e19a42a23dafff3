import { Lazy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { contractFacts } from '../../contract/events/contract-facts.ts';
import { addOutput } from '../building-blocks/output.ts';
import { SourceScope } from '../building-blocks/source-scope.ts';
import type { Storage } from '../history/storage.ts';
import type { LookupFunction } from '../lookups/lookup-function.ts';
import { addLookups } from '../lookups/lookups.ts';
import type { PipelineOptions } from '../options/options.ts';
import { addRegistration } from '../registration/registration.ts';
import type { Receiving } from './receiving.ts';
import { addSource, type Source } from './source.ts';

/** A source beside `main`. */
export interface FurtherSource extends Source {
  /** Holds what is the source's own. */
  readonly scope: Construct;
  /** Undefined without lookups. */
  readonly lookups: LookupFunction | undefined;
}

/**
 * Adds a source beside `main`: its path, its secret, its registration and its lookups.
 *
 * @param sharedPath the parts that take an event of any source to the bus and to the automations; the API among them has the route of this one
 */
export function addFurtherSource(
  pipeline: Construct,
  options: PipelineOptions,
  receiving: Receiving,
  storage: Storage,
  sharedPath: readonly Construct[],
): FurtherSource {
  const scope = new SourceScope(pipeline, options.source);
  const registration = new Construct(scope, 'Registration');
  const source = addSource(scope, registration, options, receiving);
  const path = scope.node.children.filter((child) => child !== registration);
  if (options.registration) addRegistration(registration, options, source, [...sharedPath, ...path]);
  const lookups = options.lookups ? addLookups(new Construct(scope, 'Lookups'), options, storage) : undefined;
  receiving.sources.push(options.source);
  receiving.contracts.push(contractFacts(options.source, options.functionSources.contract));
  if (receiving.sources.length === 2)
    addOutput(pipeline, options, 'Sources', Lazy.string({ produce: () => receiving.sources.join(',') }));
  return { ...source, scope, lookups };
}
