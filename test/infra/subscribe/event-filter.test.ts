import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import { detailTypes, exampleEvent } from '../../../events/index.ts';
import type { BusEvent } from '../../../functions/publish/shapes.ts';
import {
  type DeliveryStatusFilter,
  type EventFilter,
  eventPattern,
  type ProviderFilter,
  type ReplyFilter,
  replyPattern,
} from '../../../lib/subscribe/event-filter.ts';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';
import { assertProperty } from '../../support/property.ts';
import { failed, help, onTheBus, optIn, optOut, reply } from './support.ts';

/** The pattern as CloudFormation is given it. */
function matcherOf({ detailType, ...pattern }: ReturnType<typeof eventPattern>) {
  return compilePattern({ ...pattern, 'detail-type': detailType });
}

const isStatusWanted = (filter: DeliveryStatusFilter, changes: Partial<typeof failed.detail> | object = {}) =>
  matcherOf(eventPattern({ detailType: detailTypes.statusChanged, detail: filter }))(
    onTheBus({ ...failed, detail: { ...failed.detail, ...changes } }),
  );
const isReplyWanted = (filter: ReplyFilter, changes: object = {}) =>
  matcherOf(replyPattern(filter))(onTheBus({ ...reply, detail: { ...reply.detail, ...changes } }));

describe('a filter of status changes', () => {
  it.each<[DeliveryStatusFilter, boolean]>([
    [{}, true],
    [{ status: ['failed', 'undelivered'] }, true],
    [{ status: ['delivered', { word: 'held' }] }, false],
    [{ status: { anythingBut: ['delivered', 'read'] } }, true],
    [{ status: { anythingBut: 'failed' } }, false],
    [{ previousStatus: 'sent', status: 'failed' }, true],
    [{ previousStatus: { exists: false } }, false],
    [{ final: true, outcome: ['failure', 'unknown'] }, true],
    [{ final: false }, false],
    [{ errorCode: { prefix: 'E-' } }, true],
    [{ errorCode: ['E-1', { suffix: '31' }] }, false],
    [{ errorCode: { anythingBut: ['E-30', 'E-31'] } }, false],
    [{ phone: { wildcard: '+1*0110' } }, true],
    [{ phone: { equalsIgnoreCase: '+12025550111' } }, false],
    [{ version: { numeric: ['>=', 1, '<', 2] } }, true],
    [{ version: { numeric: ['>', 1] } }, false],
  ])('%j: %s', (filter, expected) => {
    expect(isStatusWanted(filter)).toBe(expected);
  });

  it('matches the original word of the service', () => {
    expect(isStatusWanted({ status: { word: 'held' } }, { status: 'held' })).toBe(true);
    expect(isStatusWanted({ status: { anythingBut: ['sent', { word: 'held' }] } }, { status: 'held' })).toBe(
      false,
    );
  });

  it('matches exactly the statuses of its list', () => {
    const statuses = fc.constantFrom(...canonicalStatuses);
    assertProperty(
      fc.property(statuses, fc.array(statuses), statuses, (first, others, status) => {
        const wanted: DeliveryStatusFilter = { status: [first, ...others] };
        expect(isStatusWanted(wanted, { status })).toBe([first, ...others].includes(status));
      }),
    );
  });
});

describe('a filter of replies', () => {
  it.each<[ReplyFilter, boolean]>([
    [{}, true],
    [{ textMatches: { equals: 'Yes, please' } }, true],
    [{ textMatches: { equalsIgnoreCase: 'YES, PLEASE' } }, true],
    [{ textMatches: { prefix: 'Yes' } }, true],
    [{ textMatches: { suffix: 'Yes' } }, false],
    [{ textMatches: [{ suffix: 'Yes' }, { wildcard: '*, pl*' }] }, true],
    [{ keyword: { exists: false }, mayMeanStop: false }, true],
    [{ keyword: ['stop', 'help'] }, false],
    [{ from: { prefix: '+1202' }, to: '+12025550199' }, true],
    [{ from: { prefix: '+1202' }, to: '+12025550198' }, false],
  ])('%j: %s', (filter, expected) => {
    expect(isReplyWanted(filter)).toBe(expected);
  });

  it('matches exactly the text of the filter, for any text', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        for (const textMatches of [{ equals: text }, { prefix: text }, { suffix: text }])
          expect(isReplyWanted({ textMatches }, { text })).toBe(true);
      }),
    );
  });
});

describe('a filter of any events', () => {
  const events: readonly BusEvent[] = [failed, reply, optOut, optIn, help];

  it.each<[EventFilter, readonly BusEvent[]]>([
    [{ detailType: 'SMS Opt-Out' }, [optOut]],
    [{ detailType: ['SMS Opt-Out', 'SMS Opt-In'] }, [optOut, optIn]],
    [{ detailType: 'SMS Help Requested', detail: { phone: { suffix: '0110' } } }, [help]],
    [{ detailType: 'SMS Help Requested', detail: { messageId: { exists: true } } }, []],
  ])('%j', (filter, expected) => {
    expect(events.filter((event) => matcherOf(eventPattern(filter))(onTheBus(event)))).toEqual(expected);
  });

  it.each(Object.values(detailTypes))('matches only the published example of "%s"', (detailType) => {
    const isMatch = matcherOf(eventPattern({ detailType }));
    const found = Object.values(detailTypes).filter((type) => isMatch(exampleEvent(type)));
    expect(found).toEqual([detailType]);
  });

  it('chooses the source of the reports, also main, whose events name none', () => {
    expect(isReplyWanted({ source: 'backup' }, { source: 'backup' })).toBe(true);
    expect(isReplyWanted({ source: 'backup' })).toBe(false);
    expect(isStatusWanted({ source: 'main' })).toBe(true);
    expect(isStatusWanted({ source: 'main' }, { source: 'backup' })).toBe(false);
    expect(isStatusWanted({ source: ['main', 'backup'] }, { source: 'backup' })).toBe(true);
    const notBackup = { source: { anythingBut: 'backup' } } as const;
    expect(isStatusWanted(notBackup)).toBe(true);
    expect(isStatusWanted(notBackup, { source: 'third' })).toBe(true);
    expect(isStatusWanted(notBackup, { source: 'backup' })).toBe(false);
    expect(isStatusWanted({ source: { anythingBut: 'main' } })).toBe(false);
    expect(isStatusWanted({ source: { anythingBut: 'main' } }, { source: 'backup' })).toBe(true);
  });

  it('chooses the source of an event about a source, which names also main', () => {
    const isMatch = (filter: ProviderFilter, source: string) =>
      matcherOf(eventPattern({ detailType: detailTypes.providerDegraded, detail: filter }))(
        exampleEvent(detailTypes.providerDegraded, { source }),
      );
    expect(isMatch({ source: 'main' }, 'main')).toBe(true);
    expect(isMatch({ source: 'main' }, 'backup')).toBe(false);
    expect(isMatch({ source: { anythingBut: 'main' } }, 'backup')).toBe(true);
    expect(isMatch({ source: { anythingBut: 'main' } }, 'main')).toBe(false);
    expect(isMatch({}, 'main')).toBe(true);
  });

  it('matches no event of other systems', () => {
    const isMatch = matcherOf(eventPattern({ detailType: detailTypes.optOut }));
    expect(isMatch(onTheBus(optOut))).toBe(true);
    expect(isMatch(onTheBus(optOut, 'team.other'))).toBe(false);
  });
});
