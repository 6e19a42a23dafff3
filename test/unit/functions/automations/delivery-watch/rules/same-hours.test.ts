import { expect, it } from 'vitest';
import {
  horizonsMs,
  newestDue,
  quartersOf,
  rangeToJudge,
  sameHoursOfDays,
  sameHoursOfWeeks,
} from '../../../../../../functions/automations/delivery-watch/rules/same-hours.ts';

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);
const text = (start: number) => new Date(start).toISOString().slice(8, 16);

it('a quarter hour is due when its youngest messages are as old as the first horizon, and a minute more', () => {
  expect(text(newestDue(at('23T10:17')))).toBe('23T09:45');
  expect(text(newestDue(at('23T10:18')))).toBe('23T10:00');
  expect(text(newestDue(at('23T10:32')))).toBe('23T10:00');
  expect(text(newestDue(at('23T10:33')))).toBe('23T10:15');
});

it('a slow subject is judged on a quarter hour that is as much older as its horizon is longer', () => {
  const judged = quartersOf([rangeToJudge(at('23T10:00'))]).toReversed();
  expect(judged.map(text)).toEqual(['23T10:00', '23T09:45', '23T09:30', '23T09:15', '23T09:00']);
  expect(horizonsMs.map((ms) => ms / 60_000)).toEqual([2, 17, 32, 47, 62]);
});

it('the same hours are those from one hour before to one hour after, of four weeks or six days', () => {
  const weeks = sameHoursOfWeeks(at('29T10:00'));
  expect(weeks.map(({ from }) => text(from))).toEqual(['22T09:00', '15T09:00', '08T09:00', '01T09:00']);
  expect(weeks.map(({ to }) => text(to))).toEqual(['22T11:00', '15T11:00', '08T11:00', '01T11:00']);
  expect(quartersOf(weeks)).toHaveLength(36);
  expect(sameHoursOfDays(at('29T10:00')).map(({ from }) => text(from).slice(0, 2))).toEqual([
    '28',
    '27',
    '26',
    '25',
    '24',
    '23',
  ]);
});
