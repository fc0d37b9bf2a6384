import type { SettingValues } from '@moothall/config';
import type { DataFolder } from './data-folder/open-data-folder';
import type { Secrets } from './data-folder/store-secrets';
import type { PlannedProcess } from './plan';
import type { standaloneSettings } from './settings';
import type { Beneath } from './start-beneath';

export type Values = SettingValues<typeof standaloneSettings> & Record<'PORT' | 'SSH_PORT' | 'REGISTRY_PORT', number>;

/** The environment of every process. */
export function childEnvironment(
  settings: Values,
  secrets: Secrets,
  folder: DataFolder,
  beneath: Beneath,
  externalUrl: string,
): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    SSH_HOST_KEY_DIR: folder.sshFolder,
    OBJECT_STORAGE_DIR: folder.objectFolder,
    UPLOAD_DIR: folder.uploadFolder,
    MAIL_DIR: folder.mailFolder,
    ...process.env,
    MONGODB_URI: beneath.mongodbUri,
    NATS_URL: beneath.natsUrl,
    REDIS_URL: beneath.redisUrl,
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    METRICS_PORT: '0',
    METRICS_HOST: '127.0.0.1',
    SSH_PORT: String(settings.SSH_PORT),
    EXTERNAL_URL: externalUrl,
    EDITION: settings.EDITION,
    ROLES: settings.ROLES.join(','),
    LOG_LEVEL: settings.LOG_LEVEL ?? 'info',
    SECRET_KEY: settings.SECRET_KEY ?? secrets.secretKey,
    SECRET_KEY_ACCEPTED: secrets.rotation?.secretKey ?? settings.SECRET_KEY_ACCEPTED,
    TICKET_KEY: secrets.ticketKey,
    TICKET_KEY_ACCEPTED: secrets.rotation?.ticketKey,
  };
}

/** Additional environment of one process of services. */
export const environmentOf = ({ storages }: PlannedProcess): NodeJS.ProcessEnv =>
  storages.length > 0 ? { GIT_STORAGES: storages.join(',') } : {};
