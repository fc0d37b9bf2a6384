/**
 * `npm run rehearse:image`: executes deploy/Dockerfile without Docker, in a clean folder: the committed files, the
 * commands of its build stage, then its command on the result, until the server reports that it is ready. Takes
 * minutes. It cannot check whether the base images contain the required programs.
 */
import './help.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { all, buildImage, checkOut, readDockerfile } from './release/image.mjs';
import { freePort, startServer } from './release/server.mjs';
import { print } from './set-up.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-image-'));
try {
  checkOut('HEAD', folder);
  const { final } = readDockerfile(folder);
  const cwd = buildImage(folder, print);
  const [size] = execFileSync('du', ['-sm', cwd], { encoding: 'utf8' }).split('\t');
  const settings = Object.fromEntries(
    all(final, 'ENV').flatMap((line) => line.split(' ').map((entry) => entry.split(/=(.*)/s))),
  );
  const port = String(await freePort());
  const url = settings.HEALTH_URL.replace(settings.PORT, port);
  const own = { HOST: '127.0.0.1', PORT: port, SSH_PORT: '0', REGISTRY_PORT: '0' };
  const { seconds, stop } = await startServer(JSON.parse(all(final, 'CMD')[0]), {
    cwd,
    env: { ...settings, ...own, MOOTHALL_DATA_DIR: path.join(folder, 'kept') },
    isReady: async () => (await fetch(url)).ok,
  });
  await stop();
  print(`Ready ${seconds} s after its start; ${size} MB besides Node and programs.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
