import { unmarshall } from '@aws-sdk/util-dynamodb';
import { CommanderError } from 'commander';
import { expect } from 'vitest';
import * as z from 'zod';
import { addCompletion } from '../../../../cli/help/completion.ts';
import type { NamedCommand } from '../../../../cli/input/command.ts';
import { buildProgram, type ExitCode, runCommand } from '../../../../cli/program.ts';
import type { TargetSources } from '../../../../cli/target/choose-target.ts';
import type { Connection, Target } from '../../../../cli/target/connection.ts';
import type { Context, Post, PostRequest, Terminal, Wait } from '../../../../cli/target/context.ts';
import { contractHash } from '../../../../contract/events/body.ts';
import {
  canonicalStatuses,
  rankOf,
  type StatusEvent,
  unmappedRank,
} from '../../../../contract/schema/sms-event.ts';
import {
  type Message,
  mergeMessages,
  messageOf,
  type Reply,
  replyOf,
} from '../../../../functions/history/message.ts';
import { messageItem } from '../../../../functions/history/message-item.ts';
import type { OptOut } from '../../../../functions/history/opt-out/opt-out.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { memoryHistory } from '../../../support/fakes/history.ts';
import { fakeCounters } from './counters.ts';
import { listsOf } from './lists.ts';

/** The result of a command. */
export interface Outcome {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  /** The bytes on stdout in hexadecimal, if there are any. */
  readonly bytes?: string;
}

export interface Parts {
  readonly connection?: Partial<Connection>;
  /** What is other in the connection of a target with a source. */
  readonly ofSource?: Partial<Connection>;
  readonly connect?: Context['connect'];
  readonly targetSources?: TargetSources;
  readonly post?: Post;
  readonly startLocally?: Context['startLocally'];
  readonly terminal?: Partial<Terminal>;
  readonly clock?: Context['clock'];
  /** Without it a command must not wait. */
  readonly wait?: Wait;
}

const now = Date.parse('2026-01-15T12:00:00.000Z');

/** Makes a command line that runs in this process, with fakes for its connections. */
export function commandLine(parts: Parts = {}) {
  const targets: Target[] = [];
  const unexpected = () => Promise.reject(new Error('not expected to be called'));
  const connection = {
    outputs: unexpected,
    sources: async () => ['main'],
    history: unexpected,
    messageItem: unexpected,
    counters: unexpected,
    recount: unexpected,
    optOuts: unexpected,
    caller: async () => ({ person: undefined, now: undefined }),
    quarantine: unexpected,
    drift: unexpected,
    requeue: unexpected,
    deadLetterQueues: unexpected,
    historyExport: unexpected,
    historyImport: unexpected,
    historyItems: unexpected,
    historySettings: unexpected,
    copiedTables: unexpected,
    erasureKey: async () => ({
      name: 'table/erasure-key',
      read: async () => ['key'],
      ensure: async () => 'key',
    }),
    personalData: unexpected,
    waiting: unexpected,
    replays: unexpected,
    busRules: unexpected,
    contractHash: async () => contractHash(shippedContract),
    webhookUrl: unexpected,
    queryApi: unexpected,
    webhookSettings: unexpected,
    webhookSecret: unexpected,
    secretStore: unexpected,
    captureSwitch: unexpected,
    inspection: unexpected,
    principals: unexpected,
    streamArns: unexpected,
    invokeSetup: unexpected,
    invokeLookups: unexpected,
    ...parts.connection,
  };
  function context(written: Pick<Terminal, 'out' | 'err' | 'bytes'>): Context {
    let ids = 0;
    return {
      terminal: {
        ...written,
        colour: false,
        columns: undefined,
        zone: 'America/Sao_Paulo',
        debug: false,
        closed: () => false,
        isWatched: false,
        ask: undefined,
        ...parts.terminal,
      },
      clock: parts.clock ?? (() => now),
      newId: () => `${String(++ids).padStart(8, '0')}-0000-4000-8000-000000000000`,
      connect: (target) => {
        targets.push(target);
        const own = target.source === undefined ? {} : parts.ofSource;
        return parts.connect?.(target) ?? { ...connection, ...own };
      },
      targetSources: async () => parts.targetSources ?? {},
      post: parts.post ?? unexpected,
      startLocally: parts.startLocally ?? unexpected,
      beginWaiting: () => parts.wait ?? unexpected,
    };
  }
  async function sms(...args: string[]): Promise<Outcome> {
    let out = '';
    let err = '';
    let bytes = '';
    const code = await runCommand(
      args,
      context({
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        bytes: (chunk) => {
          bytes += Buffer.from(chunk).toString('hex');
        },
      }),
    );
    if (code === 0 && args.includes('--json') && parts.terminal?.out === undefined)
      checkDocuments(args, out, commands());
    return { code, out, err, ...(bytes === '' ? {} : { bytes }) };
  }
  /** Parses a command line without performing the command. */
  async function parse(...args: string[]): Promise<{ readonly err: string; readonly isParsed: boolean }> {
    let err = '';
    let isParsed = false;
    const program = buildProgram(
      context({
        out: () => {},
        err: (text) => {
          err += text;
        },
        bytes: () => {},
      }),
    );
    await addCompletion(program, []);
    for (const { command } of program.leaves())
      command.action(() => {
        isParsed = true;
      });
    await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
      if (error instanceof CommanderError && error.exitCode === 0) isParsed = true;
      else err ||= String(error);
    });
    return { err, isParsed };
  }
  /** Every command that does something. */
  function commands(): NamedCommand[] {
    return [...buildProgram(context({ out: () => {}, err: () => {}, bytes: () => {} })).leaves()];
  }
  return { sms, parse, targets, commands };
}

/** Expects the documents on stdout to be of the schema of their command, without unknown fields. */
function checkDocuments(args: readonly string[], out: string, commands: readonly NamedCommand[]): void {
  const output = commands.find(({ words }) => `${args.join(' ')} `.startsWith(`${words} `))?.command.texts
    .output;
  const isChosen = /^[^-]/.test(args[args.indexOf('--json') + 1] ?? '-');
  if (output === undefined || isChosen) return;
  const entries = output instanceof z.ZodObject ? output.shape.entries : undefined;
  const isFollowed = args.includes('--follow') && entries instanceof z.ZodArray;
  const isLines = isFollowed || args[1] === 'follow' || (args[1] === 'get' && args.includes('--follow'));
  const schema = isFollowed ? entries.element : output;
  for (const text of isLines ? out.split('\n').slice(0, -1) : [out]) {
    const document: unknown = JSON.parse(text);
    expect(z.parse(schema, document)).toEqual(document);
  }
}

/** Makes a history of messages, replies and opt-outs. */
export function historyOf(
  messages: readonly Message[],
  replies: readonly Reply[] = [],
  optOuts: readonly OptOut[] = [],
): Partial<Connection> {
  const register = memoryHistory({ optOuts }).optOutAccess;
  return {
    optOuts: async () => register,
    caller: async () => ({ person: 'assumed-role/Support/ann', now: undefined }),
    counters: fakeCounters().connection.counters,
    messageItem: async (id) => {
      const found = messages.find(({ messageId }) => messageId === id);
      return found && unmarshall(messageItem(found, '7b1f0c9e52d4', 0, { retentionDays: 1, listShards: 1 }));
    },
    history: async () => ({
      message: async (id) => messages.find(({ messageId }) => messageId === id),
      ...listsOf({ messages, replies, optOuts }),
    }),
  };
}

/** A report some seconds after noon, received half a second later. */
export type Report = Partial<StatusEvent> & { readonly status: string; readonly second: number };

export function message(messageId: string, reports: readonly Report[]): Message {
  return reports
    .map(({ second, ...report }) => {
      const canonical = canonicalStatuses.find((status) => status === report.status);
      const event: StatusEvent = {
        kind: 'sms.status',
        eventId: `evt-${second}`,
        messageId,
        phone: '+12025550143',
        rank: canonical === undefined ? unmappedRank : rankOf(canonical),
        occurredAt: noonPlus(second * 1000),
        ...report,
      };
      return messageOf(event, noonPlus(second * 1000 + 500));
    })
    .reduce(mergeMessages);
}

export function reply(replyId: string, second: number, text: string, messageId?: string): Reply {
  const event = {
    kind: 'sms.reply' as const,
    eventId: `evt-${second}`,
    replyId,
    ...(messageId === undefined ? {} : { messageId }),
    from: '+12025550143',
    to: '+12025550100',
    text,
    occurredAt: noonPlus(second * 1000),
  };
  return replyOf(event, noonPlus(second * 1000 + 500));
}

export function noonPlus(milliseconds: number): string {
  return new Date(now + milliseconds).toISOString();
}

/** Records requests and answers with a status. */
export function recordingPost(status: number, body = ''): { post: Post; posted: PostRequest[] } {
  const posted: PostRequest[] = [];
  return {
    posted,
    post: async (request) => {
      posted.push(request);
      return { status, body };
    },
  };
}
