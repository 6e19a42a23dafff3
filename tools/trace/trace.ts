/**
 * `npm run -s trace -- [--json] [--dir FOLDER --port N]` starts the pipeline on this machine, sends one signed status report through the handlers of
 * ingest, worker and publisher, and prints for each hop the files and the named functions that ran. It counts the files of functions/ and contract/, and
 * nothing that runs only at the start. --dir and --port: in a pipeline that runs in this folder already, from this port on.
 */
import { parseArgs } from 'node:util';
import { pipelineIn, withPipeline } from '../support/local-pipeline.ts';
import { runScript, wholeNumber } from '../support/run-script.ts';
import { hopsAsJson, renderHops } from './hops.ts';
import { traceReport } from './send-report.ts';

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      dir: { type: 'string' },
      port: { type: 'string' },
    },
  });
  const { dir, port } = values;
  const hops =
    dir === undefined || port === undefined
      ? await withPipeline({}, traceReport)
      : await traceReport(pipelineIn(dir, wholeNumber('port', port)));
  console.log(values.json ? JSON.stringify(hopsAsJson(hops), null, 2) : renderHops(hops));
  return 0;
});
