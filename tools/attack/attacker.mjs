/**
 * The attackers, in a process of their own that gives way to the server: what they take of the processor would be taken
 * from whom they attack, and only what the server does for them is to be seen. They send no less for it.
 */
import { once, setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { attacks } from './attacks.mjs';

setPriority(10);
process.once('disconnect', () => process.exit(1));
const [{ names, milliseconds, target }] = await once(process, 'message');
const signal = AbortSignal.timeout(milliseconds);
setMaxListeners(0, signal);
const victim = { ...target, url: new URL(target.url) };
await Promise.all(names.map((name) => attacks[name](victim, signal)));
process.exit(0);
