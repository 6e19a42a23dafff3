import { expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from '../../../functions/runtime/environment.ts';

const shape = { QUEUE_URL: 'url', TABLE: 'text', DAYS: 'integer' } as const;

it('reads each variable as its kind', () => {
  expect(readEnvironment(shape, { QUEUE_URL: 'https://sqs.example/q', TABLE: 't', DAYS: '30' })).toEqual({
    QUEUE_URL: 'https://sqs.example/q',
    TABLE: 't',
    DAYS: 30,
  });
});

it('names every missing or bad variable at once, and no value', () => {
  expect(() => readEnvironment(shape, { QUEUE_URL: 'ftp://secret', DAYS: '-1' })).toThrow(
    new EnvironmentError(['QUEUE_URL is not a URL', 'TABLE is missing', 'DAYS is not a whole number']),
  );
  expect(() => readEnvironment(shape, { QUEUE_URL: '', TABLE: '', DAYS: '' })).toThrow(
    'Environment: QUEUE_URL is missing; TABLE is missing; DAYS is missing',
  );
});

it('reads the process’s environment unless told otherwise', () => {
  expect(readEnvironment({ PATH: 'text' }).PATH).toBe(process.env.PATH);
});
