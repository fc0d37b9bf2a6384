import { runServices } from '@moothall/service';
import { service } from '.';

void runServices([service]);
