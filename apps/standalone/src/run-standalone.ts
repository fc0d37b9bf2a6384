import { rmSync } from 'node:fs';
import { readEnv, SettingsError } from '@moothall/config';
import { localAddress, ProgramError } from '@moothall/infrastructure';
import { unattended } from '@moothall/logging';
import { removeAbandonedFolders, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { choosePort, requireFreePort, usualPorts } from './address';
import { backupFoldersOf } from './backup/backup-folders';
import { republishEvents } from './backup/republish-events';
import { queueMailsAgain } from './backup/waiting-mails';
import { childEnvironment, environmentOf, type Values } from './child-environment';
import { type Replicas, readCommandLine } from './command-line';
import { greet } from './console/greet';
import { showLogLine } from './console/show-log-line';
import { endLeftovers } from './data-folder/end-leftovers';
import { lockDataFolder } from './data-folder/lock-data-folder';
import { type DataFolder, openDataFolder } from './data-folder/open-data-folder';
import { StartError } from './data-folder/start-error';
import { storagesOf } from './data-folder/storages-of';
import { type KeysInUse, nameOfKeys, type Secrets, storeSecrets } from './data-folder/store-secrets';
import { writePrivateFile } from './data-folder/write-private-file';
import { type Plan, type PlannedProcess, planProcesses, planReplicas, usualProcesses } from './plan';
import { prepareRegistry } from './prepare-registry';
import { ChildMetrics } from './process/child-metrics';
import { type ChildDefinition, startChild } from './process/start-child';
import { Children } from './reset/children';
import { Reset } from './reset/reset';
import type { SeedFile } from './seed/read-seed';
import type { Field, Sown } from './seed/sow';
import { standaloneSettings } from './settings';
import { Stack } from './stack';
import { type Beneath, requirePrograms, startBeneath } from './start-beneath';
import { fired, StopSignals } from './stop-signals';

export interface StandaloneOptions {
  /** Main modules of the processes. Arguments of `services` name the services to run. */
  modules: { gateway: string; services: string };
  /** Arguments of the command line. */
  args?: readonly string[] | undefined;
}

/** Programs of lower tiers are not replaced: their data are in one process. */
const firstTierOfOurs = 1;
const gatewayTier = 2;

interface Ephemeral {
  seed?: SeedFile | undefined;
  /** Resets the server, once it is ready. */
  reset?: Reset | undefined;
}

/** One run of a server. */
interface Run {
  options: StandaloneOptions;
  settings: Values;
  folder: DataFolder;
  replicas?: Replicas | undefined;
  /**
   * Initial data of an ephemeral server, which prints one line of JSON when it is ready; messages for people go to
   * stderr.
   */
  ephemeral?: Ephemeral | undefined;
  say: (text: string) => void;
}

/**
 * Runs the whole server on this machine until a signal stops it.
 * @returns the exit code: 0 after a clean stop, 1 if it could not start (with one line) or was forced to stop
 */
export async function runStandalone(options: StandaloneOptions): Promise<number> {
  const signals = new StopSignals();
  outliveConsole();
  try {
    const { isEphemeral, seedFile, replicas, endsWithStdin } = readCommandLine(options.args ?? []);
    if (endsWithStdin) signals.heedEndOf(process.stdin);
    const settings = await (isEphemeral ? ephemeralSettings() : usualSettings());
    const ephemeral = isEphemeral ? { seed: await readSeedFile(seedFile) } : undefined;
    const folder = openDataFolder(settings.MOOTHALL_DATA_DIR, settings.FSYNC);
    requirePrograms(settings);
    const unlock = lockDataFolder(folder.place.runFolder);
    try {
      const say = isEphemeral ? sayAside : sayAloud;
      return await runOn({ options, settings, folder, replicas, ephemeral, say }, signals);
    } finally {
      unlock();
      if (isEphemeral) await removeTemporaryFolder(folder.root);
    }
  } catch (error) {
    if (error instanceof StartError || error instanceof SettingsError || error instanceof ProgramError) {
      sayAside(error.message);
      return 1;
    }
    throw error;
  }
}

async function usualSettings(): Promise<Values> {
  const read = readEnv(standaloneSettings);
  const port = await choosePort(read.HOST, 'PORT', read.PORT);
  if (read.PORT === undefined && port !== usualPorts.PORT)
    sayAside(`Port ${usualPorts.PORT} is in use; this server uses port ${port}. Set PORT to choose another one.`);
  await requireFreePort(read.METRICS_HOST, read.METRICS_PORT, 'METRICS_PORT');
  return {
    ...read,
    PORT: port,
    SSH_PORT: await choosePort(read.HOST, 'SSH_PORT', read.SSH_PORT),
    REGISTRY_PORT: await choosePort(read.HOST, 'REGISTRY_PORT', read.REGISTRY_PORT),
  };
}

/** Configured ports are used; the others are free ones, so that any number of servers run side by side. */
async function ephemeralSettings(): Promise<Values> {
  await removeAbandonedFolders();
  // Its data are deleted at its end anyway.
  const { PORT = '0', SSH_PORT = '0', REGISTRY_PORT = '0', FSYNC = 'false' } = process.env;
  Object.assign(process.env, {
    MOOTHALL_DATA_DIR: temporaryFolder('ephemeral'),
    PORT,
    SSH_PORT,
    REGISTRY_PORT,
    FSYNC,
  });
  return usualSettings();
}

async function runOn(run: Run, signals: StopSignals): Promise<number> {
  const { folder, settings, say } = run;
  const kept = { secrets: storeSecrets(folder.secretsFile, settings) };
  const stack = new Stack(say);
  // A killed run may have left it: a caller that waits for the file must not find an old one.
  for (const file of [folder.connectionFile, folder.keysInUseFile]) rmSync(file, { force: true });
  const stopped = fired(signals.stop).then(() => stack.stop());
  unattended(
    'the stop',
    fired(signals.force).then(() => stack.kill()),
  );
  let isUp = false;
  process.on('SIGUSR2', () => {
    if (isUp && !stack.isReplacing) unattended('the replacement', replaceAll(run, stack, kept));
  });
  try {
    await Promise.race([startAll(run, stack, kept, signals.stop), stopped]);
    isUp = true;
    await fired(signals.stop);
    say('Stopping.');
  } catch (error) {
    // Errors of programs that were starting when the stop came are expected.
    if (!signals.stop.aborted) throw error;
  } finally {
    await run.ephemeral?.reset?.close();
    await stack.stop();
    rmSync(folder.connectionFile, { force: true });
  }
  return signals.force.aborted ? 1 : 0;
}

/** The settings that every process gets at its start. */
interface Kept {
  secrets: Secrets;
}

/** Replaces all processes with the current keys; then writes the file that the key rotation waits for. */
async function replaceAll({ folder, settings }: Run, stack: Stack, kept: Kept): Promise<void> {
  kept.secrets = storeSecrets(folder.secretsFile, settings);
  const inUse = keysInUse(kept.secrets, settings);
  if (await stack.replace(firstTierOfOurs)) writePrivateFile(folder.keysInUseFile, inUse);
}

const keysInUse = (secrets: Secrets, { SECRET_KEY }: Values): KeysInUse => ({
  name: nameOfKeys(secrets),
  isOwn: SECRET_KEY === undefined,
});

async function startAll(run: Run, stack: Stack, kept: Kept, stop: AbortSignal): Promise<void> {
  const { options, settings, folder, replicas, say } = run;
  const startedAt = performance.now();
  const { secrets } = kept;
  await endLeftovers(folder.place.runFolder);
  const url = settings.EXTERNAL_URL ?? localAddress(settings.HOST, settings.PORT);
  const [beneath, registry] = await Promise.all([
    startBeneath(settings, secrets, folder.place, (name, launch) => stack.add(0, name, launch)),
    prepareRegistry(settings, folder.place, url),
  ]);
  if (stop.aborted) return;
  await republishEvents(folder.unprocessedEventsFile, beneath.natsUrl);
  await queueMailsAgain(folder.waitingMailsFile, beneath.redisUrl);
  const children = new Children();
  const metrics = new ChildMetrics((error) => say(`metrics: ${error}`));
  const env = () => ({
    ...childEnvironment(settings, kept.secrets, folder, beneath, url),
    ...registry?.environment,
    ...(run.ephemeral && { RESETTABLE: 'true' }),
  });
  const plan = makePlan(settings, storagesOf(folder, process.env), replicas);
  const onReset = async () => {
    if (!run.ephemeral?.reset) throw new Error('nothing was kept that a reset could put back');
    await run.ephemeral.reset.putBack();
  };
  const startIn = (tier: number, name: string, childOf: () => ChildDefinition) =>
    stack
      .add(tier, name, (signal, turn) =>
        startChild(childOf(), {
          place: { ...folder.place, signal },
          turn,
          stopWithinMs: settings.STOP_TIMEOUT_SECONDS * 1000,
          silentMs: settings.HANG_TIMEOUT_SECONDS * 1000,
          warn: say,
          onLine: (line) => show(name, line, run),
          onStarted: (started) => {
            metrics.watch(name, started);
            children.watch(tier === gatewayTier ? 'gateways' : 'services', started, onReset);
          },
        }),
      )
      .start();
  const gateway = { module: options.modules.gateway, sharesPorts: true };
  await Promise.all([
    registry && stack.add(0, 'docker-registry', registry.launch).start(),
    ...plan.services.map((planned) =>
      startIn(1, planned.name, () => serviceChild(planned, options.modules.services, env())),
    ),
    ...plan.gateways.map((name) => startIn(gatewayTier, name, () => ({ ...gateway, name, env: env() }))),
  ]);
  if (stop.aborted) return;
  await children.giveOne('ensure administrator', secrets.administrator);
  writePrivateFile(folder.keysInUseFile, keysInUse(secrets, settings));
  const metricsPort = await metrics.port.listen(settings.METRICS_PORT, settings.METRICS_HOST);
  const urls = { url, metrics: localAddress(settings.METRICS_HOST, metricsPort) };
  await announce(run, secrets, { ...beneath, registryUrl: registry?.url ?? null }, urls, children);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(replicas ? `Started in ${seconds} s at ${url}: ${plan.words}.` : `Started in ${seconds} s.`);
}

function makePlan({ PROCESSES }: Values, storages: readonly string[], wanted?: Replicas): Plan {
  if (wanted) return planReplicas(wanted.replicas, wanted.gateways, storages);
  return planProcesses(PROCESSES ?? usualProcesses(), storages);
}

const serviceChild = (planned: PlannedProcess, module: string, env: NodeJS.ProcessEnv): ChildDefinition => ({
  name: planned.name,
  module,
  args: planned.services,
  env: { ...env, ...environmentOf(planned) },
  isStandBy: planned.isStandBy,
});

async function announce(
  { settings, folder, replicas, ephemeral, say }: Run,
  { administrator: { username, password, token } }: Secrets,
  beneath: Beneath & { registryUrl: string | null },
  { url, metrics }: { url: string; metrics: string },
  children: Children,
): Promise<void> {
  const localUrl = localAddress(settings.HOST, settings.PORT);
  const isSignInValid = await acceptsToken(localUrl, token);
  const sown = ephemeral?.seed && (await sowSeed(ephemeral.seed, { url: localUrl, token, natsUrl: beneath.natsUrl }));
  const folders = backupFoldersOf(folder, process.env);
  if (ephemeral && isOwn(settings)) {
    const { keptFolder } = folder;
    const prefix = process.env.MONGODB_PREFIX ?? 'moothall';
    ephemeral.reset = await Reset.prepare({ children, mongodbUri: beneath.mongodbUri, prefix, folders, keptFolder });
  }
  const connection = {
    url,
    token,
    username,
    password,
    pid: process.pid,
    mongodb_uri: beneath.mongodbUri,
    nats_url: beneath.natsUrl,
    redis_url: beneath.redisUrl,
    ssh_port: settings.SSH_PORT,
    registry_url: beneath.registryUrl,
    metrics_url: `${metrics}/-/metrics`,
    places: folders,
  };
  writePrivateFile(folder.connectionFile, connection);
  if (ephemeral) sayAloud(JSON.stringify({ ...connection, ...(sown && { seed: sown }) }));
  else if (!replicas)
    say(greet({ url, username, password, token, connectionFile: folder.connectionFile, isSignInValid }));
}

// Modules that only some starts need are loaded on demand, because loading delays the start.
async function readSeedFile(file: string | undefined): Promise<SeedFile | undefined> {
  if (file === undefined) return undefined;
  const { readSeed } = await import('./seed/read-seed.js');
  return readSeed(file);
}

async function sowSeed(seed: SeedFile, field: Field): Promise<Sown> {
  const { sow } = await import('./seed/sow.js');
  return sow(seed, field);
}

/** External servers are not reset. */
const isOwn = ({ MONGODB_URI, NATS_URL, REDIS_URL }: Values): boolean =>
  MONGODB_URI === undefined && NATS_URL === undefined && REDIS_URL === undefined && !process.env.S3_ENDPOINT;

/** Calls the server as a client: the data may come from elsewhere, and the token may be revoked. */
async function acceptsToken(url: string, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } });
  return answer.ok;
}

function show(name: string, line: string, { settings: { LOG_LEVEL = 'warn' }, say }: Run): void {
  const shown = showLogLine(name, line, LOG_LEVEL);
  if (shown !== undefined) say(shown);
}

/** The reader of stdout and stderr may have ended. An error of these streams must not end the supervisor and leave its processes behind. */
function outliveConsole(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function sayAloud(text: string): void {
  process.stdout.write(`${text}\n`);
}

function sayAside(text: string): void {
  process.stderr.write(`${text}\n`);
}
