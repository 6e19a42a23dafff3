/**
 * Loaded into a process before Lambda's runtime client: each time that asks for an event, writes a line to file descriptor 3, the
 * processor time of the process so far in microseconds. /proc would leave out threads that ended, and Node.js reads its root
 * certificates in one that ends.
 */
'use strict';
const { writeSync } = require('node:fs');

const { dlopen } = process;
process.dlopen = (module, file, ...rest) => {
  dlopen(module, file, ...rest);
  if (!file.endsWith('rapid-client.node')) return;
  const { next } = module.exports;
  if (typeof next !== 'function') throw new Error('the runtime client asks for events in another way');
  module.exports.next = () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, `${user + system}\n`);
    return next();
  };
};
