import { bytes, int, type SettingValues, seconds } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the ci service besides the shared ones. */
export const ciSettings = {
  ...objectStorageSettings,
  CI_MAX_YAML_SIZE: bytes({ default: 2 * 1024 ** 2, about: 'Maximum size of a pipeline file with all included files' }),
  CI_MAX_YAML_DEPTH: int({ default: 100, min: 1, about: 'Maximum nesting depth of a pipeline file' }),
  CI_MAX_YAML_VALUES: int({
    default: 200_000,
    min: 1,
    about: 'Maximum number of values in a pipeline file after aliases, references and templates are resolved',
  }),
  CI_MAX_PIPELINE_SIZE: bytes({ default: 8 * 1024 ** 2, about: 'Maximum size of all jobs of a pipeline together' }),
  CI_MAX_JOBS: int({ default: 500, min: 1, about: 'Maximum number of jobs in a pipeline' }),
  CI_MAX_NEEDS: int({ default: 50, min: 0, about: 'Maximum number of jobs in the `needs` of one job' }),
  CI_YAML_TIMEOUT: seconds({ default: 10, min: 1, about: 'Maximum time to evaluate a pipeline file' }),
};

export type CiSettings = ServiceSettings & SettingValues<typeof ciSettings>;
