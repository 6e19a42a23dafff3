import { Construct } from 'constructs';
import { wordsOf } from '../../contract/events/source-id.ts';

/** The constructs of one source of a pipeline, except those of `main`, which are the pipeline's own. */
export class SourceScope extends Construct {
  readonly source: string;

  constructor(scope: Construct, source: string) {
    super(scope, `Source${wordsOf(source)}`);
    this.source = source;
  }
}

/** Returns the source whose constructs a construct is among; undefined for `main`. */
export function sourceAround(construct: Construct): string | undefined {
  return construct.node.scopes.find((one) => one instanceof SourceScope)?.source;
}
