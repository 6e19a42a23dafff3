import { filledIn } from './filled-in.ts';
import { longestTexts, ranges, stackLimits } from './limits.ts';
import type { Stack } from './stack.ts';
import { valuesAt } from './values-at.ts';

const bytesOf = (text: string) => Buffer.byteLength(text);

/** Stacks with more of something than CloudFormation takes. */
export function oversizedStacks(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template, templateBytes }) => {
    const { Description = '', Resources, Outputs, Parameters } = template;
    const measured: [what: string, size: number, most: number][] = [
      ['bytes of template', templateBytes, stackLimits.templateBytes],
      ['bytes of description', bytesOf(Description), stackLimits.descriptionBytes],
      ['resources', Object.keys(Resources).length, stackLimits.resources],
      ['outputs', Object.keys(Outputs).length, stackLimits.outputs],
      ['parameters', Object.keys(Parameters).length, stackLimits.parameters],
      [
        'dynamic references',
        JSON.stringify(template).split('{{resolve:').length - 1,
        stackLimits.dynamicReferences,
      ],
      ...Object.entries(Outputs).map(([id, output]): [string, number, number] => [
        `bytes of description of ${id}`,
        bytesOf(output.Description ?? ''),
        stackLimits.outputDescriptionBytes,
      ]),
    ];
    const tooMuch = measured
      .filter(([, size, most]) => size > most)
      .map(([what, size, most]) => `${name}: ${size} ${what}, at most ${most}`);
    const ids = [Resources, Outputs, Parameters].flatMap(Object.keys);
    const badIds = ids.filter((id) => !/^[A-Za-z0-9]+$/.test(id) || id.length > stackLimits.idCharacters);
    return [...tooMuch, ...badIds.map((id) => `${name}: ${id} is no logical id`)];
  });
}

/** Names and descriptions that are longer than their service takes, each reference in them as long as it can become. */
export function overlongTexts(stacks: readonly Stack[]): string[] {
  return checkedProperties(stacks, longestTexts, (value, most) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return bytesOf(text) > most ? `${bytesOf(text)} bytes, at most ${most}` : undefined;
  });
}

/** Numbers outside of what their service takes. */
export function numbersOutOfRange(stacks: readonly Stack[]): string[] {
  return checkedProperties(stacks, ranges, (value, [least, most]) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `${String(value)}, from ${least} to ${most}`,
  );
}

function checkedProperties<T>(
  stacks: readonly Stack[],
  limits: Readonly<Record<string, Readonly<Record<string, T>>>>,
  check: (value: unknown, limit: T) => string | undefined,
): string[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(([id, { Type, Properties }]) =>
      Object.entries(limits[Type] ?? {}).flatMap(([path, limit]) =>
        valuesAt(Properties, path).flatMap((value) => {
          const problem = check(filledIn(value, stack, stacks), limit);
          return problem === undefined ? [] : `${stack.name} ${id} ${path}: ${problem}`;
        }),
      ),
    ),
  );
}
