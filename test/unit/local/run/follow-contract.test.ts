import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { readContract } from '../../../../local/run/contract-file.ts';
import { followContract } from '../../../../local/run/follow-contract.ts';
import { FunctionRegistry } from '../../../../local/services/lambda/functions.ts';
import { shippedContract, shippedContractJson } from '../../../../tools/support/contracts.ts';
import { until } from '../../../../tools/support/until.ts';

/** A run without functions, whose contract extends another file; a synthesis writes an app without stacks, or fails. */
function startFollowing({ editBefore = false, failing = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'));
  const path = join(folder, 'contract.json');
  const base = join(folder, 'base.json');
  const { webhook } = shippedContract;
  const write = (status: unknown) =>
    writeFileSync(
      base,
      JSON.stringify({ ...Object(shippedContractJson), webhook: { ...webhook, acknowledge: { status } } }),
    );
  write(200);
  writeFileSync(path, JSON.stringify({ extends: './base.json' }));
  const deployed = readContract(folder, path);
  if (editBefore) write(202);

  const synthesis = { failing };
  const assemblyDirectory = join(folder, 'cdk.out');
  const synthesize = async (directory: string) => {
    if (synthesis.failing) throw new TypeError('a defect');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ version: '48.0.0', artifacts: {} }));
  };
  mkdirSync(assemblyDirectory);
  writeFileSync(
    join(assemblyDirectory, 'manifest.json'),
    JSON.stringify({ version: '48.0.0', artifacts: {} }),
  );
  const watched = new Map<string, () => void>();
  const lines: string[] = [];
  const changed: Contract[] = [];
  const steps: (() => unknown)[] = [];
  followContract(
    {
      path,
      deployed,
      read: (isReading) => readContract(folder, path, isReading),
      synthesize,
      assemblyDirectory,
      functions: new FunctionRegistry(),
      changed: (contract) => changed.push(contract),
    },
    { step: (line) => lines.push(line), note: (line) => lines.push(line) },
    { add: (step) => steps.push(step) },
    (file, look) => {
      watched.set(file, look);
      return () => watched.delete(file);
    },
  );
  return {
    files: () => [...watched.keys()].map((file) => file.slice(folder.length + 1)).sort(),
    edit(status: unknown) {
      write(status);
      watched.get(base)?.();
    },
    statuses: () => changed.map(({ webhook }) => webhook.acknowledge.status),
    lines,
    synthesis,
    end() {
      for (const step of steps) step();
    },
  };
}

it('followContract applies changes of the file or of one that it extends, until the run ends', async () => {
  const { files, edit, statuses, lines, end } = startFollowing();
  await until('the chain is watched', () => files().length === 2 || undefined);
  expect(files()).toEqual(['base.json', 'contract.json']);
  expect(lines).toEqual([]);
  edit(202);
  await until('it is taken over', () => lines.length === 1 || undefined);
  expect([statuses(), lines]).toEqual([[202], [expect.stringContaining('run with the changed')]]);
  end();
  expect(files()).toEqual([]);
});

it('followContract applies changes from the time of the start', async () => {
  const { statuses, lines } = startFollowing({ editBefore: true });
  await until('it is taken over', () => lines.length === 1 || undefined);
  expect(statuses()).toEqual([202]);
});

it('followContract notes an invalid contract or a bug, and applies the next change', async () => {
  const { edit, statuses, lines, synthesis } = startFollowing({ editBefore: true, failing: true });
  await until('the bug is noted', () => lines.length === 1 || undefined);
  expect(lines[0]).toBe('TypeError: a defect\nThe functions keep their contract.');
  edit('no status');
  await until('the contract is refused', () => lines.length === 2 || undefined);
  expect(lines[1]).toMatch(/acknowledge\.status.*\nThe functions keep their contract/s);
  synthesis.failing = false;
  edit(204);
  await until('it is taken over', () => lines.length === 3 || undefined);
  expect(statuses()).toEqual([204]);
});
