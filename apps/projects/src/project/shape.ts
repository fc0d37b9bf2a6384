/**
 * Merges parts like `{ ...a, ...b }`, into objects with the same hidden class. V8 turns objects that many spreads fill
 * into dictionaries, which cost fifty times as much to build and stay longer in memory.
 */
export class Shape {
  /** An object with every property seen so far, without values. */
  private template: Record<string, unknown> = {};

  /** Later parts win. Properties that no part sets are undefined: JSON leaves them out. */
  join<A extends object, B extends object, C extends object, D extends object, E extends object>(
    ...parts: [A, B, C, D, E]
  ): A & B & C & D & E {
    const joined = { ...this.template };
    for (const part of parts as Record<string, unknown>[]) {
      for (const key of Object.keys(part)) {
        if (!Object.hasOwn(this.template, key)) this.learn(key);
        joined[key] = part[key];
      }
    }
    return joined as A & B & C & D & E;
  }

  /** Objects from JSON have a stable hidden class; their values are cleared. */
  private learn(key: string): void {
    const template = JSON.parse(JSON.stringify([...Object.keys(this.template), key].reduce(withNull, {})));
    for (const each of Object.keys(template)) template[each] = undefined;
    this.template = template;
  }
}

const withNull = (all: Record<string, null>, key: string) => Object.assign(all, { [key]: null });
