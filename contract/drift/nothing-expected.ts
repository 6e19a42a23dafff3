import type { Expected } from './drift-watch.ts';

/** What `#expected` is where a function runs from its sources; bundles have what the samples of their contract say. */
const nothing: Expected = {};
export default nothing;
