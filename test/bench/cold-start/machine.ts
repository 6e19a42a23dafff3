import { cpus, totalmem } from 'node:os';

/** What a figure depends on besides the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly node: string;
}

export function machine(): Machine {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function renderMachine({ cores, processor, memoryGiB, node }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGiB} GiB of memory, Node.js ${node}`;
}
