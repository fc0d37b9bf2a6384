import { unattended } from '@moothall/logging';
import { runGateway } from '.';

unattended('gateway', runGateway());
