import type { Progress } from '../progress.ts';
import type { Stack } from './cloud-assembly.ts';

/** Stacks that one machine has no services for, by the end of their names, with the reason. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ['-Analysis', 'there are no exports of DynamoDB to S3 and no Athena on one machine (sms:exportToS3)'],
]);

/** The stacks that run on one machine, in their order; each of the others is told. */
export function runnableStacks(stacks: readonly Stack[], progress: Pick<Progress, 'note'>): Stack[] {
  return stacks.filter(({ name }) => {
    const reason = [...LEFT_OUT].find(([ending]) => name.endsWith(ending))?.[1];
    if (reason !== undefined) progress.note(`stack ${name} is left out: ${reason}`);
    return reason === undefined;
  });
}
