import type { ServiceDefinition } from '@moothall/service';
import { CiModule } from './ci.module';
import { ciSettings } from './settings';

export { ciSettings } from './settings';

/** Pipeline schedules, pipelines, jobs and runners. */
export const service: ServiceDefinition = { name: 'ci', module: CiModule, settings: ciSettings };
