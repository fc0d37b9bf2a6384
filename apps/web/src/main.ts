import { unattended } from '@moothall/logging';
import { runServices } from '@moothall/service';
import { service } from '.';

unattended('web', runServices([service]));
