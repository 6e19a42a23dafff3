import { expect, it } from 'vitest';
import * as z from 'zod';
import { fixedParts } from '../../../tools/cost/estimate.ts';
import { defaultSettings, readCostSettings } from '../../../tools/cost/settings.ts';
import { type Context, templateFor } from '../support/built-app.ts';

const resource = z.object({ Properties: z.record(z.string(), z.unknown()).default({}) });
const alarm = z.object({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});

/** Counts what the templates have of what AWS bills by the month. */
function partsIn(context: Context) {
  const template = templateFor(context);
  const ofType = (type: string) =>
    Object.values(template.findResources(type)).map((each) => resource.parse(each).Properties);
  const metricsOf = (properties: unknown) => {
    const { Metrics } = alarm.parse(properties);
    return Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
  };
  return {
    alarmMetrics: ofType('AWS::CloudWatch::Alarm').reduce((sum, each) => sum + metricsOf(each), 0),
    compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    polledQueues: ofType('AWS::Lambda::EventSourceMapping').filter((each) => !each.StartingPosition).length,
    keys: ofType('AWS::KMS::Key').length,
  };
}

it.each([
  {},
  { insights: 'off' },
  { accessLog: 'off' },
  { registration: 'off' },
  { deliveryWatch: 'on' },
  { forwardUrl: 'on' },
  { dashboard: 'off' },
  { encryptionKey: 'customer' },
])(
  'an estimate with %j has the alarms, secrets, queues and keys of the templates',
  (changes: Record<string, string>) => {
    const context = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        `sms:${name}`,
        name === 'forwardUrl' ? 'https://example.com/hooks/sms' : value,
      ]),
    );
    const { secrets, ...estimated } = fixedParts({ ...defaultSettings, ...readCostSettings(changes) });
    // An operator creates the secret with the API key, with which the pipeline registers its webhook.
    const apiKeys = changes.registration === 'off' ? 0 : 1;
    expect({ ...estimated, secrets: secrets - apiKeys }).toEqual(partsIn(context));
  },
);
