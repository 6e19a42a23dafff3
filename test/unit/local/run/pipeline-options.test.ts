import { expect, it } from 'vitest';
import { pipelineOptions } from '../../../../local/run/pipeline-options.ts';

it('a stack of the usual name needs no option', () => {
  expect(pipelineOptions({ SmsPipeline: { HistoryTableName: 'h' } })).toEqual([]);
});

it('a stack of another name is found by the name', () => {
  expect(pipelineOptions({ Test: { HistoryTableName: 'h' } })).toEqual(['--stack', 'Test']);
});

it('a construct in a stack of the app is found by the stack', () => {
  const outputs = { Web: { BucketName: 'b' }, Shop: { SmsHistoryTableName1A2B3C4D: 'h' } };
  expect(pipelineOptions(outputs)).toEqual(['--stack', 'Shop']);
});

it('stacks without a pipeline need no option', () => {
  expect(pipelineOptions({ Web: { BucketName: 'b' }, Empty: {} })).toEqual([]);
});
