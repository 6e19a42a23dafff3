#!/usr/bin/env node
import module from 'node:module';

// The command line is compiled once a version, not at each start. So its modules are imported after this call.
// Node 22.8 and newer can.
module.enableCompileCache?.();
await import('./run-sms.ts');
