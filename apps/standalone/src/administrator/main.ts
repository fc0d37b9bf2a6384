import { readEnv, SettingsError, secret } from '@moothall/config';
import { natsSettings } from '@moothall/messaging';
import { ensureAdministrator } from './ensure-administrator';
import { firstAdministrator } from './first-administrator';

/**
 * Creates the first administrator of an installation that `npm start` did not start: of a cluster, by a job or a
 * command.
 */
async function main(): Promise<void> {
  const { NATS_URL, ROOT_PASSWORD, ROOT_TOKEN } = readEnv({
    NATS_URL: natsSettings.NATS_URL,
    ROOT_PASSWORD: secret({ minLength: 8, about: 'password of `root`' }),
    ROOT_TOKEN: secret({ minLength: 20, about: 'access token of `root`' }),
  });
  await ensureAdministrator(NATS_URL, firstAdministrator(ROOT_PASSWORD, ROOT_TOKEN));
  process.stdout.write('There is an administrator.\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof SettingsError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
});
