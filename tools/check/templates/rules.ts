import { resourcesOf } from './resources.ts';
import { numberAt, type Stack, textsIn, valuesAt } from './stack.ts';

/** Assets that are not there or that no function uses, and functions without code or without the file of their handler. */
export function assetProblems(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template, assets }) => {
    const functions = Object.entries(template.Resources).filter(
      ([, { Type }]) => Type === 'AWS::Lambda::Function',
    );
    const used = new Set(functions.flatMap(([, { Properties }]) => valuesAt(Properties, 'Code.S3Key')));
    const ofAssets = assets.flatMap(({ path, keys, files }) => {
      if (files === undefined || files.length === 0) return [`${name}: nothing at ${path}`];
      return keys.some((key) => used.has(key)) ? [] : [`${name}: unused asset ${path}`];
    });
    const ofFunctions = functions.flatMap(([id, { Properties }]) => {
      const [key] = valuesAt(Properties, 'Code.S3Key');
      const asset = assets.find(({ keys }) => keys.some((one) => one === key));
      if (asset === undefined) return [`${name} ${id}: no asset ${String(key)}`];
      const [module = ''] = String(Properties.Handler).split('.');
      const isThere = ['js', 'cjs', 'mjs'].some((ending) => asset.files?.includes(`${module}.${ending}`));
      return isThere ? [] : [`${name} ${id}: no file for the handler ${String(Properties.Handler)}`];
    });
    return [...ofAssets, ...ofFunctions];
  });
}

/** Unresolved tokens of the CDK as text, list and number, and the texts of undefined and NaN. */
const leftover = /[$#]\{Token\[|-1\.888154589\d*e\+289|\[object Object\]|\bundefined\b|\bNaN\b/;

/** Texts in the templates that were never filled in. */
export function unresolvedTexts(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template }) =>
    [...textsIn(template)]
      .filter(({ text }) => leftover.test(text))
      .map(({ path, text }) => `${name} ${path}: ${text.slice(0, 100)}`),
  );
}

/** "Amazon EventBridge quotas". */
const patternCharacters = 2048;
/** "PutMetricAlarm", EvaluationPeriods: a day altogether, a week where periods are of an hour or more. In seconds. */
const [hour, day, week] = [3600, 86_400, 604_800];
/** "Amazon API Gateway quotas", of an account in most regions. */
const accountThrottle = { rate: 10_000, burst: 5000 };

/** Rules and archives that EventBridge would refuse. */
export function ruleProblems(stacks: readonly Stack[]): string[] {
  const withPattern = ['AWS::Events::Rule', 'AWS::Events::Archive'].flatMap((type) =>
    resourcesOf(stacks, type),
  );
  return withPattern.flatMap(({ label, properties }) =>
    valuesAt(properties, 'EventPattern')
      .map((pattern) => JSON.stringify(pattern).length)
      .filter((length) => length > patternCharacters)
      .map((length) => `${label}: a pattern of ${length} characters, at most ${patternCharacters}`),
  );
}

/** Alarms that CloudWatch would refuse. */
export function alarmProblems(stacks: readonly Stack[]): string[] {
  return resourcesOf(stacks, 'AWS::CloudWatch::Alarm').flatMap(({ label, properties }) => {
    const period = numberAt(properties, 'Period');
    const periods = numberAt(properties, 'EvaluationPeriods') ?? 1;
    if (period === undefined) return [];
    return [
      ...([10, 20, 30].includes(period) || period % 60 === 0 ? [] : [`${label}: a period of ${period} s`]),
      ...(period * periods > (period < hour ? day : week)
        ? [`${label}: looks back ${period * periods} s`]
        : []),
      ...((numberAt(properties, 'DatapointsToAlarm') ?? periods) > periods
        ? [`${label}: more data points than periods`]
        : []),
      ...(valuesAt(properties, 'AlarmActions.*').length > 5 ? [`${label}: more than 5 actions`] : []),
    ];
  });
}

/** Throttles of an API above those of an account, which then hold instead. */
export function throttleProblems(stacks: readonly Stack[]): string[] {
  return resourcesOf(stacks, 'AWS::ApiGatewayV2::Stage').flatMap(({ label, properties }) =>
    [...valuesAt(properties, 'DefaultRouteSettings'), ...valuesAt(properties, 'RouteSettings.*')].flatMap(
      (settings) => {
        const perSecond = numberAt(settings, 'ThrottlingRateLimit');
        const burst = numberAt(settings, 'ThrottlingBurstLimit');
        const fits = [
          [perSecond, accountThrottle.rate],
          [burst, accountThrottle.burst],
        ].every(([limit, most = 0]) => limit !== undefined && limit >= 1 && limit <= most);
        return fits ? [] : [`${label}: ${perSecond} requests a second in bursts of ${burst}`];
      },
    ),
  );
}
