import { describe, expect, it } from 'vitest';
import type { Stack } from '../../../../local/cloudformation/cloud-assembly.ts';
import { parseTemplate } from '../../../../local/cloudformation/template.ts';
import {
  pipelinesIn,
  refuseDomains,
  requirePipeline,
  withLocalPort,
} from '../../../../local/run/pipelines.ts';

describe('the pipelines of a run', () => {
  it.each([
    ['a stack of the usual name needs no option', { SmsPipeline: { HistoryTableName: 'h' } }, [[]]],
    ['a stack is found by its name', { Test: { HistoryTableName: 'h' } }, [['--stack', 'Test']]],
    [
      'a construct is found by its stack',
      { Web: { BucketName: 'b' }, Shop: { SmsHistoryTableName1A2B3C4D: 'h' } },
      [['--stack', 'Shop']],
    ],
    [
      'two constructs in a stack are found by their ids',
      { Shop: { SmsHistoryTableName1A2B3C4D: 'h', SmsTwoHistoryTableName2A2B3C4D: 'h' } },
      [
        ['--stack', 'Shop:Sms'],
        ['--stack', 'Shop:SmsTwo'],
      ],
    ],
    ['stacks without a pipeline have none', { Web: { BucketName: 'b' }, Empty: {} }, []],
  ])('%s', (_, outputs, options) => {
    expect(pipelinesIn(outputs as Parameters<typeof pipelinesIn>[0]).map((one) => one.options)).toEqual(
      options,
    );
  });

  it('each have the first port of the run, whichever port their webhooks have', () => {
    const outputs = {
      Shop: { SmsHistoryTableName1A2B3C4D: 'h', SmsTwoHistoryTableName2A2B3C4D: 'i' },
      SmsPipeline: { HistoryTableName: 'j' },
      Web: { BucketName: 'b' },
    };
    expect(withLocalPort(outputs, 4000)).toEqual({
      Shop: { ...outputs.Shop, SmsLocalPort1A2B3C4D: '4000', SmsTwoLocalPort2A2B3C4D: '4000' },
      SmsPipeline: { HistoryTableName: 'j', LocalPort: '4000' },
      Web: { BucketName: 'b' },
    });
  });
});

const stackWith = (template: object): Stack => ({
  name: 'Shop',
  template: parseTemplate(template),
  assets: new Map(),
});

it('a webhook at a domain is refused, and one at the address of the API is not', () => {
  const stackAt = (Value: unknown) =>
    stackWith({
      Outputs: { SmsHistoryTableName5E6F7A8B: { Value: 'h' }, SmsWebhookUrl1A2B3C4D: { Value } },
    });
  expect(() => refuseDomains([stackAt('https://sms.example.com/webhooks/sms')])).toThrow(
    'stack Shop, output SmsWebhookUrl1A2B3C4D: the webhook is at sms.example.com, and one machine has no domain names. Leave webhook.domain out',
  );
  const own = {
    SmsHistoryTableName5E6F7A8B: { Value: 'h' },
    SlackWebhookUrl: { Value: 'https://hooks.example.com/T/B' },
  };
  expect(() => refuseDomains([stackWith({ Outputs: own })])).not.toThrow();
  expect(() => refuseDomains([stackAt({ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] })])).not.toThrow();
});

describe('an app without a pipeline in a stack that runs is refused', () => {
  const nested = stackWith({ Resources: { Inner: { Type: 'AWS::CloudFormation::Stack' } } });
  const beginning =
    'No stack of the app has a pipeline, so nothing was started: one machine runs the stacks that are directly in the app.';

  it.each([
    ['it is in a stage', [], ['assembly-Prod'], ' A pipeline in the stage assembly-Prod does not run.'],
    ['it is in a nested stack', [nested], [], ' A pipeline in the nested stack Shop/Inner does not run.'],
    ['the app has none', [stackWith({})], [], ' Write an app for this machine'],
  ])('if %s', (_, stacks, stages, reason) => {
    expect(() => requirePipeline(stacks, stages)).toThrow(beginning + reason);
  });

  it('and one with a pipeline is not, although it has a stage too, and no outputs', () => {
    const Environment = { Variables: { HISTORY_TABLE_NAME: { Ref: 'History' } } };
    const worker = { Type: 'AWS::Lambda::Function', Properties: { Environment } };
    const stack = stackWith({ Resources: { Worker: worker } });
    expect(() => requirePipeline([nested, stack], ['assembly-Prod'])).not.toThrow();
  });
});
