import type { ServiceDefinition } from '@moothall/service';
import { CiModule } from './ci.module';

/** Pipeline schedules, pipelines, jobs and runners. */
export const service: ServiceDefinition = { name: 'ci', module: CiModule };
