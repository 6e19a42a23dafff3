/** Entry point of `npm start` and `npm run demo`. */
import { startLocally } from './start-locally.ts';

await startLocally(process.argv.slice(2));
