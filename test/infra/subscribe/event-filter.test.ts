import { CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/aws-events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalErrorReasons, canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { detailTypes, exampleEvent } from '../../../events/index.ts';
import { type BusEvent, detailSchemas } from '../../../functions/publish/shapes.ts';
import {
  type DeliveryStatusOptions,
  DetailType,
  type EventOptions,
  type ProviderOptions,
  type ReplyOptions,
} from '../../../lib/public/index.ts';
import { eventPattern, excludedAbsences } from '../../../lib/subscribe/event-filter.ts';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';
import { documentedProperties } from '../../../tools/generate/source-comments.ts';
import { assertProperty } from '../../support/property.ts';
import { failed, help, onTheBus, optIn, optOut, reply } from './support.ts';

const stack = new Stack();

function patternOf(detailTypes: readonly string[], detail: object = {}) {
  return eventPattern('SmsPipeline', detailTypes, { ...detail }, (value) => stack.resolve(value));
}

/** Compiles the pattern as CloudFormation is given it. */
function matcherOf(detailTypes: readonly string[], detail: object = {}) {
  const { pattern, problems } = patternOf(detailTypes, detail);
  expect(problems).toEqual([]);
  const { detailType, ...others } = pattern;
  return compilePattern({ ...others, 'detail-type': detailType });
}

const isStatusWanted = (
  filter: DeliveryStatusOptions,
  changes: Partial<typeof failed.detail> | object = {},
) =>
  matcherOf(
    [detailTypes.statusChanged],
    filter,
  )(onTheBus({ ...failed, detail: { ...failed.detail, ...changes } }));
const isReplyWanted = (filter: ReplyOptions, changes: object = {}) =>
  matcherOf(
    [detailTypes.replyReceived],
    filter,
  )(onTheBus({ ...reply, detail: { ...reply.detail, ...changes } }));

describe('a filter of status changes', () => {
  it.each<[string, DeliveryStatusOptions, boolean]>([
    ['nothing', {}, true],
    ['one of two statuses', { status: ['failed', 'undelivered'] }, true],
    ['other statuses', { status: ['delivered', 'word:held'] }, false],
    ['a status but some', { status: Match.anythingBut('delivered', 'read') }, true],
    ['a status but this', { status: Match.anythingBut('failed') }, false],
    ['two fields', { previousStatus: ['sent'], status: ['failed'] }, true],
    ['a field that is absent', { previousStatus: Match.doesNotExist() }, false],
    ['a switch and outcomes', { final: true, outcome: ['failure', 'unknown'] }, true],
    ['a switch that is off', { final: false }, false],
    ['a prefix', { errorCode: Match.prefix('E-') }, true],
    ['a value or a suffix', { errorCode: Match.anyOf('E-1', Match.suffix('31')) }, false],
    ['a wildcard', { phone: Match.wildcard('+1*0110') }, true],
    ['a text of any case', { phone: Match.equalsIgnoreCase('+12025550111') }, false],
  ])('by %s: %j is %s', (_, filter, expected) => {
    expect(isStatusWanted(filter)).toBe(expected);
  });

  it('matches the original word of the service', () => {
    expect(isStatusWanted({ status: ['word:held'] }, { status: 'held' })).toBe(true);
    const others = Match.anythingBut('sent', 'word:held');
    expect(isStatusWanted({ status: others }, { status: 'held' })).toBe(false);
  });

  it('matches exactly the statuses of its list', () => {
    const statuses = fc.constantFrom(...canonicalStatuses);
    assertProperty(
      fc.property(fc.array(statuses, { minLength: 1 }), statuses, (status, actual) => {
        expect(isStatusWanted({ status }, { status: actual })).toBe(status.includes(actual));
      }),
    );
  });
});

describe('a filter of replies', () => {
  it.each<[string, ReplyOptions, boolean]>([
    ['nothing', {}, true],
    ['a text', { text: ['Yes, please'] }, true],
    ['a text of any case', { text: Match.equalsIgnoreCase('YES, PLEASE') }, true],
    ['a prefix', { text: Match.prefix('Yes') }, true],
    ['a suffix', { text: Match.suffix('Yes') }, false],
    ['a suffix or a wildcard', { text: Match.anyOf(Match.suffix('Yes'), Match.wildcard('*, pl*')) }, true],
    ['no keyword', { keyword: Match.doesNotExist(), mayMeanStop: false }, true],
    ['keywords', { keyword: ['stop', 'help'] }, false],
    ['both numbers', { from: Match.prefix('+1202'), to: ['+12025550199'] }, true],
    ['another number', { from: Match.prefix('+1202'), to: ['+12025550198'] }, false],
  ])('by %s is %#', (_, filter, expected) => {
    expect(isReplyWanted(filter)).toBe(expected);
  });

  it('matches exactly the text of the filter, for any text', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        for (const matcher of [[text], Match.prefix(text), Match.suffix(text)])
          expect(isReplyWanted({ text: matcher }, { text })).toBe(true);
      }),
    );
  });
});

describe('a filter of any events', () => {
  const events: readonly BusEvent[] = [failed, reply, optOut, optIn, help];

  it.each<[EventOptions, readonly BusEvent[]]>([
    [{ detailTypes: ['SMS Opt-Out'] }, [optOut]],
    [{ detailTypes: [DetailType.OPT_OUT, DetailType.OPT_IN] }, [optOut, optIn]],
    [{ detailTypes: [DetailType.OPT_OUT, DetailType.OPT_IN], detail: { by: ['operator'] } }, []],
    [{ detailTypes: ['SMS Help Requested'], detail: { phone: Match.suffix('0110') } }, [help]],
    [{ detailTypes: ['SMS Help Requested'], detail: { messageId: Match.exists() } }, []],
    [{ detailTypes: ['SMS Delivery Status Changed'], detail: { version: Match.greaterThan(1) } }, []],
  ])('%j', ({ detailTypes, detail }, expected) => {
    expect(events.filter((event) => matcherOf(detailTypes, detail)(onTheBus(event)))).toEqual(expected);
  });

  it.each(Object.values(detailTypes))('matches only the published example of "%s"', (detailType) => {
    const isMatch = matcherOf([detailType]);
    const found = Object.values(detailTypes).filter((type) => isMatch(exampleEvent(type)));
    expect(found).toEqual([detailType]);
  });

  it('chooses the events of one pipeline on its bus, or of those it is asked for', () => {
    const ofTest = onTheBus({ ...reply, detail: { ...reply.detail, pipeline: 'Test' } } as BusEvent);
    const asked = (pipeline: string | undefined, detail = {}) => {
      const { pattern, problems } = eventPattern(
        pipeline,
        [detailTypes.replyReceived],
        detail,
        (value) => value,
      );
      const { detailType, ...others } = pattern;
      const isMatch = compilePattern({ ...others, 'detail-type': detailType });
      return { problems, found: [onTheBus(reply), ofTest].map((event) => isMatch(event)) };
    };
    expect(asked('SmsPipeline').found).toEqual([true, false]);
    expect(asked(undefined).found).toEqual([true, true]);
    expect(asked(undefined, { pipeline: ['Test'] }).found).toEqual([false, true]);
    expect(asked('SmsPipeline', { pipeline: ['Test'] }).problems).toMatchObject([
      expect.stringContaining('pipeline: found a filter, expected none'),
    ]);
  });

  it('chooses the source of the reports, also main, whose events name none', () => {
    expect(isReplyWanted({ source: ['backup'] }, { source: 'backup' })).toBe(true);
    expect(isReplyWanted({ source: ['backup'] })).toBe(false);
    expect(isStatusWanted({ source: ['main'] })).toBe(true);
    expect(isStatusWanted({ source: ['main'] }, { source: 'backup' })).toBe(false);
    expect(isStatusWanted({ source: ['main', 'backup'] }, { source: 'backup' })).toBe(true);
    const notBackup = { source: Match.anythingBut('backup') };
    expect(isStatusWanted(notBackup)).toBe(true);
    expect(isStatusWanted(notBackup, { source: 'third' })).toBe(true);
    expect(isStatusWanted(notBackup, { source: 'backup' })).toBe(false);
    expect(isStatusWanted({ source: Match.anythingBut('main') })).toBe(false);
    expect(isStatusWanted({ source: Match.anythingBut('main') }, { source: 'backup' })).toBe(true);
  });

  it.each<[string, string[], readonly string[]]>([
    ['a prefix', Match.prefix('ma'), ['main']],
    ['a prefix of others', Match.prefix('ba'), ['backup']],
    ['no prefix', Match.anythingButPrefix('b'), ['main', 'third']],
    ['no prefix of main', Match.anythingButPrefix('ma'), ['backup', 'third']],
    ['two suffixes', Match.anyOf(Match.suffix('in'), Match.suffix('rd')), ['main', 'third']],
    ['any case', Match.equalsIgnoreCase('MAIN'), ['main']],
    ['a prefix of any case', Match.prefixEqualsIgnoreCase('MA'), ['main']],
    ['a wildcard', Match.wildcard('*i*'), ['main', 'third']],
    ['no wildcard', Match.anythingButWildcard('*u*'), ['main', 'third']],
    ['whether it is main', Match.doesNotExist(), ['main']],
    ['whether it is another', Match.exists(), ['backup', 'third']],
  ])('chooses sources by %s, also main', (_, source, expected) => {
    const isMatch = matcherOf([detailTypes.replyReceived], { source });
    const events = ['main', 'backup', 'third'].filter((name) =>
      isMatch(
        onTheBus({ ...reply, detail: { ...reply.detail, ...(name === 'main' ? {} : { source: name }) } }),
      ),
    );
    expect(events).toEqual(expected);
  });

  it('chooses the source of an event about a source, which names also main', () => {
    const isMatch = (filter: ProviderOptions, source: string) =>
      matcherOf(
        [detailTypes.providerDegraded],
        filter,
      )(exampleEvent(detailTypes.providerDegraded, { source }));
    expect(isMatch({ source: ['main'] }, 'main')).toBe(true);
    expect(isMatch({ source: ['main'] }, 'backup')).toBe(false);
    expect(isMatch({ source: Match.anythingBut('main') }, 'backup')).toBe(true);
    expect(isMatch({ source: Match.anythingBut('main') }, 'main')).toBe(false);
    expect(isMatch({}, 'main')).toBe(true);
  });

  it('chooses the source of events of which only some name main', () => {
    const types = [detailTypes.providerDegraded, detailTypes.replyReceived];
    const matched = (source: string[]) => {
      const isMatch = matcherOf(types, { source });
      const events = ['main', 'backup'].flatMap((name) => [
        exampleEvent(detailTypes.providerDegraded, { source: name }),
        exampleEvent(detailTypes.replyReceived, name === 'main' ? {} : { source: name }),
      ]);
      return events.filter(isMatch).map(({ detail }) => detail.source ?? 'main');
    };
    expect(matched(['main'])).toEqual(['main', 'main']);
    expect(matched(['backup'])).toEqual(['backup', 'backup']);
    expect(matched(Match.anythingBut('main'))).toEqual(['backup', 'backup']);
    expect(matched(Match.anythingButPrefix('b'))).toEqual(['main', 'main']);
  });

  it('matches no event of other systems', () => {
    const isMatch = matcherOf([detailTypes.optOut]);
    expect(isMatch(onTheBus(optOut))).toBe(true);
    expect(isMatch(onTheBus(optOut, 'team.other'))).toBe(false);
  });
});

describe('a filter that could never match is refused, which names the field', () => {
  const { statusChanged, optOut, optIn, conflict, replyReceived } = detailTypes;
  it.each<[string, readonly string[], object, string]>([
    ['an unknown type', ['SMS Optout'], {}, 'detailTypes: found "SMS Optout", expected one or more of SMS'],
    ['no type', [], {}, 'detailTypes: found none, expected'],
    ['an unknown field', [statusChanged], { statsu: ['failed'] }, 'statsu: no field of SMS Delivery Status'],
    ['a field of one type', [optOut, conflict], { by: ['person'] }, 'by: no field of SMS Delivery Conflict'],
    ['an unknown status', [statusChanged], { status: ['delivred'] }, 'status: found "delivred", expected'],
    [
      'an unknown status that is excluded',
      [statusChanged],
      { status: Match.anythingBut('delivred') },
      'status: found "delivred", expected',
    ],
    ['a word of no keyword', [replyReceived], { keyword: ['halt'] }, 'keyword: found "halt", expected stop'],
    ['a text for a switch', [statusChanged], { final: 'yes' }, 'final: found a text, expected true or false'],
    ['a number for a text', [optIn], { phone: [12] }, 'phone: found a number, expected a text'],
    ['null', [optIn], { phone: null }, 'phone: found null, expected a text'],
    ['the name of a member of all objects', [optIn], { constructor: ['a'] }, 'constructor: no field of'],
    [
      'a list that is known at deployment only',
      [optIn],
      { phone: Fn.split(',', new CfnParameter(stack, 'Phones').valueAsString) },
      'phone: found a list that is known at deployment only',
    ],
    [
      'a prefix of no value',
      [statusChanged],
      { outcome: Match.prefix('fial') },
      'outcome: the matcher "prefix" matches none of open, success',
    ],
    [
      'every keyword but all of them',
      [replyReceived],
      { keyword: Match.anythingBut('stop', 'start', 'help') },
      'keyword: the matcher "anything-but" matches none of stop, start, help; Match.doesNotExist() matches',
    ],
    [
      'a keyword of replies without one',
      [replyReceived],
      { keyword: ['stop'], mayMeanStop: true },
      'keyword, mayMeanStop: no event has these together',
    ],
    [
      'any keyword of replies without one',
      [replyReceived],
      { keyword: Match.exists(), mayMeanStop: [true] },
      'keyword, mayMeanStop: no event has these together',
    ],
    ['no value', [statusChanged], { status: [] }, 'status: found no value'],
    ['an operator of numbers', [statusChanged], { errorCode: Match.greaterThan(3) }, 'the matcher "numeric"'],
    ['whether a sure field exists', [statusChanged], { messageId: Match.exists() }, 'every event has this'],
    [
      'no matcher',
      [statusChanged],
      { errorCode: [{ anythingBut: 'E-1' }] },
      'found an object with anythingBut, expected a value, or a matcher',
    ],
    [
      'two matchers in one',
      [statusChanged],
      { errorCode: [{ prefix: 'E-', suffix: '1' }] },
      'found an object with prefix and suffix, expected a value, or a matcher',
    ],
  ])('%s', (_, types, detail, problem) => {
    expect(patternOf(types, detail).problems).toEqual([expect.stringContaining(problem)]);
  });
});

it('a field of one of two types is not suggested as its own correction', () => {
  expect(patternOf([detailTypes.optOut, detailTypes.replyReceived], { by: ['person'] }).problems).toEqual([
    expect.not.stringContaining('did you mean by'),
  ]);
  expect(patternOf([detailTypes.optOut, detailTypes.optIn], { phon: ['+12025550110'] }).problems).toEqual([
    expect.stringContaining('did you mean phone?'),
  ]);
});

it.each<[string, string, object]>([
  [
    'a keyword or none',
    'replyReceived',
    { keyword: Match.anyOf('stop', Match.doesNotExist()), mayMeanStop: true },
  ],
  ['a keyword and no wish to stop', 'replyReceived', { keyword: ['stop'], mayMeanStop: false }],
  ['one of two keywords', 'replyReceived', { keyword: Match.anythingBut('stop', 'help') }],
])('%s is no contradiction', (_, type, detail) => {
  expect(patternOf([detailTypes[type as keyof typeof detailTypes]], detail).problems).toEqual([]);
});

it.each<[string, object, readonly string[]]>([
  [
    'a keyword but one',
    { keyword: Match.anythingBut('stop') },
    ['keyword (absent: a reply that is no keyword)'],
  ],
  [
    'a keyword but one, or none',
    { keyword: Match.anyOf(Match.anythingBut('stop'), Match.doesNotExist()) },
    [],
  ],
  ['a number but one', { keyword: ['help'], from: Match.anythingBut('+12025550110') }, []],
  ['a channel but one', { channel: Match.anythingBut('whatsapp') }, ['channel (absent: SMS)']],
])('a filter by %s names the fields without which it selects no event', (_, detail, expected) => {
  const { pattern } = patternOf([detailTypes.replyReceived], detail);
  expect(excludedAbsences(pattern)).toEqual(expected);
});

it.each(['origin', 'errorReason', 'previousStatus', 'word'])(
  'excluded values of %s exclude the events without it',
  (name) => {
    const value = {
      origin: 'lookup',
      errorReason: canonicalErrorReasons[0],
      previousStatus: 'sent',
      word: 'x',
    }[name];
    const { pattern, problems } = patternOf([detailTypes.statusChanged], {
      [name]: Match.anythingBut(value ?? ''),
    });
    expect(problems).toEqual([]);
    expect(excludedAbsences(pattern)).toEqual([expect.stringContaining(`${name} (absent: `)]);
  },
);

it('a refused filter does not show a number or a text of a person', () => {
  const detail = { from: [12025550143], to: [{ prefx: '+12025550143' }], text: [['Call +12025550143']] };
  const { problems } = patternOf([detailTypes.replyReceived], detail);
  expect(problems).toHaveLength(3);
  expect(problems.join()).not.toContain('2025550143');
});

it('a field without a value, and a value that is known at deployment only, are accepted', () => {
  const phone = new CfnParameter(stack, 'Phone').valueAsString;
  expect(patternOf([detailTypes.statusChanged], { phone: [phone], status: undefined })).toMatchObject({
    pattern: { detail: { phone: [{ Ref: 'Phone' }] } },
    problems: [],
  });
});

it.each<[string, keyof typeof detailTypes]>([
  ['DeliveryStatusOptions', 'statusChanged'],
  ['ReplyOptions', 'replyReceived'],
  ['ProviderOptions', 'providerDegraded'],
])('every field of %s is one of its events, or an option of every subscription', (name, type) => {
  const structs = documentedProperties('lib/props/subscribe-options.ts');
  const fieldsOf = (struct: string) => (structs.get(struct) ?? []).map((one) => one.name);
  const options = fieldsOf('SubscribeOptions');
  const fields = fieldsOf(name).filter((field) => !options.includes(field));
  expect(fields.length).toBeGreaterThan(0);
  const { shape } = detailSchemas[detailTypes[type]];
  expect(fields.filter((field) => !(field in shape))).toEqual([]);
});

it('DetailType has every type of event', () => {
  expect(Object.values(DetailType).sort()).toEqual(Object.values(detailTypes).sort());
});
