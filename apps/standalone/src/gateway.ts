import { runGateway } from '@moothall/gateway';

void runGateway();
