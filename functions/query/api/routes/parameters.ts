import * as z from 'zod';
import { e164 } from '../../../../contract/phone/phone-key.ts';
import {
  type CanonicalStatus,
  canonicalErrorReasons,
  canonicalStatuses,
  type Outcome,
  outcomeOf,
  rankOf,
} from '../../../../contract/schema/sms-event.ts';
import { parseTime } from '../../../../contract/text/time.ts';
import { maxPageSize } from '../../../history/shapes.ts';
import { parseQuarantineId } from '../../../receive/shapes.ts';
import { type InsightGroup, insightGroups } from '../views/figures-schemas.ts';
import { quarantineReasonSchema } from '../views/view-schemas.ts';

// The parameters of the queries. No message repeats a value, which may be a phone number.

const expectedLimit = `expected a whole number from 1 to ${maxPageSize}`;

const limit = z
  .string()
  .transform((text) => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN))
  .pipe(z.int(expectedLimit).min(1, expectedLimit).max(maxPageSize, expectedLimit))
  .default(50)
  .meta({
    description: 'The maximum number of entries.',
    override: { type: 'integer', minimum: 1, maximum: maxPageSize, default: 50 },
  });

const cursor = z
  .string()
  .min(1, 'expected the `next` of the previous page')
  .exactOptional()
  .meta({ description: 'The `next` of the previous page, with the same query.' });

/** ISO 8601 with a zone, from 1970 to 2999; becomes UTC with milliseconds. */
const time = z.string().transform((text, context) => {
  const utc = /[Tt ][^Tt ]*(?:[Zz]|[+-]\d\d:?\d\d)$/.test(text) ? parseTime('iso8601', text) : undefined;
  if (utc !== undefined) return utc;
  context.addIssue({
    code: 'custom',
    message: 'expected a time that exists, ISO 8601 with a zone, for example 2026-01-15T12:00:00Z',
  });
  return z.NEVER;
});

const since = (otherwise = '') =>
  time.exactOptional().meta({
    description: `The oldest time, ISO 8601 with a zone (a "+" in it as %2B).${otherwise}`,
    override: { format: 'date-time', examples: ['2026-01-15T00:00:00Z'] },
  });

const until = (otherwise = '') =>
  time.exactOptional().meta({
    description: `The end of the times, which is not included.${otherwise}`,
    override: { format: 'date-time', examples: ['2026-01-16T00:00:00Z'] },
  });

const expectedReason = `expected one of ${canonicalErrorReasons.join(', ')}`;

const statusesThatAre = (outcome: Outcome): readonly CanonicalStatus[] =>
  canonicalStatuses.filter((status) => outcomeOf(rankOf(status)) === outcome);

const expectedStatuses = (accepted: readonly string[]) =>
  `expected one or more of ${accepted.join(', ')}, separated by commas`;

const statusList = (accepted: readonly string[], example: readonly string[]) => ({
  type: 'array' as const,
  items: { type: 'string' as const, enum: [...accepted] },
  examples: [example],
});

const status = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(canonicalStatuses, { error: expectedStatuses(canonicalStatuses) })))
  .exactOptional()
  .meta({
    description: 'Only messages in one of these statuses, separated by commas.',
    param: { style: 'form', explode: false },
    override: statusList(canonicalStatuses, ['delivered', 'read']),
  });

const sourceOf = (entries: string, more = '') =>
  z
    .string()
    .exactOptional()
    .meta({
      description: `Only ${entries} of this source, of a pipeline with several. \`main\` is the source that every pipeline has.${more}`,
      examples: ['backup'],
    });

const source = sourceOf('entries');

const channel = z
  .string()
  .exactOptional()
  .meta({
    description: 'Only entries of this channel, such as `whatsapp`; `sms` for SMS.',
    examples: ['whatsapp'],
  });

const idPrefixOf = (what: string, example: string) =>
  z
    .string()
    .min(2, 'expected at least two characters')
    .max(256, 'expected at most 256 characters')
    .exactOptional()
    .meta({
      description: `Only ${what} whose id begins with this, in the same letters; with several sources also \`source/\` and the beginning. A number in an id, and a hash, is not compared.`,
      examples: [example],
    });

/** Why a message failed. */
const failure = {
  reason: z
    .enum(canonicalErrorReasons, { error: expectedReason })
    .exactOptional()
    .describe(
      'Only messages that failed for this reason, as figures count it: `unknown` where the deciding report gives none.',
    ),
  code: z
    .string()
    .max(256, 'expected at most 256 characters')
    .exactOptional()
    .meta({
      description: 'Only messages that failed with this code of the service; empty for those without one.',
      examples: ['30003'],
    }),
};

/** Rules about two parameters are checked only if each of them is valid. */
const areValid =
  (...names: readonly string[]) =>
  ({ issues }: z.core.ParsePayload) =>
    !issues.some(({ path = [] }) => names.some((name) => path[0] === name));

interface Times {
  readonly since?: string;
  readonly until?: string;
}

const isInOrder = ({ since, until }: Times) => since === undefined || until === undefined || since < until;

const inOrder = {
  path: ['since'],
  error: 'since has to be before until',
  when: areValid('since', 'until'),
};

const pages = { limit, cursor };
const anyTime = { since: since(), until: until() };
const lastDay = {
  since: since(' Without it: a day before `until`.'),
  until: until(' Without it: a day from now, and `since` a day before now.'),
};

/** No parameter at all. */
export const noQuery = z.strictObject({});

export const sendListQuery = z
  .strictObject({ ...anyTime, idPrefix: idPrefixOf('sends', 'spring'), source, ...pages })
  .refine(isInOrder, inOrder);

export const messageListQuery = z
  .strictObject({ ...anyTime, status, source, channel, ...pages })
  .refine(isInOrder, inOrder);

export const sendMessagesQuery = z
  .strictObject({
    ...anyTime,
    idPrefix: idPrefixOf('messages', 'msg-0'),
    status,
    ...failure,
    source,
    channel,
    ...pages,
  })
  .refine(isInOrder, inOrder);

export const replyListQuery = z
  .strictObject({
    ...lastDay,
    text: z
      .string()
      .min(2, 'expected at least two characters')
      .max(200, 'expected at most 200 characters')
      .exactOptional()
      .meta({
        description:
          'Only replies whose text contains this in its first 5,000 characters, in capitals or small letters. Six digits or more are masked before, so they are not found.',
        examples: ['order'],
      }),
    idPrefix: idPrefixOf('replies', 'reply-0'),
    source,
    channel,
    ...pages,
  })
  .refine(isInOrder, inOrder);

export const optOutListQuery = z
  .strictObject({
    ...anyTime,
    by: z
      .enum(['person', 'operator', 'provider'], { error: 'expected person, operator or provider' })
      .exactOptional()
      .describe('Only opt-outs by a reply (`person`), by `sms opt-out` (`operator`) or at the provider.'),
    source,
    ...pages,
  })
  .refine(isInOrder, inOrder);

const expectedGroups = `expected one or more of ${insightGroups.join(', ')}, separated by commas`;

export const insightsQuery = z
  .strictObject({
    since: since(' Without it: a day before `until` for hours, 30 days for days.'),
    until: until(' Without it: now.'),
    interval: z
      .enum(['hour', 'day'], { error: 'expected hour or day' })
      .default('hour')
      .describe(
        'Hours of at most 8 days, or days of at most 400, in UTC. The range is widened to whole ones. Hours are kept for `sms:insightsHourRetentionDays`.',
      ),
    by: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(insightGroups, { error: expectedGroups })))
      .default((): InsightGroup[] => [])
      .meta({
        description: 'What to divide the figures by, separated by commas.',
        param: { style: 'form', explode: false },
        override: { ...statusList(insightGroups, ['country', 'reason']), default: undefined },
      }),
    source: sourceOf('figures'),
  })
  .refine(isInOrder, inOrder);

export const quarantineQuery = z
  .strictObject({
    ...lastDay,
    reason: quarantineReasonSchema.exactOptional().describe('Only entries with this reason.'),
    source,
    ...pages,
  })
  .refine(isInOrder, inOrder);

const statusesOfState = {
  failed: statusesThatAre('failure'),
  pending: statusesThatAre('open'),
  unknown: statusesThatAre('unknown'),
} as const;

export const stateQuery = z
  .strictObject({
    state: z
      .enum(['failed', 'pending', 'unknown'], { error: 'expected failed, pending or unknown' })
      .describe('Messages that failed, those without a final status, or those marked unknown.'),
    order: z
      .enum(['newest', 'oldest'], { error: 'expected newest or oldest' })
      .exactOptional()
      .describe('Which message is first: the newest, or of pending messages also the oldest.'),
    since: since(' Without it, of pending messages: no limit; of others: a day before `until`.'),
    until: until(' Without it, of pending messages: no limit; of others: a day from now.'),
    status: status.meta({
      description: `Only messages in one of these statuses, separated by commas. Of failed ones: ${statusesOfState.failed.join(', ')}; of pending ones: ${statusesOfState.pending.join(', ')}.`,
      override: statusList(
        [...statusesOfState.failed, ...statusesOfState.pending],
        ['undelivered', 'expired'],
      ),
    }),
    ...failure,
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'expected the two letters of a country, for example BR')
      .exactOptional()
      .meta({
        description:
          'Only messages to numbers of this country, ISO 3166-1 alpha-2; ZZ for numbers without a country.',
        examples: ['BR'],
      }),
    idPrefix: idPrefixOf('messages', 'msg-0'),
    source,
    channel,
    ...pages,
  })
  .refine(isInOrder, inOrder)
  .superRefine(({ state, order, status = [], ...given }, context) => {
    if (state !== 'pending' && order === 'oldest')
      context.addIssue({
        code: 'custom',
        path: ['order'],
        message: 'only pending messages can begin with the oldest: state=pending',
      });
    for (const name of ['reason', 'code'] as const)
      if (state !== 'failed' && given[name] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'only failed messages have it: state=failed',
        });
    const accepted = statusesOfState[state];
    if (!status.every((one) => accepted.includes(one)))
      context.addIssue({
        code: 'custom',
        path: ['status'],
        message: `with state=${state} ${expectedStatuses(accepted)}`,
      });
  });

const id = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const messagePath = z.object({
  messageId: id("The service's id of the message; `source/id` if several sources use it.", 'msg-1'),
});

export const sendPath = z.object({
  sendId: id("The service's id of the bulk send; `source/id` if several sources use it.", 'send-1'),
});

/** The longest ids of services are far below it. */
const maxSearchLength = 512;

export const searchBody = z.strictObject({
  q: z
    .string('expected a text')
    .trim()
    // Not `min` and `max`, which also read the length of what is no text, and fail where that is an object.
    .refine((text) => text !== '', 'expected a number or an id')
    .refine((text) => text.length <= maxSearchLength, `expected at most ${maxSearchLength} characters`)
    .meta({
      description:
        'A number, however it is written, or the whole id of a message, reply or bulk send. A number without a country code is of the default country of the contract.',
      examples: ['+1 202 555 0143'],
      override: { minLength: 1, maxLength: maxSearchLength },
    }),
});

export const conversationPath = z.object({
  of: z
    .string()
    .regex(/^[mr]~./s, 'expected m~ and the id of a message, or r~ and the id of a reply')
    .meta({
      description: 'Any message or reply of the number: `m~` and its message id, or `r~` and its reply id.',
      examples: ['m~msg-1'],
      override: { pattern: '^[mr]~.' },
    }),
});

export const phonePath = z.object({
  phone: z
    .string()
    .regex(e164, 'expected a number in E.164, its "+" percent-encoded as %2B')
    .meta({
      description: 'The number in E.164, with its "+".',
      examples: ['+12025550143'],
      override: { pattern: e164.source },
    }),
});

/** DynamoDB's limit for a sort key is 1,024 bytes; ids are far below that. */
const maxQuarantineIdLength = 256;

export const quarantinePath = z.object({
  entryId: z
    .string()
    .refine((text) => text.length <= maxQuarantineIdLength && parseQuarantineId(text) !== undefined, {
      error: 'expected the id of an entry as the list gives it, percent-encoded',
    })
    .meta({
      description: 'The id of an entry as the list gives it.',
      examples: ['2026-01-15T12:00:05.000Z#9f8b6c2a#0'],
    }),
});
