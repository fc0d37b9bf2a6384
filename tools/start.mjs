/** `npm start`: sets up what is missing, then becomes the server, so that signals and exit code are the server's own. */
import path from 'node:path';
import { root, runTool, setUp } from './set-up.mjs';

await runTool(async () => {
  setUp();
  await import(path.join(root, 'apps/standalone/dist/main.js'));
});
