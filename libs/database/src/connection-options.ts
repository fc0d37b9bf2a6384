/**
 * How a service uses MongoDB of any kind: a write is acknowledged when most of a replica set has it, and the
 * next read sees it. By default the driver retries reads and writes once, if the server recognises a repeat.
 */
export const connectionOptions = {
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
  // Time that reads wait for a server that restarts; callers are answered within their own limit.
  serverSelectionTimeoutMS: 5_000,
} as const;

const required: Record<string, { value: string; why: string }> = {
  readpreference: { value: 'primary', why: 'what was just written must be read' },
  w: { value: 'majority', why: 'what is acknowledged must outlive the server that took it' },
  journal: { value: 'true', why: 'what is acknowledged must be on the disk' },
};

/** @throws Error that names a parameter of the URI which would break the guarantees of services */
export function requireSafe(uri: string): void {
  const [, query = ''] = uri.split('?', 2);
  for (const [name, value] of new URLSearchParams(query)) {
    const rule = required[name.toLowerCase()];
    if (rule && value !== rule.value)
      throw new Error(`MONGODB_URI has ${name}=${value}, but ${rule.why}: leave it out, or say ${rule.value}`);
  }
}
