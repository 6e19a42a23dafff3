/**
 * `npm run acceptance -- --emulator | --yes`: deploys pipelines of its own in an emulator of AWS, or in an AWS account, tries what is promised,
 * writes build/acceptance/report.md and destroys the pipelines. Exit code 1 if something broke or is left, 2 if it could not run.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { explainError } from '../../cli/target/errors.ts';
import { contractFiles, loadContract } from '../../contract/document/contract-file-store.ts';
import { projectContext } from '../../contract/document/project-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { isSharedSecret } from '../../contract/signature/keys.ts';
import { callersFolder } from '../../local/run/callers-folder.ts';
import { providePage } from '../../local/run/start-console.ts';
import project from '../../package.json' with { type: 'json' };
import { errorText, printVerdict } from '../engine/print.ts';
import { shippedContract } from '../support/contracts.ts';
import { OptionError, runScript } from '../support/run-script.ts';
import {
  help,
  type PipelinePlan,
  type Registration,
  type RunPlan,
  readPlan,
  refuseOwnSettings,
  settingsOf,
  stackNameOf,
  useRegion,
} from './arguments.ts';
import { type Emulator, withEmulator } from './emulator.ts';
import { figuresOrReason, missesOf, type Pass, reportOf } from './report.ts';
import { withSandbox } from './sandbox.ts';
import { type Outcome, playAcceptance } from './scenario.ts';
import { destroyIn, inAccount, readAccountId, type Site } from './site.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'build/acceptance');

/** Reads the contract that the run signs and writes by. @throws ContractFileError, OptionError */
function contractOf({ contractFile, target }: RunPlan, registration: Registration): Contract {
  if (contractFile === undefined) return shippedContract;
  const contract = loadContract(contractFile, { namedBy: '--contract', files: contractFiles });
  if (registration === 'on' && target === 'aws' && !isSharedSecret(contract.webhook.signature))
    throw new OptionError(
      '--contract: only the service can sign by this contract; leave --api-key-secret out',
    );
  return contract;
}

/** @throws OptionError in words if the account cannot be reached */
async function accountIn(region: string): Promise<string> {
  try {
    return await readAccountId(region);
  } catch (error) {
    const known = explainError(error, 'npm run acceptance -- --emulator needs no AWS account.');
    throw known === undefined ? error : new OptionError(known);
  }
}

/** Adds a step for the calls that IAM has allowed and denied in the emulator. */
function withDecisions(outcome: Outcome, emulator: Emulator): Outcome {
  const { found, broken } = emulator.decisions();
  console.info(`IAM has decided on ${found}`);
  return { ...outcome, steps: [...outcome.steps, { name: 'decisions of IAM', found, broken }] };
}

/** What the pipelines of a run in the emulator share. */
interface Emulated {
  readonly emulator: Emulator;
  readonly sandboxUrl: string;
}

/** Deploys, plays and destroys one pipeline. What was found is kept before the figures are read, and again before the destruction. */
async function playPass(
  plan: RunPlan,
  pipeline: PipelinePlan,
  region: string,
  emulated: Emulated | undefined,
  keep: (pass: Pass) => void,
): Promise<void> {
  const { name, registration } = pipeline;
  const contract = contractOf(plan, registration);
  const stackName = stackNameOf(randomBytes(4).toString('hex'));
  const context = settingsOf(stackName, pipeline, plan);
  const { contractFile, events, seed } = plan;
  const begun = performance.now();
  const say = (line: string) => console.info(`${name}: ${line}`);
  say(`deploying ${stackName}`);
  const seconds = () => (performance.now() - begun) / 1000;
  const use = async (site: Site) => {
    const played = await playAcceptance(site, { contract, contractFile, pipeline, events, seed }, say);
    const outcome = emulated === undefined ? played : withDecisions(played, emulated.emulator);
    const found = { name, outcome, memory: site.memory, left: undefined };
    keep({ ...found, figures: 'they were not read yet', seconds: seconds() });
    const figures = await figuresOrReason(() => site.figures());
    keep({ ...found, figures, seconds: seconds() });
    return { ...found, figures };
  };
  const { result, left } = await inAccount(
    {
      stackName,
      region,
      directory: join(folder, stackName),
      target: plan.target,
      sandboxUrl: pipeline.hasSandbox ? emulated?.sandboxUrl : undefined,
    },
    context,
    say,
    use,
  );
  keep({ ...result, left, seconds: seconds() });
}

/** Makes the path of --contract absolute: the app is run in the project's folder, wherever the caller is. */
function withAbsolutePath(plan: RunPlan): RunPlan {
  if (plan.contractFile === undefined) return plan;
  return {
    ...plan,
    contractFile: resolve(callersFolder(['acceptance'], root, process.cwd(), process.env), plan.contractFile),
  };
}

async function runPlan(plan: RunPlan, emulated?: Emulated): Promise<number> {
  const region = useRegion(process.env);
  refuseOwnSettings(projectContext(root));
  let place = 'an emulator on this machine';
  if (plan.target === 'aws') {
    place = `account ${await accountIn(region)}, ${region}`;
    console.info(`deploys to ${place}, and destroys it: about 40 minutes, and less than two US dollars`);
    if (!plan.isConfirmed) throw new OptionError('Nothing was deployed. Add --yes to deploy there.');
  }
  if (plan.pipelines.some(({ hasConsole }) => hasConsole) && !(await providePage({ step: note, note })))
    throw new OptionError('The console has no page. Build it with: npm run build:console');
  mkdirSync(folder, { recursive: true });
  const passes = new Map<string, Pass>();
  const file = join(folder, 'report.md');
  const versions = { [project.name]: project.version, Node: process.versions.node };
  const keep = (pass: Pass) => {
    passes.set(pass.name, pass);
    const head = { date: new Date().toISOString().slice(0, 16), place, versions };
    writeFileSync(file, reportOf(head, [...passes.values()]));
  };
  // At the same time, so that what they share in an account shows: each is destroyed before another's failure ends the run.
  const ends = await Promise.allSettled(
    plan.pipelines.map((pipeline) => playPass(plan, pipeline, region, emulated, keep)),
  );
  console.info(`report: ${relative(process.cwd(), file)}`);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  const texts = new Set(reasons.map(errorText));
  if (texts.size === 1) throw reasons[0];
  if (texts.size > 1) throw new AggregateError(reasons, [...texts].join('\n'));
  return printVerdict([...passes.values()].flatMap(missesOf));
}

const note = (line: string) => console.info(line);

function runInEmulator(plan: RunPlan): Promise<number> {
  const emulatorFolder = join(root, '.local/emulator');
  const contract = contractOf(plan, 'on');
  return withEmulator(emulatorFolder, (emulator) =>
    withSandbox({ plan, contract, folder: emulatorFolder }, (complete, sandboxUrl) =>
      runPlan(complete, { emulator, sandboxUrl }),
    ),
  );
}

await runScript(async () => {
  const plan = readPlan(process.argv.slice(2));
  if (plan.kind === 'run') {
    const absolute = withAbsolutePath(plan);
    return plan.target === 'emulator' ? runInEmulator(absolute) : runPlan(absolute);
  }
  if (plan.kind === 'help') {
    console.info(help);
    return 0;
  }
  const region = useRegion(process.env);
  console.info(`destroys ${plan.stackName} in account ${await accountIn(region)}, ${region}`);
  if (!plan.isConfirmed) throw new OptionError('Nothing was destroyed. Add --yes to destroy it.');
  return (await destroyIn(region, plan.stackName, console.info)).length === 0 ? 0 : 1;
});

// After Ctrl-C the steps of the scenario would go on, although their pipeline is destroyed.
process.exit();
