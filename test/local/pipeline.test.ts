import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestBed, type TestBed } from '../../tools/drills/grants/test-bed.ts';
import { automationsRetry } from './pipeline/automations.ts';
import { doctorNamesFaults } from './pipeline/doctor.ts';
import { doorsAreClosed } from './pipeline/doors.ts';
import { handlersAnswer } from './pipeline/handlers.ts';
import { functionsLogLittle } from './pipeline/logs.ts';
import { storyIsARun } from './pipeline/one-message.ts';
import { operatorsRepair } from './pipeline/operators.ts';
import { functionsNeedTheirPermissions } from './pipeline/permissions.ts';
import { queriesAnswer } from './pipeline/queries.ts';
import { guideIsAnswered } from './pipeline/query-the-history.ts';
import { commandRotates } from './pipeline/rotate.ts';
import { statusPageShowsOwnMessages } from './pipeline/status-page.ts';
import { apiThrottles } from './pipeline/throttle.ts';
import { reportIsTraced } from './pipeline/trace.ts';
import { commandsAnswer } from './pipeline/transcripts/transcripts.ts';
import { webhookAccepts } from './pipeline/webhook.ts';

/**
 * One pipeline with every automation for all of them, one after the other: a start takes seconds of both cores. Each uses ids of its
 * own, expects no empty table or queue, reads logs from a position, and restores what it changes.
 */
let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
});
afterAll(async () => {
  expect(await bed.pipeline.stop()).toBe(0);
  await bed.receiver[Symbol.asyncDispose]();
});

const pipeline = () => bed.pipeline;

it('runs every resource of the stacks, with each of its properties', () => {
  expect(bed.pipeline.printed()).not.toMatch(/, resource /);
});

// It comes first, while the dead-letter queues are empty.
describe('sms doctor', () => doctorNamesFaults(() => bed));
// Lists show only the history of the transcripts.
describe('docs/guides/query-the-history.md', () => guideIsAnswered(pipeline));
describe('transcripts', () => commandsAnswer(() => bed));
describe('docs/concepts/how-it-works.md', () => storyIsARun(pipeline));
describe('logs', () => functionsLogLittle(pipeline));
describe('the webhook', () => webhookAccepts(pipeline));
describe('operators', () => operatorsRepair(pipeline));
describe('the trace', () => reportIsTraced(pipeline));
describe('handlers', () => handlersAnswer(pipeline));
describe('automations', () => automationsRetry(pipeline));
describe('queries', () => queriesAnswer(pipeline));
describe('the example of a status page', () => statusPageShowsOwnMessages(pipeline));
describe('the ports of a run', () => doorsAreClosed(pipeline));
describe('throttling', () => apiThrottles(pipeline));
describe('webhook rotate on the command line', () => commandRotates(pipeline));
describe('functions under their synthesized roles', () => functionsNeedTheirPermissions(() => bed));
