/** The contract a function was bundled with. */
declare module '#contract' {
  const contract: import('./contract.ts').BundledContract;
  export default contract;
}

/** Of it what ingest needs. */
declare module '#webhook' {
  const webhook: import('./contract.ts').BundledWebhook;
  export default webhook;
}
