declare module 'textlint-rule-prh' {
  const rule: import('@textlint/kernel').TextlintKernelRule['rule'];
  export default rule;
}
