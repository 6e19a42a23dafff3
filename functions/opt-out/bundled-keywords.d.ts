/** The keywords a function was bundled with: validated, every word in the form in which it is compared. */
declare module '#keywords' {
  const keywords: import('./keyword-list.ts').KeywordList;
  export default keywords;
}
