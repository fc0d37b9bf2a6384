import { service as ci } from '@moothall/ci';
import { service as collaboration } from '@moothall/collaboration';
import { service as identity } from '@moothall/identity';
import { service as projects } from '@moothall/projects';
import { service as repository } from '@moothall/repository';
import { runServices } from '@moothall/service';

/** Every service in one process: one event loop serves them well on one machine, and memory is paid for once. */
void runServices([ci, collaboration, identity, projects, repository]);
