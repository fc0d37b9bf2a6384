/**
 * `git ls-remote` over our SSH server, beside OpenSSH on the same repository; if that is not installed, beside a bare
 * `ssh2`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import ssh2 from 'ssh2';
import { api, freePort } from './stack.mjs';
import { commitFiles, git, gitAsync } from './transport.mjs';

const openSsh = '/usr/sbin/sshd';
const refs = 200;
const turns = 30;

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function makeKey(folder, name) {
  const file = path.join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file]);
  return { file, publicKey: readFileSync(`${file}.pub`, 'utf8').trim() };
}

/** Configured for this key only, on its own port. */
async function startOpenSsh(folder, key, hostKey, port) {
  const config = path.join(folder, 'sshd_config');
  writeFileSync(path.join(folder, 'authorized_keys'), `${key.publicKey}\n`);
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey.file}`,
      `AuthorizedKeysFile ${folder}/authorized_keys`,
      'StrictModes no',
      'UsePAM no',
      'UseDNS no',
      'PidFile none',
      'MaxStartups 100',
      'PermitRootLogin prohibit-password',
      'AcceptEnv GIT_PROTOCOL',
      // Excludes the time of this user's .bashrc: bash reads it for the first shell only.
      'SetEnv SHLVL=2',
    ].join('\n'),
  );
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(openSsh, ['-D', '-e', '-f', config], { stdio: 'ignore' });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`sshd ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return () => child.kill();
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) && socket.destroy());
    socket.once('error', () => resolve(false));
  });
}

/** Accepts everyone and runs their commands. */
async function startBareSsh(hostKey, port) {
  const server = new ssh2.Server({ hostKeys: [readFileSync(hostKey.file)] }, (connection) => {
    // The client has disconnected.
    connection.on('error', () => undefined);
    connection.on('authentication', (attempt) => attempt.accept());
    connection.on('session', (accept) =>
      accept().on('exec', (start, _reject, { command }) => {
        const channel = start();
        const child = spawn('sh', ['-c', command]);
        channel.pipe(child.stdin);
        child.stdout.pipe(channel, { end: false });
        child.once('close', (code) => {
          channel.exit(code);
          channel.end();
        });
      }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => server.close();
}

export async function measureSsh(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-ssh-'));
  const work = path.join(folder, 'work');
  const bare = path.join(folder, 'bare.git');
  mkdirSync(work);
  git(work, 'init', '-q', '-b', 'main');
  commitFiles(work, 10, 1000);
  for (let index = 0; index < refs; index++) git(work, 'branch', `topic-${index}`);
  git(folder, 'clone', '-q', '--mirror', work, bare);
  const key = makeKey(folder, 'key');
  const port = await freePort();
  const hasOpenSsh = existsSync(openSsh);
  const hostKey = makeKey(folder, 'host');
  const stop = hasOpenSsh ? await startOpenSsh(folder, key, hostKey, port) : await startBareSsh(hostKey, port);
  try {
    await api(stack, 'POST', '/user/keys', { title: `bench-${Date.now()}`, key: key.publicKey });
    const project = await api(stack, 'POST', '/projects', { name: `ssh-${Date.now()}` });
    const options = `-F /dev/null -i ${key.file} -oIdentitiesOnly=yes -oBatchMode=yes -oLogLevel=ERROR`;
    const env = {
      GIT_SSH_COMMAND: `ssh ${options} -oStrictHostKeyChecking=no -oUserKnownHostsFile=${folder}/known_hosts`,
      GIT_SSH_VARIANT: 'ssh',
    };
    const remotes = {
      ours: project.ssh_url_to_repo,
      theirs: `ssh://${userInfo().username}@127.0.0.1:${port}${bare}`,
    };
    await gitAsync(work, ['push', '-q', remotes.ours, '--all'], env);
    const times = { ours: [], theirs: [] };
    for (let turn = 0; turn < turns; turn++) {
      for (const [name, remote] of Object.entries(remotes)) {
        const began = performance.now();
        await gitAsync(folder, ['ls-remote', '-q', remote], env);
        if (turn > 2) times[name].push(performance.now() - began);
      }
    }
    return [
      {
        figure: `git ls-remote of ${refs} branches over SSH against ${hasOpenSsh ? "OpenSSH's server" : 'a bare ssh2'}`,
        value: `${middle(times.ours).toFixed(0)} ms`,
        floor: `${middle(times.theirs).toFixed(0)} ms`,
        ratio: middle(times.theirs) / middle(times.ours),
        goal: 0.85,
      },
    ];
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
