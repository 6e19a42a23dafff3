/** The keywords that a function was bundled with: validated, every word in the form in which it is compared. */
declare module '#keywords' {
  const keywords: import('./keyword.ts').KeywordList;
  export default keywords;
}
