import { runGateway } from '.';

void runGateway();
