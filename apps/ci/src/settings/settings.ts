import { bytes, int, type SettingValues, seconds } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the ci service reads from the environment besides the settings of every service. */
export const ciSettings = {
  ...objectStorageSettings,
  CI_MAX_YAML_SIZE: bytes({ default: 2 * 1024 ** 2, about: 'Largest pipeline file' }),
  CI_MAX_YAML_DEPTH: int({ default: 100, min: 1, about: 'How deep a pipeline file may be nested' }),
  CI_MAX_YAML_VALUES: int({
    default: 200_000,
    min: 1,
    about: 'Values of a pipeline file, once aliases, references and templates are put in',
  }),
  CI_MAX_PIPELINE_SIZE: bytes({ default: 8 * 1024 ** 2, about: 'What the jobs of a pipeline may come to' }),
  CI_MAX_JOBS: int({ default: 500, min: 1, about: 'Jobs of a pipeline' }),
  CI_MAX_NEEDS: int({ default: 50, min: 0, about: 'Jobs that one job may need' }),
  CI_YAML_TIMEOUT: seconds({ default: 10, min: 1, about: 'How long a pipeline file may take to be worked out' }),
};

export type CiSettings = ServiceSettings & SettingValues<typeof ciSettings>;
