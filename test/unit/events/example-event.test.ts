import { describe, expect, it } from 'vitest';
import { type DetailType, detailTypes, exampleEvent } from '../../../events/index.ts';
import { publishedSchema } from '../../../functions/publish/shapes.ts';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';

describe.each(Object.values(detailTypes))('the example of %s', (detailType) => {
  it('is what its schema allows, with fictitious numbers', () => {
    const { detail } = exampleEvent(detailType);
    expect(publishedSchema(detailType).parse(detail)).toEqual(detail);
    for (const number of JSON.stringify(detail).match(/\+\d{8,}/g) ?? [])
      expect(number).toMatch(/^\+1202555\d{4}$/);
  });

  it('is an event that a rule for it matches', () => {
    const isMatch = compilePattern({ source: ['sms.pipeline'], 'detail-type': [detailType] });
    expect(isMatch(exampleEvent(detailType))).toBe(true);
  });
});

describe('an example', () => {
  it('has every field of the envelope, as EventBridge delivers it', () => {
    expect(exampleEvent('SMS Opt-Out')).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      'detail-type': 'SMS Opt-Out',
      source: 'sms.pipeline',
      account: expect.stringMatching(/^\d{12}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: [],
      detail: expect.objectContaining({ by: 'person' }),
    });
  });

  it('has the given fields, and no field that is given as undefined', () => {
    const { detail } = exampleEvent('SMS Reply Received', { text: 'Yes', messageId: undefined });
    expect(detail.text).toBe('Yes');
    expect(detail).not.toHaveProperty('messageId');
    expect(detail.from).toBe('+12025550143');
  });

  it('belongs to its test: a handler that changes it changes no other', () => {
    const { detail } = exampleEvent('SMS Provider Degraded');
    detail.figures.length = 0;
    expect(exampleEvent('SMS Provider Degraded').detail.figures).not.toEqual([]);
  });

  it('of an unknown detail type is refused with the names of all', () => {
    expect(() => exampleEvent('SMS Reply' as DetailType)).toThrow(
      /^There is no detail type "SMS Reply"\. .*SMS Reply Received/,
    );
  });
});
