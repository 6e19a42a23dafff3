import * as z from 'zod';
import { defaultStack } from '../../contract/document/project-store.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { optionTable } from '../options/option-table.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from '../options/queue-timing.ts';
import { optionalTextSetting, type Setting, switchSetting, textSetting } from '../options/setting-kinds.ts';
import { textRules } from '../options/text-rules.ts';
import { sourcesSetting } from './source-settings.ts';

/** Settings that name the stack, or give a role what `grantQuery` gives it in an app of your own. */
export const settingsOfStack = [
  textSetting('stackName', textRules.stackName, defaultStack),
  optionalTextSetting('queryRoleArn', textRules.changeableRoleArn),
  sourcesSetting,
];

/** Settings that add an automation. The URL of forwarding adds it without a switch. */
const settingsOfAutomations = [
  switchSetting('optOutContacts', 'off'),
  switchSetting('contactSync', 'off'),
  switchSetting('failureAlert', 'off'),
  switchSetting('billingWatch', 'off'),
  switchSetting('deliveryWatch', 'off'),
];

/** Every setting. The other ones are those of the table of options. */
export const settings: readonly Setting[] = [
  ...settingsOfStack,
  ...Object.values(optionTable)
    .flatMap((rows) => Object.values<{ readonly setting: Setting | undefined }>(rows))
    .flatMap(({ setting }) => setting ?? []),
  ...settingsOfAutomations,
];

/** The settings that code reads by name, with their defaults filled in. The other ones become props by the table of options. */
export interface Settings {
  readonly stackName: string;
  readonly queryRoleArn: string | undefined;
  readonly sources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly contractFile: string;
  readonly keywordsFile: string;
  readonly apiKeySecretName: string;
  readonly encryptionKey: 'aws' | 'customer';
  readonly registration: 'off' | 'on';
  readonly lookups: 'off' | 'on';
  readonly certificateArn: string | undefined;
  readonly mutualTlsTruststore: string | undefined;
  readonly secretOverlapHours: number;
  readonly rotateAfterDays: number;
  readonly workerBatchSize: number;
  readonly workerBatchWindowSeconds: number;
  readonly workerTimeoutSeconds: number;
  readonly maxReceiveCount: number;
  readonly everyEvent: 'off' | 'on';
  readonly exportToS3: 'off' | 'daily';
  readonly console: 'off' | 'on';
  readonly consoleCertificateArn: string | undefined;
  readonly alarmTopicArn: string | undefined;
  readonly pageTopicArn: string | undefined;
  readonly optOutContacts: 'off' | 'on';
  readonly contactSync: 'off' | 'on';
  readonly failureAlert: 'off' | 'on';
  readonly billingWatch: 'off' | 'on';
  readonly deliveryWatch: 'off' | 'on';
  readonly forwardDetailTypes: readonly string[];
}

const shape = Object.fromEntries(settings.map(({ name, schema }) => [name, schema])) as {
  readonly [Name in keyof Settings]: z.ZodType<Settings[Name]>;
};

/** The input of the checks below. They run even if other settings are wrong, so that all problems are reported at once. */
const timing = z.object({
  workerBatchSize: z.number(),
  workerBatchWindowSeconds: z.number(),
  workerTimeoutSeconds: z.number(),
  maxReceiveCount: z.number(),
});
const secretAges = z.object({ rotateAfterDays: z.number(), secretOverlapHours: z.number() });
const forwarding = z.object({ everyEvent: z.string(), forwardDetailTypes: z.array(z.string()) });

/** Validates all settings, and fills in their defaults. */
export const settingsSchema = z
  .strictObject(shape)
  .refine((settings) => settings.workerBatchSize <= 10 || settings.workerBatchWindowSeconds >= 1, {
    path: ['workerBatchWindowSeconds'],
    message: 'expected at least 1: Lambda gathers a workerBatchSize above 10 only within a window',
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(retriesEndWithinRetention, {
    path: ['maxReceiveCount'],
    message: `expected fewer: this many receives, each 6 x workerTimeoutSeconds + workerBatchWindowSeconds apart, take longer than the queue's retention of ${queueRetentionDays} days, so that messages would be lost`,
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(
    ({ rotateAfterDays, secretOverlapHours }) =>
      rotateAfterDays === 0 || rotateAfterDays * 24 > secretOverlapHours,
    {
      path: ['rotateAfterDays'],
      message:
        'expected 0, or longer than secretOverlapHours: no rotation begins while the previous secret is still accepted',
      when: ({ value }) => secretAges.safeParse(value).success,
    },
  )
  .refine(
    ({ everyEvent, forwardDetailTypes }) =>
      everyEvent === 'on' || !forwardDetailTypes.includes(detailTypes.deliveryEvent),
    {
      path: ['forwardDetailTypes'],
      message: `expected published types only: "${detailTypes.deliveryEvent}" needs everyEvent "on"`,
      when: ({ value }) => forwarding.safeParse(value).success,
    },
  );

function retriesEndWithinRetention(settings: z.output<typeof timing>): boolean {
  const visibility = visibilityTimeoutSeconds(
    settings.workerTimeoutSeconds,
    settings.workerBatchWindowSeconds,
  );
  return settings.maxReceiveCount * visibility < queueRetentionDays * 24 * 3600;
}
