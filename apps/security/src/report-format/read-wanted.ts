import { type ParsedTokenInfo, Tokenizer, TokenType } from '@streamparser/json';
import { ReportRefused } from './report-refused';

/** Selects the parts of a document to keep; others are skipped. */
export type Wanted = 'all' | { fields?: Readonly<Record<string, Wanted>>; each?: Wanted; most?: number };

/** Complete values, by name. */
export const named = (names: readonly string[]): Record<string, Wanted> =>
  Object.fromEntries(names.map((name) => [name, 'all']));

/** The union of two selections. */
export function either(one: Wanted | undefined, other: Wanted | undefined): Wanted {
  if (one === undefined || other === undefined) return one ?? other ?? {};
  if (one === 'all' || other === 'all') return 'all';
  const names = Object.keys({ ...one.fields, ...other.fields });
  return {
    ...one,
    ...other,
    fields: Object.fromEntries(names.map((name) => [name, either(one.fields?.[name], other.fields?.[name])])),
    ...((one.each ?? other.each) && { each: either(one.each, other.each) }),
  };
}

export interface JsonLimits {
  /** Objects may follow one another, since runners concatenate the files of a list. */
  documents: number;
  /** Limit of nesting. */
  depth: number;
  /** Limit of characters of a kept text, and of any name. */
  textLength: number;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

interface Frame {
  isArray: boolean;
  /** Undefined for a skipped value. */
  value: Record<string, unknown> | unknown[] | undefined;
  wanted: Wanted | undefined;
  name: string;
  count: number;
}

/**
 * Parses the selected parts of JSON documents as a stream: memory depends on these parts only. Objects have no
 * prototype, so names such as `__proto__` are harmless.
 * @returns at least one document
 * @throws ReportRefused
 */
export async function* readWanted(
  chunks: AsyncIterable<Uint8Array>,
  wanted: Wanted,
  limits: JsonLimits,
): AsyncGenerator<unknown> {
  const assembly = new Assembly(wanted, limits);
  const tokenizer = new Tokenizer({ emitPartialTokens: true });
  tokenizer.onToken = (token) => assembly.take(token);
  tokenizer.onError = (error) => {
    throw error instanceof ReportRefused ? error : noJson();
  };
  tokenizer.onEnd = () => undefined;
  for await (const chunk of chunks) {
    tokenizer.write(chunk);
    yield* assembly.taken();
  }
  tokenizer.end();
  assembly.requireEnd();
  yield* assembly.taken();
}

const noJson = () => new ReportRefused('it is not JSON');

class Assembly {
  private readonly frames: Frame[] = [];
  private expected: Expected = 'value';
  private root: unknown;
  private documents: unknown[] = [];
  private ends = 0;

  constructor(
    private readonly wanted: Wanted,
    private readonly limits: JsonLimits,
  ) {}

  requireEnd(): void {
    if (this.expected !== 'nothing') throw noJson();
  }

  /** The documents that were completed since the last call. */
  taken(): unknown[] {
    const taken = this.documents;
    this.documents = [];
    return taken;
  }

  take({ token, value, partial }: ParsedTokenInfo): void {
    const isName = this.expected === 'name' || this.expected === 'name or end';
    if (typeof value === 'string' && value.length > this.limits.textLength && (isName || this.here() !== undefined))
      throw new ReportRefused(`it has a text of more than ${this.limits.textLength} characters`);
    if (partial) return;
    if (isName) this.takeName(token, value);
    else if (this.expected === 'colon' && token === TokenType.COLON) this.expected = 'value';
    else if (this.expected === 'comma or end') this.takeNext(token);
    else if (this.expected === 'value or end' && token === TokenType.RIGHT_BRACKET) this.close();
    else if (this.expected === 'value' || this.expected === 'value or end') this.takeValue(token, value);
    else this.takeNextDocument(token, value);
  }

  private takeNextDocument(token: TokenType, value: unknown): void {
    const { documents } = this.limits;
    if (token !== TokenType.LEFT_BRACE || this.expected !== 'nothing' || documents === 1) throw noJson();
    if (this.ends === documents) throw new ReportRefused(`it has more than ${documents} documents`);
    this.takeValue(token, value);
  }

  private takeName(token: TokenType, value: unknown): void {
    const frame = this.frames.at(-1);
    if (token === TokenType.STRING && frame) {
      frame.name = String(value);
      this.expected = 'colon';
    } else if (token === TokenType.RIGHT_BRACE && this.expected === 'name or end') this.close();
    else throw noJson();
  }

  private takeNext(token: TokenType): void {
    const isArray = this.frames.at(-1)?.isArray;
    if (token === TokenType.COMMA) this.expected = isArray ? 'value' : 'name';
    else if (token === (isArray ? TokenType.RIGHT_BRACKET : TokenType.RIGHT_BRACE)) this.close();
    else throw noJson();
  }

  private takeValue(token: TokenType, value: unknown): void {
    const wanted = this.here();
    this.count();
    if (token === TokenType.LEFT_BRACE) this.open(false, wanted);
    else if (token === TokenType.LEFT_BRACKET) this.open(true, wanted);
    else if (scalars.has(token)) {
      if (wanted !== undefined) this.put(value);
      this.ended();
    } else throw noJson();
  }

  /** The selection for the next value. */
  private here(): Wanted | undefined {
    const frame = this.frames.at(-1);
    if (!frame) return this.wanted;
    if (frame.wanted === undefined || frame.wanted === 'all') return frame.wanted;
    if (frame.isArray) return frame.wanted.each;
    const { fields = {} } = frame.wanted;
    return Object.hasOwn(fields, frame.name) ? fields[frame.name] : undefined;
  }

  private count(): void {
    const frame = this.frames.at(-1);
    if (!frame?.isArray || typeof frame.wanted !== 'object' || frame.wanted.most === undefined) return;
    if (++frame.count > frame.wanted.most) throw new ReportRefused(`it has a list of more than ${frame.wanted.most}`);
  }

  private open(isArray: boolean, wanted: Wanted | undefined): void {
    if (this.frames.length >= this.limits.depth)
      throw new ReportRefused(`it is nested more than ${this.limits.depth} levels deep`);
    const value = wanted === undefined ? undefined : isArray ? [] : Object.create(null);
    if (value !== undefined) this.put(value);
    this.frames.push({ isArray, value, wanted, name: '', count: 0 });
    this.expected = isArray ? 'value or end' : 'name or end';
  }

  private close(): void {
    this.frames.pop();
    this.ended();
  }

  private ended(): void {
    this.expected = this.frames.length === 0 ? 'nothing' : 'comma or end';
    if (this.frames.length > 0) return;
    this.documents.push(this.root);
    this.ends++;
  }

  private put(value: unknown): void {
    const frame = this.frames.at(-1);
    if (!frame) this.root = value;
    else if (Array.isArray(frame.value)) frame.value.push(value);
    else if (frame.value) frame.value[frame.name] = value;
  }
}

const scalars: ReadonlySet<TokenType> = new Set([
  TokenType.STRING,
  TokenType.NUMBER,
  TokenType.TRUE,
  TokenType.FALSE,
  TokenType.NULL,
]);
