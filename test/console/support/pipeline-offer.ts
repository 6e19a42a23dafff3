import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import shipped from '../../../contract.json' with { type: 'json' };
import { type LocalPipeline, startLocalPipeline } from '../../../tools/support/local-pipeline.ts';

/** What a test file gets of the shared pipeline. */
export interface OfferedPipeline {
  readonly directory: string;
  readonly port: number;
  /** The contract of its functions, which tests may change. */
  readonly contractFile: string;
}

/** A pipeline for all test files, which starts when the first of them asks for it. */
export interface PipelineOffer {
  /** Answers with an `OfferedPipeline`, and below `/printed` with what the run has printed. */
  readonly url: string;
  close(): Promise<void>;
}

/** Offers one pipeline with a deployed console: a start takes seconds of both cores. */
export async function offerPipeline(): Promise<PipelineOffer> {
  let starting: Promise<{ readonly pipeline: LocalPipeline; readonly contractFile: string }> | undefined;
  const server = createServer((request, response) => {
    starting ??= startWithContract();
    starting
      .then(({ pipeline, contractFile }) => {
        const { directory, port } = pipeline;
        const offered: OfferedPipeline = { directory, port, contractFile };
        response.end(request.url === '/printed' ? pipeline.printed() : JSON.stringify(offered));
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      // A failed start was reported to the file that asked for it.
      const started = await starting?.catch(() => undefined);
      if (started === undefined) return;
      const code = await started.pipeline.stop();
      rmSync(join(started.contractFile, '..'), { recursive: true, force: true });
      if (code !== 0) throw new Error(`The pipeline ended with ${code}.`);
    },
  };
}

async function startWithContract() {
  const contractFile = join(mkdtempSync(join(tmpdir(), 'console-')), 'contract.json');
  writeFileSync(contractFile, JSON.stringify(shipped));
  const pipeline = await startLocalPipeline({ 'sms:console': 'on', 'sms:contractFile': contractFile });
  return { pipeline, contractFile };
}
