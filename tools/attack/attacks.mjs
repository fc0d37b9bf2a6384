/** All attacks by name; each gets the target, and a signal that ends it. */
import * as connections from './connections.mjs';
import * as requests from './requests.mjs';

export const attacks = { ...connections, ...requests };
