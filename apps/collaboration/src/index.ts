import type { ServiceDefinition } from '@moothall/service';
import { CollaborationModule } from './collaboration.module';

/** Issues and what hangs on them: notes, labels, milestones, epics, awards, statistics. */
export const service: ServiceDefinition = { name: 'collaboration', module: CollaborationModule };
