type Method = (...args: never[]) => Promise<unknown>;

/** Makes one call of some methods fail, in all objects of their class. */
export class Hook {
  private readonly originals = new Map<string, Method>();
  private left: number | undefined;
  private hasFailed = false;

  constructor(
    private readonly prototype: object,
    methods: string[],
  ) {
    for (const method of methods) this.replace(method);
  }

  private replace(method: string): void {
    const methods = this.prototype as Record<string, Method>;
    const original = methods[method]!;
    this.originals.set(method, original);
    const fails = () => this.fails();
    methods[method] = async function (this: object, ...args) {
      if (fails()) throw new Error(`${method} fails, as the test wants`);
      return original.apply(this, args);
    };
  }

  arm(skip: number): void {
    this.left = skip;
    this.hasFailed = false;
  }

  disarm(): boolean {
    this.left = undefined;
    return this.hasFailed;
  }

  private fails(): boolean {
    if (this.left === undefined || this.left-- > 0) return false;
    this.left = undefined;
    this.hasFailed = true;
    return true;
  }

  remove(): void {
    Object.assign(this.prototype, Object.fromEntries(this.originals));
  }
}
