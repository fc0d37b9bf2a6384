type Method = (...args: never[]) => Promise<unknown>;

/** Lets one call of a method fail, in all objects of its class. */
export class Hook {
  private readonly original: Method;
  private left: number | undefined;
  private hasFailed = false;

  constructor(
    private readonly prototype: object,
    private readonly method: string,
  ) {
    this.original = (prototype as Record<string, Method>)[method]!;
    const { original } = this;
    const fails = () => this.fails();
    (prototype as Record<string, Method>)[method] = async function (this: object, ...args) {
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
    (this.prototype as Record<string, Method>)[this.method] = this.original;
  }
}
