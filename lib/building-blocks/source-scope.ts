import { Construct } from 'constructs';

/** The constructs of one source of a pipeline, except those of `main`, which are the pipeline's own. */
export class SourceScope extends Construct {
  readonly source: string;

  constructor(scope: Construct, source: string) {
    super(scope, `Source${wordsOf(source)}`);
    this.source = source;
  }
}

/** Returns the name of a source as a part of the ids of constructs and outputs: `brazil-backup` becomes `BrazilBackup`. */
export function wordsOf(source: string): string {
  return source
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Returns the source whose constructs a construct is among; undefined for `main`. */
export function sourceAround(construct: Construct): string | undefined {
  return construct.node.scopes.find((one) => one instanceof SourceScope)?.source;
}
