/** `npm run trace`: sends one signed report through the local handlers and prints the files and functions that ran for it, hop by hop. */
import { parseArgs } from 'node:util';
import { withPipeline } from '../support/local-pipeline.ts';
import { runScript } from '../support/run-script.ts';
import { hopsAsJson, renderHops } from './hops.ts';
import { traceReport } from './send-report.ts';

const help = `Usage: npm run -s trace -- [--json]

Starts the pipeline on this machine, sends one signed status report through the handlers of ingest, worker and publisher,
and prints for each hop the files and the named functions that ran.
It counts the files of functions/ and contract/, and nothing that runs only at the start.
`;

await runScript(async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const hops = await withPipeline({}, traceReport);
  console.log(values.json ? JSON.stringify(hopsAsJson(hops), null, 2) : renderHops(hops));
  return 0;
});
