import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Started } from './post-signed.ts';

const root = resolve(import.meta.dirname, '../../..');
const traceSchema = z.object({
  hops: z.array(
    z.object({ hop: z.string(), outcome: z.string(), ran: z.array(z.object({ path: z.string() })) }),
  ),
  files: z.number(),
  functions: z.number(),
});

export function reportIsTraced(pipeline: Started): void {
  it('the trace of a report contains the handler of each function, and ends at the bus', async () => {
    const { directory, port } = pipeline();
    const args = ['tools/trace/trace.ts', '--json', '--dir', directory, '--port', String(port)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    const { hops, files, functions } = traceSchema.parse(JSON.parse(stdout));
    const first = hops.map(({ hop, ran }) => [hop, ran[0]?.path]);
    expect(first).toEqual([
      ['ingest', 'functions/receive/ingest/handler.ts'],
      ['queue', 'functions/base/sqs-queue.ts'],
      ['worker', 'functions/receive/worker/handler.ts'],
      ['table', expect.stringMatching(/-store\.ts$/)],
      ['stream', expect.any(String)],
      ['publisher', 'functions/publish/publisher/handler.ts'],
      ['bus', expect.stringMatching(/^functions\/publish\/bus\//)],
    ]);
    expect(hops.map(({ outcome }) => outcome)).toEqual([
      'POST /webhooks/sms is answered 200',
      expect.stringMatching(/^one message of \d+ bytes$/),
      'a batch of one, 0 failed',
      'item message#trace with status delivered',
      'one record, INSERT',
      'a batch of one, 0 failed',
      'SMS Delivery Status Changed',
    ]);
    // A path that grows costs every reader: docs/adr/0031-folders-are-subjects.md.
    expect(files).toBeLessThanOrEqual(53);
    expect(functions).toBeGreaterThan(files);
    expect(functions).toBeLessThanOrEqual(217);
  });
}
