/** The plans of countries with many users. The rules of all countries are a third of a page, and are loaded when a number needs them. */
const plans = [
  [/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3'],
  [/^\+55(\d{2})(\d{4,5})(\d{4})$/, '+55 $1 $2 $3'],
] as const;

/** Groups the digits of a number for reading; undefined for a number of another country, which the rules of all countries group. */
export function commonNumberText(number: string): string | undefined {
  if (!number.startsWith('+')) return number;
  const [form, groups] = plans.find(([own]) => own.test(number)) ?? [];
  return form && groups && number.replace(form, groups);
}
