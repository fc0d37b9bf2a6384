import { rmSync } from 'node:fs';
import { readEnv, SettingsError, type SettingValues } from '@moothall/config';
import { ProgramError } from '@moothall/infrastructure';
import { chooseSshPort, localAddress, requireFreePort } from './address';
import { greet } from './console/greet';
import { showLogLine } from './console/show-log-line';
import { keepSecrets, type Secrets } from './data-folder/keep-secrets';
import { lockDataFolder } from './data-folder/lock-data-folder';
import { type DataFolder, openDataFolder } from './data-folder/open-data-folder';
import { writePrivateFile } from './data-folder/write-private-file';
import { type ChildDefinition, startChild } from './process/start-child';
import { standaloneSettings } from './settings';
import { Stack } from './stack';
import { type Beneath, requirePrograms, startBeneath } from './start-beneath';
import { StartError } from './start-error';
import { fired, StopSignals } from './stop-signals';

type Values = SettingValues<typeof standaloneSettings> & { SSH_PORT: number };

export interface StandaloneOptions {
  /** Answers the clients; stopped first, so that the rest can finish what it has begun. */
  gateway: ChildDefinition;
  services: readonly ChildDefinition[];
  ensureAdministrator: (natsUrl: string, administrator: Secrets['administrator']) => Promise<void>;
}

/**
 * Runs the whole server on this machine until it is told to stop.
 * @returns the exit code: 0 after a clean stop, 1 when it could not start (said in one line) or was forced to stop
 */
export async function runStandalone(options: StandaloneOptions): Promise<number> {
  const signals = new StopSignals();
  try {
    const read = readEnv(standaloneSettings);
    await requireFreePort(read.HOST, read.PORT);
    const settings = { ...read, SSH_PORT: await chooseSshPort(read.HOST, read.SSH_PORT) };
    const folder = openDataFolder(settings.MOOTHALL_DATA_DIR);
    requirePrograms(settings);
    const unlock = lockDataFolder(folder.place.runFolder);
    try {
      return await runOn(folder, settings, options, signals);
    } finally {
      unlock();
    }
  } catch (error) {
    if (error instanceof StartError || error instanceof SettingsError || error instanceof ProgramError) {
      say(error.message);
      return 1;
    }
    throw error;
  }
}

async function runOn(
  folder: DataFolder,
  settings: Values,
  options: StandaloneOptions,
  signals: StopSignals,
): Promise<number> {
  const secrets = keepSecrets(folder.secretsFile, settings);
  const stack = new Stack(say);
  // Left by a killed run: who waits for the file must not find an old one.
  rmSync(folder.connectionFile, { force: true });
  const stopped = fired(signals.stop).then(() => stack.stop());
  void fired(signals.force).then(() => stack.kill());
  try {
    await Promise.race([startAll(stack, folder, settings, secrets, options, signals.stop), stopped]);
    await fired(signals.stop);
    say('Stopping.');
  } catch (error) {
    // What was being started when the stop came ends with an error that nobody needs to read.
    if (!signals.stop.aborted) throw error;
  } finally {
    await stack.stop();
    rmSync(folder.connectionFile, { force: true });
  }
  return signals.force.aborted ? 1 : 0;
}

async function startAll(
  stack: Stack,
  folder: DataFolder,
  settings: Values,
  secrets: Secrets,
  options: StandaloneOptions,
  stop: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const beneath = await startBeneath(settings, secrets, folder.place, (name, launch) => stack.add(0, name, launch));
  if (stop.aborted) return;
  const url = settings.EXTERNAL_URL ?? localAddress(settings.HOST, settings.PORT);
  const env = childEnvironment(settings, secrets, folder, beneath, url);
  const startIn = (tier: number, child: ChildDefinition) =>
    stack
      .add(tier, child.name, (signal) =>
        startChild(child, {
          place: { ...folder.place, signal },
          env,
          stopWithinMs: settings.STOP_TIMEOUT_SECONDS * 1000,
          silentMs: settings.HANG_TIMEOUT_SECONDS * 1000,
          warn: say,
          onLine: (line) => show(child.name, line, settings),
        }),
      )
      .start();
  await Promise.all([...options.services.map((service) => startIn(1, service)), startIn(2, options.gateway)]);
  if (stop.aborted) return;
  await options.ensureAdministrator(beneath.natsUrl, secrets.administrator);
  await announce(folder, settings, secrets, beneath, url);
  say(`Started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

function childEnvironment(
  settings: Values,
  secrets: Secrets,
  folder: DataFolder,
  beneath: Beneath,
  externalUrl: string,
): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    GIT_STORAGES: `default=${folder.gitFolder},second=${folder.secondGitFolder}`,
    SSH_HOST_KEY_DIR: folder.sshFolder,
    OBJECT_STORAGE_DIR: folder.objectFolder,
    MAIL_DIR: folder.mailFolder,
    ...process.env,
    MONGODB_URI: beneath.mongodbUri,
    NATS_URL: beneath.natsUrl,
    REDIS_URL: beneath.redisUrl,
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    SSH_PORT: String(settings.SSH_PORT),
    EXTERNAL_URL: externalUrl,
    EDITION: settings.EDITION,
    ROLES: settings.ROLES.join(','),
    LOG_LEVEL: settings.LOG_LEVEL ?? 'info',
    SECRET_KEY: settings.SECRET_KEY ?? secrets.secretKey,
    TICKET_KEY: secrets.ticketKey,
  };
}

async function announce(
  folder: DataFolder,
  settings: Values,
  { administrator: { username, password, token } }: Secrets,
  beneath: Beneath,
  url: string,
): Promise<void> {
  const isSignInValid = await acceptsToken(localAddress(settings.HOST, settings.PORT), token);
  writePrivateFile(folder.connectionFile, {
    url,
    token,
    username,
    password,
    pid: process.pid,
    mongodb_uri: beneath.mongodbUri,
    nats_url: beneath.natsUrl,
    redis_url: beneath.redisUrl,
    ssh_port: settings.SSH_PORT,
  });
  say(greet({ url, username, password, token, connectionFile: folder.connectionFile, isSignInValid }));
}

/** Asks the server as a client would: the data may come from elsewhere, and a token may have been revoked. */
async function acceptsToken(url: string, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } });
  return answer.ok;
}

function show(name: string, line: string, { LOG_LEVEL = 'warn' }: Values): void {
  const shown = showLogLine(name, line, LOG_LEVEL);
  if (shown !== undefined) say(shown);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
