/**
 * The attackers, in a process with low priority: they must not take processor time from the client that is measured, so
 * that only the server's work for them counts. They send at full rate nevertheless.
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
