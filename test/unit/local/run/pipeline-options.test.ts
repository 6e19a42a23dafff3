import { expect, it } from 'vitest';
import { pipelineOptions } from '../../../../local/run/pipeline-options.ts';

it('stacks of the usual names need no option', () => {
  expect(pipelineOptions({}, { 'SmsPipeline-Storage': { HistoryTableName: 'h' } })).toEqual([]);
});

it('stacks of another prefix are found by the prefix', () => {
  const outputs = { 'Test-Storage': { HistoryTableName: 'h' } };
  expect(pipelineOptions({ 'sms:stackPrefix': 'Test' }, outputs)).toEqual(['--prefix', 'Test']);
});

it('a construct in a stack of the app is found by the stack', () => {
  const outputs = { Web: { BucketName: 'b' }, Shop: { SmsHistoryTableName1A2B3C4D: 'h' } };
  expect(pipelineOptions({}, outputs)).toEqual(['--stack', 'Shop']);
});
