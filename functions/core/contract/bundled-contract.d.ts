/** The contract a function was bundled with: validated, every default filled in. */
declare module '#contract' {
  const contract: import('./contract.ts').Contract;
  export default contract;
}
