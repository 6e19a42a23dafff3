import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';
import { afterEach } from 'vitest';

declare global {
  var refusedIo: Error[] | undefined;
}

/**
 * Code under test may catch the error of a refused call, so that each also fails its test when it ends. This file runs again for each
 * test file, but a module that is loaded once may keep the function of the first time.
 */
globalThis.refusedIo ??= [];
const refused = globalThis.refusedIo;

/** Fails a unit test that opens a port, connects to one or starts a process or a thread: its name must end in `.io.test.ts`. */
function refuse(what: string) {
  return function refusal(): never {
    const error = new Error(
      `A unit test must not ${what}. Rename its file to *.io.test.ts, or test without it.`,
    );
    refused.push(error);
    throw error;
  };
}

afterEach(() => {
  const [error] = refused.splice(0);
  if (error !== undefined) throw error;
});

for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'] as const)
  Object.assign(childProcess, { [name]: refuse('start a process') });
Object.assign(childProcess.ChildProcess.prototype, { spawn: refuse('start a process') });
Object.assign(threads, { Worker: refuse('start a thread') });
net.Server.prototype.listen = refuse('open a port');
net.Socket.prototype.connect = refuse('connect to a port');
dgram.Socket.prototype.bind = refuse('open a port');
dgram.Socket.prototype.send = refuse('send to a port');
syncBuiltinESMExports();
