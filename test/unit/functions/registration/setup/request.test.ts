import { expect, it } from 'vitest';
import { parseSetupRequest } from '../../../../../functions/registration/setup/request.ts';

it.each([
  [{ action: 'status' }, { action: 'status' }],
  [{ action: 'register' }, { action: 'register' }],
  [{ action: 'deactivate' }, { action: 'deactivate' }],
  [{ action: 'reconcile' }, { action: 'reconcile' }],
  [{ action: 'rotate' }, { action: 'rotate', force: false, overlap: true }],
  [
    { action: 'rotate', force: true, overlap: false },
    { action: 'rotate', force: true, overlap: false },
  ],
])('parseSetupRequest reads %j', (event, request) => {
  expect(parseSetupRequest(event)).toEqual(request);
});

// A misspelt option must not rotate as if it had not been given.
it.each([
  undefined,
  null,
  'status',
  7,
  [],
  {},
  { action: ['status'] },
  { action: 'Status' },
  { action: 'toString' },
  { action: 'status', force: true },
  { action: 'rotate', forced: true },
  { action: 'capture' },
  { action: 'rotate', force: 'true' },
  { action: 'rotate', overlap: 0 },
  { RequestType: 'Create' },
])('parseSetupRequest finds no request in %j', (event) => {
  expect(parseSetupRequest(event)).toBeUndefined();
});
