/** Where a value is: the keys on the way to it; of a list always the first element. */
export type Steps = readonly (string | number)[];

/** JMESPath to a place. */
export function pathOf(steps: Steps): string {
  return steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const key = /^[A-Za-z_]\w*$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** The words of a key in lower case, however it parts them: `messageId`, `message_id`, `MessageID`, `message-id`. */
export function wordsOf(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** A field's name, for looking it up: without letter case and what parts words. */
export interface FieldName {
  readonly last: string;
  /** The object right around it, with what a list of such would be called without its s. */
  readonly parents: readonly string[];
  /** The nearest object around it whose name says more than that something is in it; '' where there is none. */
  readonly container: string;
}

/** Names of objects that say only that something is in them. */
const wrapping = new Set(
  'data payload body event events report reports result results item items object attributes detail details content contents envelope value values entry entries change changes resource record records batch batches list notification delivery dlr dr receipt inbound outbound mo mt params fields info message messages sms msg text contact channel incoming reply response update statuses callback webhook root request properties'.split(
    ' ',
  ),
);

export function nameOf(steps: Steps): FieldName {
  const keys = steps.filter((step) => typeof step === 'string');
  const around = keys.slice(0, -1);
  const container = around.findLast((key) => !wordsOf(key).every((word) => wrapping.has(word)));
  const parent = plain(around.at(-1) ?? '');
  return {
    last: plain(keys.at(-1) ?? ''),
    parents: parent.endsWith('s') ? [parent, parent.slice(0, -1)] : [parent],
    container: plain(container ?? ''),
  };
}

function plain(key: string): string {
  return wordsOf(key).join('');
}

/**
 * How much a field's name speaks for a role, from 0 to 100.
 *
 * @param names what fields of this role are called, without letter case and what parts words
 */
export function nameWeight(
  { last, parents, container }: FieldName,
  names: ReadonlyMap<string, number>,
): number {
  const joined = [...parents, container].map((around) => names.get(around + last) ?? 0);
  const alone = names.get(last) ?? endingWeight(last, names);
  const endings = parents.map((parent) => endingWeight(parent + last, names));
  return Math.max(...joined, ...endings, container === '' ? alone : alone * 0.6);
}

/** Names of this length say enough when something else stands before them: `callback_status`, `sms_message_id`. */
const leastEnding = 5;

function endingWeight(name: string, names: ReadonlyMap<string, number>): number {
  let best = 0;
  for (let from = 1; from <= name.length - leastEnding; from++)
    best = Math.max(best, (names.get(name.slice(from)) ?? 0) * 0.85);
  return best;
}
