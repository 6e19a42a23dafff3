import { expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from '../../../../functions/runtime/handler-settings.ts';

const shape = { QUEUE_URL: 'url', TABLE: 'text', DAYS: 'integer', MODE: ['calm', 'bold'] } as const;

it('readEnvironment reads each variable as its kind', () => {
  const source = { QUEUE_URL: 'https://sqs.example/q', TABLE: 't', DAYS: '30', MODE: 'bold' };
  const environment = readEnvironment(shape, source);
  expect(environment).toEqual({ ...source, DAYS: 30 });
  const mode: 'calm' | 'bold' = environment.MODE;
  expect(mode).toBe('bold');
});

it('readEnvironment names every missing or bad variable at once, and quotes no value', () => {
  expect(() => readEnvironment(shape, { QUEUE_URL: 'ftp://secret', DAYS: '-1', MODE: 'secret' })).toThrow(
    new EnvironmentError([
      'QUEUE_URL is not a URL',
      'TABLE is missing',
      'DAYS is not a whole number',
      'MODE is none of calm, bold',
    ]),
  );
  expect(() => readEnvironment(shape, { QUEUE_URL: '', TABLE: '', DAYS: '', MODE: '' })).toThrow(
    'Environment: QUEUE_URL is missing; TABLE is missing; DAYS is missing; MODE is missing',
  );
});

it('readEnvironment accepts an empty optional variable', () => {
  expect(readEnvironment({ UNTIL: 'optional' }, { UNTIL: '' })).toEqual({ UNTIL: '' });
  expect(readEnvironment({ UNTIL: 'optional' }, { UNTIL: 'noon' })).toEqual({ UNTIL: 'noon' });
  expect(() => readEnvironment({ UNTIL: 'optional' }, {})).toThrow('UNTIL is missing');
});

it('readEnvironment reads the environment of the process by default', () => {
  expect(readEnvironment({ PATH: 'text' }).PATH).toBe(process.env.PATH);
});
