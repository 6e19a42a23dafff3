import { inject } from 'vitest';

const response = await fetch(inject('packages'));
if (!response.ok) throw new Error(`The libraries of providers are not installed: ${await response.text()}`);
