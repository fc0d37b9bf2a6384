import type { ServiceSettings } from './start-service';

type Settings = Pick<ServiceSettings, 'REGISTRY_EXTERNAL_URL'>;

/** Host of the container registry in names of images; undefined if the instance has none. */
export const registryHost = ({ REGISTRY_EXTERNAL_URL: url }: Settings): string | undefined => url && new URL(url).host;

/** Prefix of the names of images of a project. @returns undefined if the instance has no container registry */
export function imagePrefix(settings: Settings, projectPath: string): string | undefined {
  const host = registryHost(settings);
  return host && `${host}/${projectPath.toLowerCase()}`;
}
