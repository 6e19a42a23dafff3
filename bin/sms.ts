#!/usr/bin/env node
import { cacheCompiledCode } from '../local/processes/compile-cache.ts';

const { node } = process.versions;
if (Number.parseInt(node, 10) < 22) {
  process.stderr.write(`error: sms needs Node 22.18 or newer, this is ${node}.\n`);
  process.exitCode = 1;
} else {
  // The command line is compiled once a version, not at each start. So its modules are imported after this call.
  cacheCompiledCode(process.env);
  await import('./run-sms.ts');
}
