import { runGateway } from '@moothall/gateway';
import { unattended } from '@moothall/logging';

unattended('gateway', runGateway());
