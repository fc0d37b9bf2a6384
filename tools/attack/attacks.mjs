/** All attacks by their names; each takes whom to attack, and a signal that ends it. */
import * as connections from './connections.mjs';
import * as requests from './requests.mjs';

export const attacks = { ...connections, ...requests };
