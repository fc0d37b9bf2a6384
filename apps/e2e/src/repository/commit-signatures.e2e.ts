import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { ask, newUser } from '../server/connection';

/* Signed commits, with keys that their authors registered. */

type User = Awaited<ReturnType<typeof newUser>>;

let user: User;
let email: string;
let projectId: number;
let folder: string;
let remote: string;

beforeAll(async () => {
  user = await newUser('signer');
  email = `${user.username}@example.com`;
  const project = await user.client.Projects.create({ name: 'Signed', path: 'signed' });
  projectId = project.id;
  const url = new URL(String(project.http_url_to_repo));
  remote = `${url.protocol}//oauth2:${user.token}@${url.host}${url.pathname}`;
  folder = temporaryFolder('signed');
  git('init', '-q', '-b', 'main');
});

const git = (...args: string[]) => {
  const own = ['-c', 'user.name=Signer', '-c', `user.email=${email}`];
  const environment = { ...process.env, GNUPGHOME: join(folder, '.gnupg') };
  return execFileSync('git', [...own, ...args], { cwd: folder, env: environment, encoding: 'utf8' }).trim();
};
const pushed = (branch: string, ...options: string[]) => {
  git(...options, 'commit', '-q', '--allow-empty', '-m', branch);
  git('push', '-q', remote, `HEAD:refs/heads/${branch}`);
  return git('rev-parse', 'HEAD');
};
const signatureOf = async (sha: string) => {
  const path = `/api/v4/projects/${projectId}/repository/commits/${sha}/signature`;
  const response = await ask(path, { token: user.token });
  return { status: response.status, body: (await response.json()) as object };
};

it('are without a signature 404, with the message of the interface', async () => {
  const sha = pushed('plain', '-c', 'commit.gpgsign=false');
  expect(await signatureOf(sha)).toEqual({ status: 404, body: { message: '404 Signature Not Found' } });
  expect(await signatureOf('none')).toEqual({ status: 404, body: { message: '404 Commit Not Found' } });
});

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

(isThere('ssh-keygen') ? it : it.skip)('are known by keys of SSH', async () => {
  const file = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'signs', '-f', file]);
  const sha = pushed('ssh', '-c', 'gpg.format=ssh', '-c', `user.signingkey=${file}`, '-c', 'commit.gpgsign=true');
  expect((await signatureOf(sha)).body).toMatchObject({ signature_type: 'SSH', verification_status: 'unknown_key' });
  const key = readFileSync(`${file}.pub`, 'utf8').trim();
  const added = await user.client.UserSSHKeys.create('signs', key);
  const { body } = await signatureOf(sha);
  expect(body).toMatchObject({
    ...{ signature_type: 'SSH', verification_status: 'verified' },
    key: { id: added.id, title: 'signs', usage_type: 'auth_and_signing' },
  });
  expect(await user.client.Commits.showGPGSignature(projectId, 'ssh')).toEqual(body);
});

(isThere('gpg') ? it : it.skip)(
  'are known by keys of OpenPGP',
  async () => {
    const home = join(folder, '.gnupg');
    execFileSync('mkdir', ['-m', '700', home]);
    const gpg = (...args: string[]) =>
      execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', ...args], { encoding: 'utf8' });
    try {
      gpg('--passphrase', '', '--quick-generate-key', `Signer <${email}>`, 'ed25519', 'sign', 'never');
      const sha = pushed('gpg', '-c', `user.signingkey=${email}`, '-c', 'commit.gpgsign=true');
      await user.client.UserGPGKeys.create(gpg('--armor', '--export', email));
      expect((await signatureOf(sha)).body).toMatchObject({
        ...{ signature_type: 'PGP', verification_status: 'verified' },
        ...{ gpg_key_user_name: 'Signer', gpg_key_user_email: email },
      });
    } finally {
      spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
    }
  },
  60_000,
);
