/** Entry point of `npm run permissions`: lists grants that no run used. Exit code 1 if one is not explained. */
import { join } from 'node:path';
import { readPermissionFile, unusedGrants } from '../../local/iam/permission-file.ts';

const directories = process.argv.slice(2);
if (directories.length === 0) {
  console.error('usage: npm run permissions -- DIR... (folders of local runs that have a permissions.json)');
  process.exit(2);
}

const unused = unusedGrants(
  directories.map((directory) => readPermissionFile(join(directory, 'permissions.json'))),
);
for (const { functionName, action, resource, because } of unused) {
  console.log(
    `${functionName}: ${action} on ${resource} is never used${because ? `, because ${because}` : ''}`,
  );
}
const unexplained = unused.filter(({ because }) => because === undefined).length;
console.log(`${unused.length} granted and never used, ${unexplained} of them without an explanation`);
process.exitCode = unexplained === 0 ? 0 : 1;
