import { compileExpression } from '../../../contract/events/body.ts';
import { numberFormats } from '../../../contract/phone/phone-number.ts';
import { canonicalErrorReasons, canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { charsetOf } from '../../../contract/text/charset.ts';
import { isTimeZone, timeFormats } from '../../../contract/text/time.ts';
import type { Answer } from '../../../discovery/discovery.ts';
import { formatSeparator, type Proposal } from '../../../discovery/proposal.ts';
import type { View } from '../../output/print.ts';
import type { Terminal } from '../../target/context.ts';
import { sanitize } from '../../text/sanitize.ts';
import { showExample } from './render-discovery.ts';

/** Keys whose values are one of a few words. */
const choices: readonly (readonly [string, readonly string[]])[] = [
  ['webhook.bodyFormat', ['json', 'form']],
  ['events.timeFormat', timeFormats],
  ['events.numbers', numberFormats],
  ['statuses.', canonicalStatuses],
  ['errors.', canonicalErrorReasons],
];

/** Keys that may have no value. */
const optional =
  /^(?:events\.timeZone$|statuses\.|errors\.|events\.status\.(?:sendId|recipient|occurredAt|errorCode|errorText)$|events\.reply\.(?:replyId|messageId|to|occurredAt)$)/;

/** Asks about each guess: Enter accepts it, a number takes a rival, "-" means no value, any other text replaces it. */
export function askForGuesses(ask: NonNullable<Terminal['ask']>, { err }: Terminal, view: View): Answer {
  async function askFor(proposal: Proposal): Promise<Proposal> {
    if (proposal.isCertain) return proposal;
    err(`${describe(proposal, view)}\n`);
    for (;;) {
      const numbers = proposal.rivals.length === 0 ? '' : ' a number takes one of the others,';
      const text = (await ask(`  Enter accepts it,${numbers} - is none, or write another: `)).trim();
      if (text === '') return proposal;
      const rival = /^\d$/.test(text) ? proposal.rivals[Number(text) - 1] : undefined;
      const value = text === '-' ? null : (rival ?? text);
      const problem = problemOf(proposal.key, value);
      if (problem === undefined)
        return { key: proposal.key, value, isCertain: true, rivals: [], note: 'as you say' };
      err(`  ${problem}\n`);
    }
  }
  return async (proposals) => {
    const answered: Proposal[] = [];
    for (const proposal of proposals) answered.push(await askFor(proposal));
    return answered;
  };
}

function describe({ key, value, rivals, example, note }: Proposal, view: View): string {
  const details = [
    ...(example === undefined ? [] : [`for example ${showExample(example, view)}`]),
    ...(note === undefined ? [] : [note]),
    ...(rivals.length === 0
      ? []
      : [`or ${rivals.map((rival, index) => `${index + 1}: ${sanitize(rival)}`).join(', ')}`]),
  ];
  const shown = value === undefined ? 'nothing found' : (value ?? 'none');
  return `${view.style('bold', sanitize(key))}: ${sanitize(shown)}${details.length === 0 ? '' : ` (${details.join('; ')})`}`;
}

function problemOf(key: string, value: string | null): string | undefined {
  if (value === null) return optional.test(key) ? undefined : 'The pipeline requires it: write JMESPath.';
  if (key === 'events.timeZone')
    return isTimeZone(value) ? undefined : 'Expected a zone, such as America/New_York or +05:30.';
  if (key === 'webhook.charset' || key === 'webhook.also.charset')
    return charsetOf(value) === undefined ? 'Expected a charset, such as windows-1252.' : undefined;
  const [, words] = choices.find(([place]) => key.startsWith(place)) ?? [];
  const parts = key === 'events.timeFormat' ? value.split(formatSeparator) : [value];
  if (words !== undefined)
    return parts.every((part) => words.includes(part)) ? undefined : `Expected one of ${words.join(', ')}.`;
  try {
    compileExpression(value);
    return undefined;
  } catch {
    return 'Expected JMESPath, for example data.status (https://jmespath.org).';
  }
}
