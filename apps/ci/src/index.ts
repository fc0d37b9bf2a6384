import type { ServiceDefinition } from '@moothall/service';
import { CiModule } from './ci.module';
import { ciSettings } from './settings/settings';

export { ciSettings } from './settings/settings';

/** Pipeline schedules, pipelines, jobs and runners. */
export const service: ServiceDefinition = { name: 'ci', module: CiModule, settings: ciSettings };
