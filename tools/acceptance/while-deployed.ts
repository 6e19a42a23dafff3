/** What is deployed for as long as it is used. */
export interface Deployed<Site, Result> {
  /** @param signal interrupts the deployment */
  readonly deploy: (signal: AbortSignal) => Promise<Site>;
  readonly use: (site: Site) => Promise<Result>;
  /** Destroys also what an interrupted deployment left. */
  readonly destroy: () => Promise<void>;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Deploys, uses what was deployed, and destroys it on every way out: success, failure and Ctrl-C, also during the deployment.
 *
 * @throws Error after an interruption, and what deployment and use throw
 */
export async function whileDeployed<Site, Result>(
  { deploy, use, destroy }: Deployed<Site, Result>,
  say: (line: string) => void,
): Promise<Result> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = () => {
    if (!signal.aborted) say('interrupted: the stacks are destroyed; wait for it');
    interruption.abort();
  };
  for (const name of signals) process.on(name, interrupt);
  try {
    const site = await deploy(signal);
    if (signal.aborted) throw new Error('interrupted');
    // This promise is made where it is awaited: a rejection without a handler would end the process before the destruction.
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
    return await Promise.race([use(site), interrupted]);
  } finally {
    await destroy();
    for (const name of signals) process.off(name, interrupt);
  }
}
