import { join } from 'node:path';
import * as z from 'zod';
import type { Context } from '../../contract/document/project-store.ts';
import { parseJson } from '../../contract/text/json.ts';
import { loopbackUrl } from '../aws-protocol/http.ts';
import { startSmsService } from '../sms-service/sandbox.ts';
import type { Progress } from '../terminal/terminal.ts';
import { completeContract } from './completed-contract.ts';
import { readContract } from './contract-file.ts';
import { requireFree } from './ports.ts';

/** The sandboxes of further sources have the ports from this one on, counted from the first port of the run. */
const firstPort = 10;

/** What a sandbox needs of the setting. Synthesis checks the rest. */
const sourceBlocks = z.record(z.string(), z.looseObject({ contractFile: z.string() }));

interface SourcesOptions {
  /** The folder that names of files are relative to. */
  readonly folder: string;
  /** The folder of the run. */
  readonly directory: string;
  /** The first port of the run. */
  readonly port: number;
  readonly apiKey: string;
}

/**
 * Starts a sandbox of the SMS service for each further source.
 *
 * @returns the setting `sms:sources` with the sandboxes as the services
 * @throws UserError for a contract that cannot be used
 */
export async function startSources(
  context: Context,
  { folder, directory, port, apiKey }: SourcesOptions,
  progress: Progress,
): Promise<Context> {
  const setting = context['sms:sources'];
  const sources = sourceBlocks.safeParse(typeof setting === 'string' ? parseJson(setting) : setting);
  // Synthesis explains a wrong setting.
  if (!sources.success) return {};
  const blocks: Record<string, unknown> = {};
  for (const [index, [name, block]] of Object.entries(sources.data).entries()) {
    const file = block.contractFile;
    const completed = completeContract(
      { folder, directory: join(directory, 'sources', name), sample: false },
      file,
      `sms:sources.${name}.contractFile`,
    );
    const contract = readContract(folder, completed ?? file);
    const sandboxPort = port + firstPort + index;
    await requireFree(sandboxPort, `the sandbox of the source ${name}`);
    await startSmsService({ port: sandboxPort, contract, apiKey });
    const url = loopbackUrl(sandboxPort);
    progress.step(`sandbox of the source ${name} on ${url}`);
    blocks[name] = {
      apiKeySecretName: `sms-pipeline/${name}/api-key`,
      registration: 'on',
      ...block,
      contractFile: completed ?? file,
      serviceBaseUrl: url,
    };
  }
  return Object.keys(blocks).length === 0 ? {} : { 'sms:sources': blocks };
}
