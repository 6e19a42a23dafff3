#!/usr/bin/env node
import module from 'node:module';

const { node } = process.versions;
if (Number.parseInt(node, 10) < 22) {
  process.stderr.write(`error: sms needs Node 22.18 or newer, this is ${node}.\n`);
  process.exitCode = 1;
} else {
  // The command line is compiled once a version, not at each start. So its modules are imported after this call.
  // Node 22.8 and newer can.
  module.enableCompileCache?.();
  await import('./run-sms.ts');
}
