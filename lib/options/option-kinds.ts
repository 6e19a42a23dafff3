import { Duration, Token } from 'aws-cdk-lib';
import {
  choiceSetting,
  listSetting,
  numberFromText,
  optionalTextSetting,
  type Setting,
  switchSetting,
  textSetting,
} from './setting-kinds.ts';
import { shown, token } from './shown.ts';
import { breaks, maxTags, notShown, type TextRule, textRules } from './text-rules.ts';

// The kinds of the rows in option-table.ts. A kind knows how to check a prop, and how its setting becomes the prop.

/** What kind of value a prop is: checked before everything else, because an app of JavaScript or Python may give any. */
export interface Shape {
  /** Describes the kind for messages, after "expected". */
  readonly expected: string;
  fits(value: unknown): boolean;
  /** Describes the values that do not fit in one that does not; the kind of the value alone by default. */
  found?(value: unknown): string;
}

/** Not of a subscription, whose ARN has an id at its end. */
export const formOfTopicArn = /^arn:[^:]+:sns:[^:]+:[^:]+:[^:]+$/;

/** Not of a rule on a bus. */
export const formOfBusArn = /^arn:[^:]+:events:[^:]+:[^:]+:event-bus\//;

const isOf = (type: string) => (value: unknown) => typeof value === type;

export const shapes = {
  switch: { expected: 'true or false', fits: isOf('boolean') },
  text: { expected: 'a text', fits: isOf('string') },
  number: { expected: 'a number', fits: isOf('number') },
  list: listOf('a list of texts', isOf('string')),
  any: { expected: 'a value', fits: () => true },
  contract: construct('a Contract, for example Contract.preset(Preset.TWILIO)', '_document'),
  keywords: construct('Keywords, for example Keywords.fromFile(path)', '_list'),
  automations: listOf('a list of Automation, for example [Automation.failureAlert()]', hasMember('_config')),
  secret: construct('a secret, for example Secret.fromSecretNameV2(this, id, name)', 'secretName', /^[^:]+$/),
  key: construct('a key of KMS', 'keyArn'),
  topic: construct(
    'a topic of SNS, for example Topic.fromTopicArn(this, id, arn)',
    'topicArn',
    formOfTopicArn,
  ),
  certificate: construct('a certificate of ACM', 'certificateArn'),
  // "PutEvents", EventBridge API reference. Only a partner publishes on a bus of its own ("Receiving events from a SaaS partner", user guide).
  eventBus: construct(
    'an event bus that is no bus of a partner and whose name has only letters, digits and . - _ /, for example EventBus.fromEventBusName(this, id, name)',
    'eventBusName',
    /^(?!aws\.partner\/)[\w./-]+$/,
  ),
  architecture: construct('Architecture.ARM_64 or Architecture.X86_64', 'dockerPlatform'),
  vpc: construct('a VPC, for example Vpc.fromLookup(this, id, { vpcName })', 'vpcId'),
  subnets: {
    expected: 'a selection of subnets, for example { subnetGroupName }',
    fits: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
  tags: {
    expected: "an object with texts, for example { team: 'shop' }",
    fits: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every(isOf('string')),
  },
  securityGroups: listOf('a list of security groups', hasMember('securityGroupId')),
  bucket: construct('a bucket', 'bucketName'),
} as const satisfies Readonly<Record<string, Shape>>;

/** The shape of a list. A message about a wrong item says which one it is. */
function listOf(expected: string, fitsItem: (item: unknown) => boolean): Shape {
  return {
    expected,
    fits: (value) => Array.isArray(value) && value.every(fitsItem),
    found(value) {
      if (!Array.isArray(value)) return shown(value);
      const index = value.findIndex((item) => !fitsItem(item));
      return `a list whose item ${index + 1} is ${shown(value[index])}`;
    },
  };
}

/**
 * The shape of a construct, or of another object of CDK.
 *
 * @param expected describes it for messages
 * @param member that all of them have
 * @param form of the member, unless its value is known at deployment only. CDK accepts any text as a name or ARN
 */
export function construct(expected: string, member: string, form?: RegExp): Shape {
  const isOne = hasMember(member);
  const memberOf = (value: unknown) => String(Object(value)[member]);
  return {
    expected,
    fits: (value) =>
      isOne(value) &&
      (form === undefined || Token.isUnresolved(memberOf(value)) || form.test(memberOf(value))),
    found: (value) =>
      isOne(value) ? `an object whose ${member} is ${shown(memberOf(value))}` : shown(value),
  };
}

/** The form of the ARNs of a service. */
export function arnOf(service: string): RegExp {
  return new RegExp(`^arn:[^:]+:${service}:`);
}

/** Describes what was found instead of a value of a shape. */
export function foundFor({ found = shown }: Shape, value: unknown): string {
  return found(value);
}

/** The shape of a text that holds no key. One that is known at deployment only fits. @param expected describes it for messages */
export function matchingText(expected: string, pattern: RegExp): Shape {
  return {
    expected,
    fits: (value) => typeof value === 'string' && (Token.isUnresolved(value) || pattern.test(value)),
    found: (value) => (typeof value === 'string' && value !== '' ? value : shown(value)),
  };
}

function hasMember(member: string): (value: unknown) => boolean {
  return (value) => typeof value === 'object' && value !== null && member in value;
}

/** Reports a wrong prop: what was found, and what was expected. */
type Report = (found: unknown, expected: string) => void;

/** A prop with a value: a number, a text, a duration. `Value` is the type of its option in options.ts. */
export interface Option<Value = unknown> {
  readonly kind: 'option';
  readonly shape: Shape;
  /** True if 0 stands for "none" or "never". */
  readonly isZeroForNone?: boolean;
  /** The smallest and the largest value, or the longest list, for the reference pages: `From 1 to 365.` */
  readonly limits?: string;
  /** Undefined if only a prop can set the option. */
  readonly setting: Setting | undefined;
  /** Returns the value of the option: that of the prop, or the default without a prop. Reports a wrong prop. */
  check(prop: Value | undefined, report: Report): Value;
  /** Returns the prop that a setting stands for. The schema of the setting has validated it. */
  toProp(setting: unknown): Value | undefined;
}

/** A construct of the caller, or another prop that code beside the table checks. */
export interface Other {
  readonly kind: 'other';
  readonly shape: Shape;
  /** True if its group must have it. */
  readonly isRequired?: boolean;
  readonly setting: Setting | undefined;
}

/** A group of props, which has a part of the table for itself. Its setting, if it has one, gives or omits the whole group. */
export interface Group {
  readonly kind: 'group';
  readonly setting: Setting | undefined;
}

/** Groups of props by names, with one part of the table for all of them. */
export interface NamedGroups {
  readonly kind: 'groups';
  /** What has the names, for messages: `an alarm`. */
  readonly of: string;
  readonly names: readonly string[];
  readonly setting: undefined;
}

export function other(shape: Shape, setting?: Setting): Other {
  return { kind: 'other', shape, setting };
}

/** A prop that its group must have. */
export function required(row: Other): Other {
  return { ...row, isRequired: true };
}

export function group(setting?: Setting): Group {
  return { kind: 'group', setting };
}

/** @param of what has the names, for messages */
export function groupByName(of: string, names: readonly string[]): NamedGroups {
  return { kind: 'groups', of, names, setting: undefined };
}

/** A prop that is on or off. */
export function onOff(row: { readonly setting?: string; readonly default: boolean }): Option<boolean> {
  return {
    kind: 'option',
    shape: shapes.switch,
    setting: row.setting === undefined ? undefined : switchSetting(row.setting, row.default ? 'on' : 'off'),
    check: (prop) => prop ?? row.default,
    toProp: (word: 'on' | 'off') => word === 'on',
  };
}

/** One of several values. `choices` has each value by its word in the setting. */
export function choice<Word extends string, Value extends string | boolean>(row: {
  readonly setting: string;
  readonly default: NoInfer<Word>;
  readonly choices: Readonly<Record<Word, Value>>;
  /** Describes the words for messages. The default is a list of them. */
  readonly expected?: string;
}): Option<Value> {
  const values = new Map(Object.entries<Value>(row.choices));
  const allowed = [...values.values()];
  return {
    kind: 'option',
    shape: allowed.every((value) => typeof value === 'boolean') ? shapes.switch : shapes.any,
    setting: choiceSetting(row.setting, [...values.keys()], row.default, row.expected),
    check(prop, report) {
      if (prop !== undefined && !allowed.includes(prop)) {
        const isShown = typeof prop === 'string' && !Token.isUnresolved(prop);
        report(isShown ? prop : shown(prop), `expected ${allowed.join(' or ')}`);
      }
      return prop ?? row.choices[row.default];
    },
    toProp: (word: string) => values.get(word),
  };
}

interface TextRow {
  readonly setting?: string;
  /** What it means to leave out the setting, for messages: ", or leave the key out to ..." */
  readonly without?: string;
  /** Hides a wrong setting in messages, also if its rule does not. */
  readonly isPrivateSetting?: boolean;
}

/** A text that may be left out. */
export function text(
  rule: TextRule,
  { setting, without, isPrivateSetting = rule.isPrivate === true }: TextRow = {},
): Option<string | undefined> {
  return {
    kind: 'option',
    shape: shapes.text,
    setting:
      setting === undefined
        ? undefined
        : optionalTextSetting(setting, { ...rule, isPrivate: isPrivateSetting }, without),
    check: (prop, report) => (prop === undefined ? undefined : checkedText(prop, rule, report)),
    toProp: (value: string | undefined) => value,
  };
}

/** A text that its group must have. */
export function requiredText(rule: TextRule, row: TextRow): Option<string> {
  return {
    ...text(rule, row),
    check(prop, report) {
      if (prop !== undefined) return checkedText(prop, rule, report);
      report(undefined, `expected ${rule.expected}`);
      return '';
    },
    toProp: (value: string | undefined) => value,
  };
}

/** A text with a default. */
export function textOr(preset: string, rule: TextRule, row: { readonly setting: string }): Option<string> {
  return {
    kind: 'option',
    shape: shapes.text,
    setting: textSetting(row.setting, rule, preset),
    check: (prop = preset, report) => checkedText(prop, rule, report),
    toProp: (value: string) => value,
  };
}

function checkedText(prop: string, rule: TextRule, report: Report): string {
  if (breaks(prop, rule)) report(rule.isPrivate ? notShown : prop, `expected ${rule.expected}`);
  return prop;
}

/** A list of at most `max` texts. Duplicates are dropped. */
export function list(
  rule: TextRule,
  row: {
    readonly setting: string;
    readonly max: number;
    readonly default?: readonly string[];
    /** Says what it means to leave out the prop, which an empty list might be mistaken for: "to ...". Without it, the list may be empty. */
    readonly without?: string;
  },
): Option<readonly string[]> {
  const { setting, max, default: preset = [], without } = row;
  return {
    kind: 'option',
    shape: shapes.list,
    limits: `At most ${max}.`,
    setting: listSetting(setting, rule, max, preset),
    check(prop = preset, report) {
      if (Token.isUnresolved(prop)) return prop;
      if (prop.length === 0 && prop !== preset && without !== undefined)
        report('an empty list', `expected ${rule.expected}, or no such prop ${without}`);
      if (prop.length > max) report(`${prop.length} values`, `expected at most ${max}`);
      const wrong = prop.filter((item) => breaks(item, rule));
      if (wrong.length > 0) report(wrong.join(', '), `expected ${rule.expected}`);
      return [...new Set(prop)];
    },
    toProp: (items: readonly string[]) => (items.length === 0 ? undefined : items),
  };
}

/** Tags of AWS by their keys. Their setting is a list of `key=value`. */
export function tags(row: { readonly setting: string }): Option<Readonly<Record<string, string>>> {
  const { expected } = textRules.tag;
  const pairs = listSetting(row.setting, textRules.tag, maxTags, []);
  const keyOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  const hasEachKeyOnce = (given: unknown) =>
    Array.isArray(given) && new Set(given.map((pair) => keyOf(String(pair)))).size === given.length;
  return {
    kind: 'option',
    shape: shapes.tags,
    limits: `At most ${maxTags}.`,
    setting: {
      ...pairs,
      schema: pairs.schema.refine(hasEachKeyOnce),
      expected: `${pairs.expected}, each key once`,
    },
    check(prop = {}, report) {
      const entries = Object.entries(prop);
      if (entries.length > maxTags) report(`${entries.length} tags`, `expected at most ${maxTags}`);
      const wrong = entries
        .map(([key, value]) => `${key}=${value}`)
        .filter((tag) => breaks(tag, textRules.tag));
      if (wrong.length > 0) report(wrong.join(', '), `expected ${expected}`);
      return prop;
    },
    toProp: (given: readonly string[]) =>
      given.length === 0
        ? undefined
        : Object.fromEntries(given.map((pair) => [keyOf(pair), pair.slice(keyOf(pair).length + 1)])),
  };
}

/** An option that no token of CDK may be: the construct computes with its value, or CDK accepts none there. */
export function knownAtSynth<Value>(row: Option<Value>): Option<Value> {
  return {
    ...row,
    check(prop, report) {
      const value = row.check(prop, report);
      if (value instanceof Duration ? value.isUnresolved() : Token.isUnresolved(value))
        report(token, 'expected a value that is known at synth');
      return value;
    },
  };
}

/** What a number may be, and what it is by default. */
interface Range {
  readonly setting?: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** True if 0 is allowed too, although it is below the minimum: none, or never. */
  readonly isZeroForNone?: boolean;
  /** Why the setting has its minimum, for messages. */
  readonly because?: string;
}

/** A whole number. @param unit for messages: `requests a second` */
export function count(unit: string, range: Range): Option<number> {
  return wholeNumber(
    unit,
    shapes.number,
    range,
    (value) => value,
    (value) => value,
  );
}

/** A whole number that may be left out. Its default depends on more than the table. */
export function optionalCount(unit: string, range: Pick<Range, 'min' | 'max'>): Option<number | undefined> {
  const { check, ...row } = count(unit, { ...range, default: range.min });
  return { ...row, check: (prop, report) => (prop === undefined ? undefined : check(prop, report)) };
}

/** A duration that is a whole number of the unit. `toDays()` and its like return the number, also that of a token. */
export const days = (range: Range) =>
  wholeNumber('days', duration('days', range), range, (prop: Duration) => prop.toDays(), Duration.days);
export const hours = (range: Range) =>
  wholeNumber('hours', duration('hours', range), range, (prop: Duration) => prop.toHours(), Duration.hours);
export const minutes = (range: Range) =>
  wholeNumber(
    'minutes',
    duration('minutes', range),
    range,
    (prop: Duration) => prop.toMinutes(),
    Duration.minutes,
  );
export const seconds = (range: Range) =>
  wholeNumber(
    'seconds',
    duration('seconds', range),
    range,
    (prop: Duration) => prop.toSeconds(),
    Duration.seconds,
  );

/** The shape of a duration, with a value that it may have as an example. */
function duration(unit: string, { default: preset, min, max }: Range): Shape {
  const example = preset === 0 ? Math.min(max, 30 * min) : preset;
  return { expected: `a Duration, for example Duration.${unit}(${example})`, fits: hasMember('toSeconds') };
}

function wholeNumber<Value>(
  unit: string,
  shape: Shape,
  { setting, default: preset, min, max, isZeroForNone = false, because }: Range,
  toNumber: (prop: Value) => number,
  ofNumber: (value: number) => Value,
): Option<Value> {
  const isAllowed = (value: number) =>
    (Number.isInteger(value) && value >= min && value <= max) || (isZeroForNone && value === 0);
  const range = `a whole number of ${unit} from ${min} to ${max}`;
  const expected = isZeroForNone ? `${range}, or 0 for none` : range;
  const reason = because === undefined ? '' : `: ${because}`;
  return {
    kind: 'option',
    shape,
    isZeroForNone,
    limits: `From ${min} to ${max}.`,
    setting:
      setting === undefined
        ? undefined
        : {
            name: setting,
            schema: numberFromText.refine(isAllowed).default(preset),
            expected: `${expected}${reason}`,
          },
    check(prop, report) {
      if (prop === undefined) return ofNumber(preset);
      try {
        const value = toNumber(prop);
        if (!Token.isUnresolved(value) && !isAllowed(value)) report(value, `expected ${expected}`);
        return ofNumber(value);
      } catch {
        // CDK does not convert a duration into a unit of which it is not a whole number.
        const isUnknown = prop instanceof Duration && prop.isUnresolved();
        report(
          isUnknown ? token : prop,
          isUnknown
            ? `expected Duration.${unit}(...) of it, which CDK need not convert`
            : `expected a whole number of ${unit}`,
        );
        return ofNumber(preset);
      }
    },
    toProp: ofNumber,
  };
}
