import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** How often a whole run may start the pipeline, and a JVM: each start costs seconds of both cores. */
const maxStarts = 3;

/** Counts the JVMs that a run starts, by a `java` that writes down how it is called, and fails a run with too many. */
export default function setup(): (() => void) | undefined {
  const java = realJava();
  if (java === undefined) return;
  const home = mkdtempSync(join(tmpdir(), 'sms-java-'));
  const calls = join(home, 'calls');
  const script = join(home, 'bin', 'java');
  mkdirSync(join(home, 'bin'));
  writeFileSync(script, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${calls}'\nexec '${java}' "$@"\n`);
  chmodSync(script, 0o755);
  process.env.JAVA_HOME = home;
  return () => {
    const started = (existsSync(calls) ? readFileSync(calls, 'utf8') : '')
      .split('\n')
      .filter((call) => call.includes('-Dsms.pipeline.run='));
    const pipelines = started.filter((call) => !call.includes('-Dsms.pipeline.run=tables-'));
    if (started.length <= maxStarts) return;
    console.error(
      `This run started ${pipelines.length} pipelines and ${started.length} JVMs. At most ${maxStarts} JVMs are allowed: share a pipeline, or a database (docs/contributing/extending.md).`,
    );
    process.exitCode = 1;
  };
}

function realJava(): string | undefined {
  const { JAVA_HOME, PATH = '' } = process.env;
  const folders = JAVA_HOME ? [join(JAVA_HOME, 'bin')] : PATH.split(delimiter);
  return folders.map((folder) => join(folder, 'java')).find((file) => existsSync(file));
}
