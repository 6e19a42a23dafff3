import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { TemplateError } from '../../../../../local/cloudformation/template.ts';
import { compileFilterPattern } from '../../../../../local/services/cloudwatch-logs/api.ts';

const { all, any, booleanValue, numberValue, stringValue } = FilterPattern;
const is = (field: string, text: string) => stringValue(`$.${field}`, '=', text);
const matcherOf = ({ logPatternString }: { logPatternString: string }) =>
  compileFilterPattern(logPatternString);

describe("CDK's filter patterns", () => {
  it('of one field match its whole text, or a wildcard', () => {
    const isServerError = matcherOf(is('status', '5*'));
    expect(['500', '5', '503'].map((status) => isServerError({ status }))).toEqual([true, true, true]);
    expect(['200', '45', ''].map((status) => isServerError({ status }))).toEqual([false, false, false]);
    expect(isServerError({ code: '500' })).toBe(false);
  });

  it('match the characters of a route literally', () => {
    const isQuestion = matcherOf(is('route', 'ANY /v1/{proxy+}'));
    expect(isQuestion({ route: 'ANY /v1/{proxy+}' })).toBe(true);
    expect(isQuestion({ route: 'ANY /v1/{proxyy}' })).toBe(false);
  });

  it('of inequality match any other text, also with a wildcard', () => {
    const isNoQuestion = matcherOf(stringValue('$.route', '!=', 'ANY /v1/*'));
    expect(isNoQuestion({ route: 'ANY /hook' })).toBe(true);
    expect(isNoQuestion({ route: 'ANY /v1/{proxy+}' })).toBe(false);
  });

  it('of several fields match when all conditions hold, inequality included', () => {
    const counts = matcherOf(all(is('status', '429'), stringValue('$.route', '!=', 'ANY /other')));
    expect(counts({ status: '429', route: 'ANY /hook' })).toBe(true);
    expect(counts({ status: '429', route: 'ANY /other' })).toBe(false);
    expect(counts({ status: '200', route: 'ANY /hook' })).toBe(false);
    expect(counts({ status: '429' })).toBe(false);
  });

  it.each([
    any(is('a', '1'), is('b', '2')),
    numberValue('$.status', '>=', 500),
    booleanValue('$.ok', true),
    is('a.b', '1'),
    FilterPattern.anyTerm('ERROR'),
    FilterPattern.allEvents(),
  ])('that are not supported are rejected: $logPatternString', (pattern) => {
    expect(() => matcherOf(pattern)).toThrow(TemplateError);
  });
});
