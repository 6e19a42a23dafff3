#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// The command line is compiled once a version, not at each start. So its modules are imported after this call.
enableCompileCache();
await import('./run-sms.ts');
