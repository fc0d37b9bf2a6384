/**
 * Puts parts together as `{ ...a, ...b }` does, into objects that all have their properties in the same places. V8 makes
 * a dictionary of what many spreads have filled, which costs fifty times as much to build, and is garbage for longer.
 */
export class Shape {
  /** Every property there has been, without a value. */
  private template: Record<string, unknown> = {};

  /** Later parts win. What none of them sets, but others of the shape have, is undefined: JSON has no place for it. */
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

  /** What is read from JSON has its properties in places; they are emptied there. */
  private learn(key: string): void {
    const template = JSON.parse(JSON.stringify([...Object.keys(this.template), key].reduce(withNull, {})));
    for (const each of Object.keys(template)) template[each] = undefined;
    this.template = template;
  }
}

const withNull = (all: Record<string, null>, key: string) => Object.assign(all, { [key]: null });
