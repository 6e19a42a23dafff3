import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { markLeadMs } from '../../functions/registration/index.ts';
import type { PostResult } from '../../local/sms-service/poster.ts';
import { generateSecret } from '../../local/sms-service/webhook.ts';
import { countIn, Ledger } from '../engine/ledger.ts';
import type { Report } from '../engine/reports.ts';
import { until } from '../support/until.ts';
import type { PipelinePlan } from './arguments.ts';
import { Inbox } from './inbox.ts';
import { Service } from './service.ts';
import type { Site } from './site.ts';

export interface AcceptanceOptions {
  readonly contract: Contract;
  /** The contract's path; undefined for the one that ships. */
  readonly contractFile: string | undefined;
  readonly pipeline: PipelinePlan;
  readonly events: number;
  readonly seed: number;
}

/** Requests at once. A new account may have 10 executions of Lambda at once: this leaves some for the other functions. */
const concurrency = 5;

/** The receivers' queues, which the run empties itself, and those that the judge reads. */
const notWaitedFor = /^(Received|Notices|Alarms|FailureAlert|PublisherFailures)QueueUrl$/;

/** A pipeline, the service that sends to it, what the bus has published, and the secrets that are in force. */
export class AcceptanceRun implements AsyncDisposable {
  readonly site: Site;
  readonly options: AcceptanceOptions;
  readonly ledger = new Ledger();
  readonly service: Service;
  readonly inbox: Inbox;
  /** A secret that no test stores. */
  readonly foreignSecret: string;
  /** The secret that {@link rotate} stores, if it is an operator who does. */
  readonly nextSecret: ReturnType<typeof generateSecret>;
  /** For each message that was sent alone, the time until it was in the history, in milliseconds. */
  readonly storedMs: number[] = [];
  #secrets: readonly string[] = [];
  #posts = 0;

  constructor(site: Site, options: AcceptanceOptions, url: string) {
    const { signature } = options.contract.webhook;
    this.site = site;
    this.options = options;
    this.service = new Service(options.contract, url, this.ledger);
    this.foreignSecret = generateSecret(signature).signing;
    this.nextSecret = generateSecret(signature);
    const {
      ReceivedQueueUrl: received = '',
      NoticesQueueUrl: notices = '',
      AlarmsQueueUrl: alarms = '',
    } = site.outputs;
    this.inbox = new Inbox(site.sqs, { received, notices, alarms });
  }

  /** Runs a command and returns its output. @throws Error with its errors if it fails */
  async sms(...args: string[]): Promise<string> {
    const { code, out, err } = await this.site.sms(...args);
    if (code === 0) return out;
    throw new Error(`sms ${args.slice(0, 2).join(' ')} ended with ${code}: ${err.trim()}`);
  }

  /** The same for a command that needs the contract. */
  smsByContract(...args: string[]): Promise<string> {
    const { contractFile } = this.options;
    return this.sms(...args, ...(contractFile === undefined ? [] : ['--contract', contractFile]));
  }

  /** Waits with the patience of the place. @throws Error when that is over */
  until<T>(what: string, ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    return until(
      what,
      async () => {
        const answer = await ask();
        // On AWS each question is a call that is billed.
        if (answer === undefined || answer === false) await delay(this.site.pauseMs);
        return answer;
      },
      this.site.patienceMs,
    );
  }

  /** Stores the first secret, or waits for that of the service. */
  async begin(): Promise<void> {
    if (this.options.pipeline.registration === 'off') {
      const first = generateSecret(this.options.contract.webhook.signature);
      await this.#store(first.shown);
      this.#secrets = [first.signing];
      return;
    }
    this.#secrets = await this.until('the webhook is registered', () => this.#storedSecrets());
  }

  /** Brings a new secret into force, beside the old one. Requests are signed with the old one until this is over. */
  async rotate(): Promise<void> {
    if (this.options.pipeline.registration === 'off') {
      await this.#store(this.nextSecret.shown);
      // An operator stores a secret before the service signs with it: until then an instance of ingest may read the version before.
      await delay(markLeadMs);
      this.#secrets = [this.nextSecret.signing, ...this.#secrets];
      return;
    }
    await this.sms('webhook', 'rotate');
    this.#secrets = (await this.#storedSecrets()) ?? [];
  }

  async #storedSecrets(): Promise<readonly string[] | undefined> {
    const { current, previous } = (await this.site.connection.webhookSecret()) ?? {};
    return current && [current.secret, ...(previous === undefined ? [] : [previous.secret])];
  }

  async #store(secret: string): Promise<void> {
    const file = join(tmpdir(), `sms-acceptance-${randomUUID()}`);
    writeFileSync(file, secret, { mode: 0o600 });
    try {
      await this.smsByContract('webhook', 'store-secret', '--secret-file', file);
    } finally {
      rmSync(file);
    }
  }

  /** The secrets in force, each in turn. */
  secret(): string {
    return this.#secrets[this.#posts++ % this.#secrets.length] ?? '';
  }

  /** Posts reports, several at once. @returns how often each answer other than 200 came */
  async send(reports: readonly Report[]): Promise<Map<PostResult, number>> {
    const others = new Map<PostResult, number>();
    const post = async (report: Report) => {
      const result = await this.service.report(report, this.secret());
      if (result !== 200) countIn(others, result);
    };
    await pMap(reports, post, { concurrency });
    return others;
  }

  /** The number of messages in each queue of the pipeline that holds any, by its output. */
  async waiting(): Promise<Map<string, number>> {
    const waiting = new Map<string, number>();
    for (const [name, QueueUrl] of Object.entries(this.site.outputs)) {
      if (!name.endsWith('QueueUrl') || notWaitedFor.test(name)) continue;
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      const { Attributes = {} } = await this.site.sqs.send(asked);
      const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: inFlight } =
        Attributes;
      const count = Number(visible) + Number(inFlight);
      if (count > 0) waiting.set(name, count);
    }
    return waiting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.service.close();
    await this.inbox[Symbol.asyncDispose]();
  }
}
